"""Elements that come as columns are those that come one by one."""
import numpy as np
import pytest

import ossia as tf

D = tf.data.Dataset


def numbers(count):
    return D.from_tensor_slices((np.arange(count), np.arange(count * 3.0).reshape(count, 3)))


def lines(folder, count, end="\n"):
    (folder / "lines").write_bytes("".join(f"line {i}{end}" for i in range(count)).encode())
    return tf.data.TextLineDataset(str(folder / "lines"))


def records(folder, count):
    with tf.io.TFRecordWriter(str(folder / "records")) as writer:
        for i in range(count):
            writer.write(b"record %d" % i * (i % 7))
    return tf.data.TFRecordDataset([str(folder / "records")] * 2)


def table(folder, count):
    rows = "".join(f'{i},{i / 4},"a{i}"\n' for i in range(count))
    (folder / "table").write_text(rows)
    return tf.data.experimental.CsvDataset(str(folder / "table"), [0, 0.0, ""])


def example(number):
    feature, integers = tf.train.Feature, tf.train.Int64List(value=[number % 3])
    return tf.train.Example(features=tf.train.Features(feature={
        "x": feature(float_list=tf.train.FloatList(value=[number, number + 0.5])),
        "image": feature(bytes_list=tf.train.BytesList(value=[bytes([number, 1, 2, 3])])),
        "label": feature(int64_list=integers),
    })).SerializeToString()  # fmt: skip


def parsed(record):
    found = tf.io.parse_single_example(record, {
        "x": tf.io.FixedLenFeature([2], tf.float32), "image": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64), "other": tf.io.FixedLenFeature([1], tf.int64, default_value=7),
    })  # fmt: skip
    image = tf.io.decode_raw(found["image"], tf.uint8)
    image.set_shape([4])
    words = tf.strings.to_hash_bucket_fast(found["image"], 100)
    return tf.cast(image, tf.float32) / 255.0, tf.one_hot(found["label"], 3), found["x"] * 2, found["other"], words


def examples(*more):
    return D.from_tensor_slices([*map(example, range(20)), *more]).map(parsed)


PIPELINES = {
    "examples": lambda folder: examples(),
    "examples that fail": lambda folder: examples(b"no example", example(3)),
    "slices": lambda folder: numbers(23),
    "range": lambda folder: D.range(5, 40, 3),
    "down": lambda folder: D.range(40, 5, -4),
    "none": lambda folder: D.range(0),
    "take": lambda folder: numbers(23).take(9),
    "skip": lambda folder: numbers(23).skip(20),
    "skip more than there are": lambda folder: numbers(23).skip(30),
    "repeat": lambda folder: numbers(5).repeat(3),
    "repeat of none": lambda folder: D.range(0).repeat(),
    "zip": lambda folder: D.zip((numbers(23), D.range(19))),
    "zip of unlike blocks": lambda folder: D.zip((numbers(5).repeat(3), lines(folder, 19))),
    "enumerate": lambda folder: lines(folder, 19).enumerate(),
    "concatenate": lambda folder: D.range(5).concatenate(D.range(3)),
    "concatenate of other shapes": lambda folder: D.from_tensor_slices(np.zeros((3, 2))).concatenate(
        D.from_tensor_slices(np.ones((3, 3)))),
    "map": lambda folder: numbers(23).map(lambda n, x: (n * 2, x + 1)),
    "parallel map": lambda folder: numbers(23).map(lambda n, x: (n * 2, x + 1), num_parallel_calls=2),
    "maps": lambda folder: D.range(23).map(lambda n: n * n).map(lambda n: n - 1),
    "map of a generator": lambda folder: D.from_generator(lambda: iter(range(9)), tf.int64, []).map(lambda n: n + 1),
    "map that fails": lambda folder: D.range(-3, 9).map(lambda n: 12 // n),
    "prefetch": lambda folder: numbers(23).prefetch(2),
    "flat map": lambda folder: D.range(5).flat_map(lambda n: D.range(n)),
    "shuffle": lambda folder: numbers(60).shuffle(7, seed=3),
    "shuffle of all": lambda folder: numbers(60).shuffle(100, seed=3),
    "shuffle of one": lambda folder: numbers(6).shuffle(1, seed=3),
    "shuffle of none": lambda folder: D.range(0).shuffle(5, seed=3),
    "shuffle, repeat": lambda folder: numbers(11).shuffle(7, seed=3).repeat(3),
    "shuffle of passes": lambda folder: numbers(11).apply(tf.data.experimental.shuffle_and_repeat(7, 3, seed=5)),
    "shuffle of small passes": lambda folder: numbers(3).apply(tf.data.experimental.shuffle_and_repeat(10, 5, seed=5)),
    "shuffle of other shapes": lambda folder: D.from_tensor_slices(np.zeros((9, 2))).concatenate(
        D.from_tensor_slices(np.ones((9, 3)))).shuffle(4, seed=1),
    "shuffle of strings": lambda folder: lines(folder, 60).shuffle(9, seed=2),
    "shuffle twice": lambda folder: numbers(60).shuffle(7, seed=3).map(lambda n, x: (n + 1, x)).shuffle(20, seed=4),
    "large shuffle": lambda folder: D.range(2000).shuffle(900, seed=4),
    "lines": lambda folder: lines(folder, 3000),
    "lines of Windows": lambda folder: lines(folder, 30, "\r\n"),
    "records": lambda folder: records(folder, 40),
    "table": lambda folder: table(folder, 40),
}  # fmt: skip


def words_of(line):
    return tf.strings.split([line]).values


def long_ids(line):
    ids = tf.strings.to_hash_bucket_fast(tf.string_split([line], "e").values, 90)
    return ids, tf.size(ids), line


def looked_up(line):
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["line", "3", "5"], [1, 2, 3]), -1)
    return table.lookup(words_of(line))


