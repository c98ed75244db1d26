"""`LMDBDataset`, of databases that the package lmdb has written."""
import lmdb
import pytest

import ossia as tf

PAIRS = [(b"a", b"1"), (b"b", b""), (b"c", bytes(range(256)))]


def written(path, pairs, **options):
    with lmdb.open(str(path), **options) as database, database.begin(write=True) as transaction:
        for key, value in pairs:
            transaction.put(key, value)
    return str(path)


def pairs_of(dataset):
    following, found = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next(), []
    with tf.Session() as session, pytest.raises(tf.errors.OutOfRangeError):
        while True:
            found.append(session.run(following))
    return found


def test_pairs_of_folders_and_files_in_the_order_of_their_keys(tmp_path):
    folder = written(tmp_path / "folder", PAIRS[::-1])
    file = written(tmp_path / "file", PAIRS[:1], subdir=False)
    dataset = tf.contrib.data.LMDBDataset([folder, file, folder])
    assert repr(dataset) == "<LMDBDataset shapes: ((), ()), types: (tf.string, tf.string)>"
    assert pairs_of(dataset) == [*PAIRS, PAIRS[0], *PAIRS]


def test_one_database_is_read_twice_at_once(tmp_path):
    folder = written(tmp_path / "folder", PAIRS)
    dataset = tf.contrib.data.LMDBDataset(folder)
    both = tf.compat.v2.data.Dataset.zip((dataset, dataset.skip(1)))
    assert pairs_of(both) == [*zip(PAIRS, PAIRS[1:], strict=False)]


@pytest.mark.parametrize(("name", "message"), [("none", "No such file"), ("text", "not an LMDB file")])
def test_what_is_no_database_is_refused(name, message, tmp_path):
    (tmp_path / "text").write_bytes(b"text" * 3000)
    dataset = tf.contrib.data.LMDBDataset([str(tmp_path / name)])
    following = tf.compat.v1.data.make_one_shot_iterator(dataset).get_next()
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError, match=message):
        session.run(following)
