"""What readers give for files of all kinds."""

import gzip
import os
import sys
import zlib

import pytest

import ossia as tf

LETTERS = bytes(range(65, 85))


def tf_record_options(kind):
    kinds = tf.python_io.TFRecordCompressionType
    return tf.python_io.TFRecordOptions(getattr(kinds, kind)) if kind else None


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("files")
    (path / "lines.txt").write_bytes(b"h1\nl1\nl2\r\n\nl5")
    (path / "more.txt").write_bytes(b"h\nx\n")
    (path / "empty.txt").write_bytes(b"")
    (path / "pieces").write_bytes(b"HH" + LETTERS + b"F")
    (path / "pieces.gz").write_bytes(gzip.compress(b"HH" + LETTERS[:10]))
    (path / "pieces.z").write_bytes(zlib.compress(b"HH" + LETTERS[:10]))
    for kind in ("", "GZIP", "ZLIB"):
        with tf.python_io.TFRecordWriter(os.fspath(path / f"records{kind}"), tf_record_options(kind)) as writer:
            for i in range(3):
                writer.write(b"rec%d" % i)
    (path / "torn").write_bytes((path / "records").read_bytes()[:-3])
    return path


class Reading:
    """A reader over some files, in a graph and session of its own; `next()` gives a record with the folder left out."""

    def __init__(self, make, folder, *names, at_once=None):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.queue = tf.FIFOQueue(20, tf.string, shapes=[[]])
            self.reader = make()
            self._next = (
                self.reader.read(self.queue) if at_once is None else self.reader.read_up_to(self.queue, at_once)
            )
            self._counts = [self.reader.num_records_produced(), self.reader.num_work_units_completed()]
            put, close = self.queue.enqueue_many([[os.fspath(folder / name) for name in names]]), self.queue.close()
        self.session = tf.Session(graph=self.graph)
        self.session.run(put)
        self.session.run(close)
        self._many, self._folder = at_once is not None, os.fsencode(folder) + b"/"

    def next(self):
        keys, values = self.session.run(self._next)
        if not self._many:
            return keys.removeprefix(self._folder), values
        return [key.removeprefix(self._folder) for key in keys.tolist()], values.tolist()

    def rest(self):
        found = []
        while True:
            try:
                found.append(self.next())
            except tf.errors.OutOfRangeError:
                return found

    def counts(self):
        return [int(count) for count in self.session.run(self._counts)]


def numbered(name, *values, start=0):
    return [(b"%s:%d" % (name, i), value) for i, value in enumerate(values, start)]


READERS = {
    "lines": (
        lambda: tf.TextLineReader(),
        ["lines.txt", "empty.txt", "more.txt"],
        numbered(b"lines.txt", b"h1", b"l1", b"l2", b"", b"l5", start=1) + numbered(b"more.txt", b"h", b"x", start=1),
    ),
    "lines below headers": (
        lambda: tf.TextLineReader(skip_header_lines=1),
        ["lines.txt", "more.txt"],
        numbered(b"lines.txt", b"l1", b"l2", b"", b"l5", start=2) + numbered(b"more.txt", b"x", start=2),
    ),
    "whole files": (
        lambda: tf.WholeFileReader(),
        ["more.txt", "empty.txt"],
        [(b"more.txt", b"h\nx\n"), (b"empty.txt", b"")],
    ),
    "pieces": (
        lambda: tf.FixedLengthRecordReader(4, 2, 1),
        ["pieces"],
        numbered(b"pieces", b"ABCD", b"EFGH", b"IJKL", b"MNOP", b"QRST"),
    ),
    "pieces that overlap": (
        lambda: tf.FixedLengthRecordReader(4, 2, 1, hop_bytes=3),
        ["pieces"],
        numbered(b"pieces", b"ABCD", b"DEFG", b"GHIJ", b"JKLM", b"MNOP", b"PQRS"),
    ),
    "pieces with a rest": (
        lambda: tf.FixedLengthRecordReader(9),
        ["pieces"],
        numbered(b"pieces", b"HHABCDEFG", b"HIJKLMNOP"),
    ),
    "gzip pieces": (
        lambda: tf.FixedLengthRecordReader(5, 2, encoding="GZIP"),
        ["pieces.gz"],
        numbered(b"pieces.gz", b"ABCDE", b"FGHIJ"),
    ),
    "zlib pieces": (
        lambda: tf.FixedLengthRecordReader(5, 2, encoding="ZLIB"),
        ["pieces.z"],
        numbered(b"pieces.z", b"ABCDE", b"FGHIJ"),
    ),
    **{
        f"{kind or 'plain'} records": (
            lambda kind=kind: tf.TFRecordReader(options=tf_record_options(kind)),
            [f"records{kind}"],
            [(b"records%s:%d" % (kind.encode(), 20 * i), b"rec%d" % i) for i in range(3)],
        )
        for kind in ("", "GZIP", "ZLIB")
    },
}


@pytest.mark.parametrize("case", READERS)
def test_records(folder, case):
    make, names, expected = READERS[case]
    reading = Reading(make, folder, *names)
    assert reading.rest() == expected
    assert reading.counts() == [len(expected), len(names)]


