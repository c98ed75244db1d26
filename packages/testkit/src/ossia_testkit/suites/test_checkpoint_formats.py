"""Checkpoint formats: round trips, what is visible when, torn and hostile files, and what programs do with them.

The keys of a sample: `dtypes`, names of the dtypes that the format stores, all if they are left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ossia_testkit.op_table import limited_memory
from ossia_testkit.registered import Row

DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool",
          "complex64", "complex128", "string")
SHAPES = {"scalar": (), "vector": (5,), "empty": (0, 3), "cube": (2, 3, 4)}
NAMES = ("weights", "layer/weights", "layer/weights/Adam_1", "layer_1/weights:0", "ü/ß", "a" * 300)


def value(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a dtype with different elements."""
    import ossia as tf

    numbers = np.arange(int(np.prod(shape))).reshape(shape)
    if dtype == "string":
        texts = [b"", b"text", b"\x00\xff\x00", b"x" * 1000]
        return np.array([texts[n % 4] for n in numbers.ravel()], object).reshape(shape)
    return (numbers % 2 == 0) if dtype == "bool" else (numbers * 3 + 1).astype(tf.as_dtype(dtype).as_numpy_dtype)


def write(format: Any, prefix: str, tensors: dict[str, np.ndarray]) -> None:
    """Writes a checkpoint."""
    with format.writer(prefix) as writer:
        for name, array in tensors.items():
            writer.add(name, array)


def read(format: Any, prefix: str) -> dict[str, np.ndarray]:
    """All tensors of a checkpoint."""
    with format.reader(prefix) as reader:
        return {name: reader.read(name) for name in reader.names()}


def assert_same(got: dict[str, np.ndarray], expected: dict[str, np.ndarray]) -> None:
    """Both hold the same tensors."""
    assert list(got) == sorted(expected)
    for name, array in expected.items():
        assert (got[name].dtype, got[name].shape) == (array.dtype, array.shape), name
        np.testing.assert_array_equal(got[name], array, err_msg=name)


TENSORS = {"a": value("float32", (3, 4)), "b/c": value("int64", (2,)), "step": value("int32", ())}
OTHERS = {"a": -value("float32", (7,)), "d": value("float64", ())}