TEXTS = {
    "words": lambda lines: lines.map(words_of),
    "hashed words": lambda lines: lines.map(lambda line: tf.strings.to_hash_bucket_fast(words_of(line), 90)),
    "words and their number": lambda lines: lines.map(long_ids),
    "in parallel": lambda lines: lines.map(long_ids, num_parallel_calls=2),
    "in two steps": lambda lines: lines.map(words_of).map(lambda words: (words, tf.size(words))),
    "words of a table": lambda lines: lines.map(looked_up),
    "shuffled": lambda lines: lines.map(long_ids).shuffle(7, seed=2),
    "repeated": lambda lines: lines.map(words_of).take(5).repeat(3),
    "some of the words": lambda lines: lines.map(lambda line: words_of(line)[1:]),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_vectors_of_different_lengths_are_padded_as_one_by_one(name, tmp_path):
    (tmp_path / "lines").write_text("\n".join("line " * (i % 5) + str(i) for i in range(20)) + "\n\nlast")
    with tf.Graph().as_default():
        alone = TEXTS[name](tf.data.TextLineDataset(str(tmp_path / "lines")))
        together = alone.padded_batch(6, alone.output_shapes)
        following = [d.make_initializable_iterator() for d in (alone, together)]
        nexts = [iterator.get_next() for iterator in following]
        with tf.Session() as session:
            session.run(tf.tables_initializer())
            for iterator in following:
                session.run(iterator.initializer)
            one_by_one, batches = [], []
            for found, get_next in zip((one_by_one, batches), nexts, strict=True):
                with pytest.raises(tf.errors.OutOfRangeError):
                    while True:
                        values = session.run(get_next)
                        found.append(values if isinstance(values, tuple) else (values,))
    for i, batch in enumerate(batches):
        group = one_by_one[6 * i : 6 * i + 6]
        for part, column in enumerate(batch):
            values = [element[part] for element in group]
            if np.ndim(values[0]):
                widest, empty = max(map(len, values)), b"" if column.dtype == object else 0
                values = [[*value.tolist(), *[empty] * (widest - len(value))] for value in values]
            assert np.asarray(column).tolist() == np.asarray(values, column.dtype).tolist()


def elements(session, dataset):
    """The elements of a dataset, and its error for those that fail."""
    following, found = dataset.make_one_shot_iterator().get_next(), []
    while True:
        try:
            found.append(session.run(following))
        except tf.errors.OutOfRangeError:
            return found
        except tf.errors.OpError as error:
            found.append(type(error))


def flat(values):
    if isinstance(values, tuple):
        return [leaf for part in values for leaf in flat(part)]
    return [np.asarray(values).tolist()]


@pytest.mark.parametrize("size", [1, 4, 100])
@pytest.mark.parametrize("name", PIPELINES)
def test_batches_have_the_elements(name, size, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        wanted = elements(session, PIPELINES[name](tmp_path))
        batches = elements(session, PIPELINES[name](tmp_path).batch(size))
    groups = [wanted[i : i + size] for i in range(0, len(wanted), size)]
    if "fail" in name or "other shapes" in name:  # a batch with an element that fails, fails
        groups = [group for group in groups if all(not isinstance(element, type) for element in group)]
        groups = [group for group in groups if len({str(np.shape(flat(element)[-1])) for element in group}) == 1]
        batches = [batch for batch in batches if not isinstance(batch, type)]
    assert [flat(batch) for batch in batches] == [
        [list(column) for column in zip(*map(flat, group), strict=True)] for group in groups
    ]


def test_a_batch_is_the_callers_own():
    data = np.arange(6.0)
    with tf.Graph().as_default(), tf.Session() as session:
        following = D.from_tensor_slices(tf.constant(data)).repeat().batch(6).make_one_shot_iterator().get_next()
        session.run(following)[:] = 7
        assert session.run(following).tolist() == data.tolist()


def test_what_was_taken_together_is_saved_one_by_one(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        iterator = D.range(50).shuffle(9, seed=2).batch(4).make_initializable_iterator()
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, tf.data.experimental.make_saveable_from_iterator(iterator))
        following, saver = iterator.get_next(), tf.train.Saver()
        session.run(iterator.initializer)
        session.run(following)
        saver.save(session, str(tmp_path / "place"))
        wanted = [session.run(following).tolist() for _ in range(8)]
        session.run(iterator.initializer)
        saver.restore(session, str(tmp_path / "place"))
        assert [session.run(following).tolist() for _ in range(8)] == wanted