def test_read_up_to_stays_within_a_file(folder):
    reading = Reading(tf.TextLineReader, folder, "lines.txt", "more.txt", at_once=3)
    assert [len(keys) for keys, _ in reading.rest()] == [3, 2, 2]
    assert Reading(tf.IdentityReader, folder, "a", "b", at_once=5).next() == ([b"a"], [os.fsencode(folder / "a")])


def test_damage(folder):
    reading = Reading(tf.TFRecordReader, folder, "torn")
    assert [reading.next()[1] for _ in range(2)] == [b"rec0", b"rec1"]
    with pytest.raises(tf.errors.DataLossError, match="truncated record at 40"):
        reading.next()
    for make in (tf.TFRecordReader, tf.WholeFileReader, tf.TextLineReader):
        with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
            Reading(make, folder, "nothing").next()


def test_reset_and_state(folder):
    reading = Reading(tf.TextLineReader, folder, "lines.txt", "more.txt")
    reading.next()
    with reading.graph.as_default():
        reset, state = reading.reader.reset(), reading.reader.serialize_state()
        restore = reading.reader.restore_state("x")
    reading.session.run(reset)
    assert reading.counts() == [0, 0] and reading.next() == (b"more.txt:1", b"h")
    for op in (state, restore):
        with pytest.raises(tf.errors.UnimplementedError):
            reading.session.run(op)
    identity = Reading(tf.IdentityReader, folder, "a")
    with identity.graph.as_default():
        for junk in (b"abc", b"\x08", b"\x10\x01", b"\x22\x7fshort", b"\x08" + b"\xff" * 20):
            with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse state"):
                identity.session.run(identity.reader.restore_state(junk))


@pytest.mark.parametrize(
    ("arguments", "match"),
    [((0,), "record_bytes"), ((2, -1), "header_bytes"), ((2, 0, -1), "footer_bytes"), ((2, 0, 0, -1), "hop_bytes")],
)
def test_sizes_that_are_refused(folder, arguments, match):
    with pytest.raises(tf.errors.InvalidArgumentError, match=match):
        Reading(lambda: tf.FixedLengthRecordReader(*arguments), folder, "pieces").next()


def test_queues_that_are_refused():
    with tf.Graph().as_default(), tf.Session() as session:
        reader = tf.IdentityReader()
        for types, element, match in [
            ([tf.string, tf.int32], ["a", 1], "single component"),
            ([tf.string], [["a", "b"]], "one-element"),
            ([tf.int32], [1], "string"),
        ]:
            queue = tf.FIFOQueue(3, types)
            session.run(queue.enqueue(element))
            with pytest.raises(tf.errors.InvalidArgumentError, match=match):
                session.run(reader.read(queue))


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def lmdb_records(path):
    """The entries that the reader gives of a database, in the graph that is current."""
    names = tf.FIFOQueue(2, [tf.string], shapes=[[]])
    reader = tf.LMDBReader()
    key, value = reader.read(names)
    with tf.Session() as session:
        session.run(names.enqueue(str(path)))
        session.run(names.close())
        found = []
        with pytest.raises(tf.errors.OutOfRangeError):
            while True:
                found.append(tuple(session.run([key, value])))
        assert session.run(reader.num_records_produced()) == len(found)
        return found


def test_entries_of_lmdb_databases(tmp_path, graph):
    lmdb = pytest.importorskip("lmdb")
    for path, subdir in ((tmp_path / "folder", True), (tmp_path / "one.mdb", False)):
        with lmdb.open(str(path), subdir=subdir) as database, database.begin(write=True) as transaction:
            for i in (2, 0, 1):
                transaction.put(b"key%d" % i, b"v" * i)
    wanted = [(b"key0", b""), (b"key1", b"v"), (b"key2", b"vv")]
    for name in ("folder", "folder/data.mdb", "one.mdb"):
        assert lmdb_records(tmp_path / name) == wanted


def test_what_is_no_lmdb_database_is_refused(tmp_path, graph):
    pytest.importorskip("lmdb")
    (tmp_path / "text").write_bytes(b"no database" * 1000)
    for name in ("text", "absent"):
        with pytest.raises(tf.errors.FailedPreconditionError, match=name):
            lmdb_records(tmp_path / name)


def test_lmdb_is_said_to_be_missing(tmp_path, graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "lmdb", None)
    with pytest.raises(tf.errors.UnimplementedError, match=r"ossia-queues\[lmdb\]"):
        lmdb_records(tmp_path)


@pytest.mark.parametrize("kind", [tf.IdentityReader, tf.WholeFileReader])
def test_the_state_names_no_work_once_the_queue_has_no_more(kind, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"content")
    with tf.Graph().as_default(), tf.Session() as session:
        reader, queue = kind(), tf.FIFOQueue(3, [tf.string], shapes=[()])
        read, state = reader.read(queue), reader.serialize_state()
        session.run(queue.enqueue(str(path)))
        session.run(queue.close())
        session.run(read)
        assert session.run(state) == b"\x08\x01\x10\x01\x18\x01\x22" + bytes([len(str(path))]) + str(path).encode()
        with pytest.raises(tf.errors.OutOfRangeError):
            session.run(read)
        assert session.run(state) == b"\x08\x01\x10\x01\x18\x01"