class TestCheckpointFormats:
    """The checks."""

    kind = "checkpoint-format"
    packages: tuple[str, ...] = ()

    @pytest.fixture
    def format(self, row: Row) -> Any:
        """The format."""
        return row.load()()

    @pytest.fixture
    def prefix(self, tmp_path: Path) -> Iterator[str]:
        """Where a checkpoint may be, in a folder with one of a similar name."""
        yield str(tmp_path / "model-1")

    @pytest.mark.parametrize("shape", SHAPES)
    @pytest.mark.parametrize("dtype", DTYPES)
    def test_round_trip(self, row, format, prefix, dtype, shape):
        """A tensor comes back to the bit, writable, and described by its entry; a dtype may be refused."""
        import ossia as tf

        array = value(dtype, SHAPES[shape])
        if dtype not in row.sample.get("dtypes", DTYPES):
            with pytest.raises(tf.errors.UnimplementedError):
                write(format, prefix, {"t": array})
            assert not format.matches(prefix)
            return
        write(format, prefix, {"t": array})
        with format.reader(prefix) as reader:
            entry = reader.entry("t")
            assert (entry.dtype.name, tuple(entry.shape)) == (dtype, array.shape)
            got, again = reader.read("t"), reader.read("t")
            assert got.flags.writeable and not np.shares_memory(got, again)
        assert_same({"t": got}, {"t": array})

    def test_names(self, format, prefix):
        """Tensors are known by any name, in ascending order."""
        tensors = {name: np.array([n], np.float32) for n, name in enumerate(NAMES)}
        write(format, prefix, tensors)
        assert_same(read(format, prefix), tensors)
        write(format, prefix + "-none", {})
        assert read(format, prefix + "-none") == {}

    def test_special_values(self, format, prefix):
        """NaN, infinities and zeros with a sign keep their bits."""
        array = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45], np.float32)
        strided = np.arange(24, dtype=np.float32).reshape(4, 6)[::2, ::-3]
        write(format, prefix, {"bits": array, "strided": strided})
        got = read(format, prefix)
        assert got["bits"].tobytes() == array.tobytes()
        np.testing.assert_array_equal(got["strided"], strided)

    def test_missing(self, format, prefix):
        """A checkpoint or tensor that is not there is not found, without a trace."""
        import ossia as tf

        assert not format.matches(prefix) and list(format.files(prefix)) == []
        with pytest.raises(tf.errors.NotFoundError):
            format.reader(prefix)
        write(format, prefix, TENSORS)
        with format.reader(prefix) as reader:
            for ask in (reader.read, reader.entry):
                with pytest.raises(tf.errors.NotFoundError):
                    ask("none")
        format.delete(prefix + "0")
        assert_same(read(format, prefix), TENSORS)

    def test_visible_when_finished(self, format, prefix):
        """Until a writer has finished, there is the old checkpoint, or none; then there is the new one."""
        for before, tensors in ((None, TENSORS), (TENSORS, OTHERS)):
            writer = format.writer(prefix)
            for name, array in tensors.items():
                writer.add(name, array)
            assert format.matches(prefix) == (before is not None)
            if before is not None:
                assert_same(read(format, prefix), before)
            writer.finish()
            assert_same(read(format, prefix), tensors)

    def test_abandoned(self, format, prefix, tmp_path):
        """A writer that is left with an error leaves what was there before, and nothing else."""
        for before in (None, TENSORS):
            if before is not None:
                write(format, prefix, before)
            files = sorted(path.name for path in tmp_path.iterdir())
            with pytest.raises(ZeroDivisionError), format.writer(prefix) as writer:
                writer.add("a", value("float32", (100, 100)))
                raise ZeroDivisionError
            assert sorted(path.name for path in tmp_path.iterdir()) == files
            if before is not None:
                assert_same(read(format, prefix), before)

    def test_same_name_twice(self, format, prefix):
        """A name is taken once."""
        import ossia as tf

        with pytest.raises(tf.errors.OpError), format.writer(prefix) as writer:
            writer.add("a", np.zeros(1))
            writer.add("a", np.ones(1))

    def test_files(self, format, prefix, tmp_path):
        """Files begin with the prefix and belong to one checkpoint alone; `delete` removes them all."""
        write(format, prefix, TENSORS)
        write(format, prefix + "0", OTHERS)
        files = list(format.files(prefix))
        assert files and len(set(files)) == len(files)
        assert all(path.startswith(prefix) and Path(path).is_file() for path in files)
        assert not set(files) & set(format.files(prefix + "0"))
        assert format.matches(prefix) and not format.matches(prefix[:-1])
        format.delete(prefix)
        assert not format.matches(prefix) and not any(Path(path).exists() for path in files)
        assert_same(read(format, prefix + "0"), OTHERS)
        format.delete(prefix + "0")
        assert list(tmp_path.iterdir()) == []

    def test_slices(self, format, prefix):
        """Parts of a tensor are stored as one, and a part is read by itself."""
        from ossia_checkpoint.slices import Slice

        whole = value("float32", (4, 3))
        with format.writer(prefix) as writer:
            for start in (2, 0):
                box = Slice(((start, 2), (0, -1)))
                writer.add_slice("t", (4, 3), box, whole[start : start + 2])
        with format.reader(prefix) as reader:
            np.testing.assert_array_equal(reader.read("t"), whole)
            np.testing.assert_array_equal(reader.read_slice("t", Slice(((1, 2), (0, 2)))), whole[1:3, 0:2])

    @pytest.mark.parametrize("part", range(8))
    def test_torn_files(self, row, format, prefix, part):
        """A file that ends too early is refused, or what it still has is right."""
        write(format, prefix, TENSORS)
        for path in map(Path, format.files(prefix)):
            data = path.read_bytes()
            ends = {len(data) * part // 8, max(0, len(data) - 1 - part)}
            for end in ends:
                path.write_bytes(data[:end])
                self.read_or_refuse(format, prefix, exact=True)
            path.write_bytes(data)
        assert_same(read(format, prefix), TENSORS)

    @pytest.mark.parametrize("seed", range(40))
    def test_hostile_files(self, row, format, prefix, seed):
        """A file with other bytes, or more of them, is read within bounds, or refused with an error of its class."""
        texts = seed % 2 and "string" in row.sample.get("dtypes", DTYPES)
        write(format, prefix, {**TENSORS, "text": value("string", (3,))} if texts else TENSORS)
        chance = random.Random(seed)
        for path in map(Path, format.files(prefix)):
            data = bytearray(path.read_bytes())
            for _ in range(chance.choice([1, 1, 4, 30])):
                if data:
                    data[min(chance.randrange(len(data)), chance.randrange(len(data)))] = chance.choice(
                        [0, 0xFF, 0x7F, 0x80, chance.randrange(256)]
                    )
            path.write_bytes(bytes(data) + (b"\xff" * 9 if seed % 5 == 0 else b""))
            self.read_or_refuse(format, prefix, exact=False)

    @staticmethod
    def read_or_refuse(format: Any, prefix: str, exact: bool) -> None:
        """All tensors are read, or there is an orderly error; `exact`: what is read is what was written."""
        import ossia as tf

        orderly = (tf.errors.DataLossError, tf.errors.OutOfRangeError, tf.errors.NotFoundError,
                   tf.errors.InvalidArgumentError, tf.errors.UnimplementedError, tf.errors.ResourceExhaustedError)
        with limited_memory():
            try:
                with format.reader(prefix) as reader:
                    for name in reader.names():
                        array, entry = reader.read(name), reader.entry(name)
                        assert array.shape == tuple(entry.shape)
                        if exact:
                            assert_same({name: array}, {name: TENSORS[name]})
            except orderly:
                pass

    def test_saver(self, row, prefix, tmp_path):
        """Programs save in the format by its name, and every reader finds out by itself."""
        import ossia as tf

        with tf.Graph().as_default(), tf.Session() as session:
            partitioner = tf.fixed_size_partitioner(2)
            plain = tf.get_variable("plain", initializer=TENSORS["a"])
            parts = tf.get_variable("parts", shape=[4, 2], partitioner=partitioner)
            saver = tf.train.Saver(write_version=row.name, max_to_keep=2)
            session.run(tf.global_variables_initializer())
            expected = session.run([plain, tf.convert_to_tensor(parts)])
            for step in range(3):
                saver.save(session, str(tmp_path / "saved"), global_step=step, write_meta_graph=False)
            last = str(tmp_path / "saved-2")
            assert tf.train.latest_checkpoint(str(tmp_path)) == last and tf.train.checkpoint_exists(last)
            assert not tf.train.checkpoint_exists(str(tmp_path / "saved-0")), "an old checkpoint was kept"
            session.run([tf.assign(plain, tf.zeros_like(plain)), *[tf.assign(p, tf.zeros_like(p)) for p in parts]])
            saver.restore(session, last)
            for got, wanted in zip(session.run([plain, tf.convert_to_tensor(parts)]), expected, strict=True):
                np.testing.assert_array_equal(got, wanted)
        assert dict(tf.train.list_variables(last)) == {"plain": [3, 4], "parts": [4, 2]}
        np.testing.assert_array_equal(tf.train.load_checkpoint(last).get_tensor("parts"), expected[1])
