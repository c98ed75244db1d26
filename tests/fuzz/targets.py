"""What reads bytes that somebody else wrote: from a file, or fed to an op. Each has seeds in `corpus/<name>/`."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import mutation
import numpy as np
from google.protobuf.message import DecodeError

import ossia as tf
from ossia_checkpoint.bundle import BundleWriter
from ossia_checkpoint.bundle_reader import BundleReader
from ossia_checkpoint.table import TableReader, TableWriter
from ossia_checkpoint.v1_slices import V1Reader
from ossia_io.records import framed

CORPUS = Path(__file__).parent / "corpus"
FILE_ERRORS = (
    tf.errors.DataLossError,
    tf.errors.InvalidArgumentError,
    tf.errors.NotFoundError,
    tf.errors.OutOfRangeError,
    tf.errors.ResourceExhaustedError,
    tf.errors.UnimplementedError,
)
IMPORT_ERRORS = (ValueError, TypeError, KeyError, *FILE_ERRORS)


class Target(NamedTuple):
    """A reader.

    read: Takes bytes and a folder to write into, and yields the values that it reads, one after the other.
    errors: What it may raise.
    exact: Whether checksums cover all that it yields: damaged bytes yield nothing that the seed does not.
    change: Makes other bytes of a seed's, by default any others.
    """

    read: Callable[[bytes, str], Any]
    errors: tuple[type[Exception], ...]
    exact: bool = False
    change: Callable[[bytes, random.Random], bytes] = mutation.mutated


def put(folder: str, name: str, data: bytes) -> str:
    """Writes a file; its path."""
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


def companion(folder: str, name: str) -> None:
    """A file beside the one that is changed."""
    put(folder, name, (CORPUS / "companions" / name).read_bytes())


def tensors(reader: Any) -> Any:
    for name in sorted(reader.names()):
        value = reader.read(name)
        yield name, value.dtype.str, value.shape, value.tolist() if value.dtype == object else value.tobytes()


def read_index(data: bytes, folder: str) -> Any:
    put(folder, "m.index", data)
    companion(folder, "m.data-00000-of-00001")
    with BundleReader(os.path.join(folder, "m")) as reader:
        yield from tensors(reader)


def read_data(data: bytes, folder: str) -> Any:
    companion(folder, "m.index")
    put(folder, "m.data-00000-of-00001", data)
    with BundleReader(os.path.join(folder, "m")) as reader:
        yield from tensors(reader)


def read_v1(data: bytes, folder: str) -> Any:
    with V1Reader([put(folder, "v1", data)]) as reader:
        yield from tensors(reader)


def changed_entries(seed: bytes, chance: random.Random) -> bytes:
    """The table with one value, or key, changed, and all checksums right."""
    with tempfile.TemporaryDirectory() as folder:
        with TableReader(put(folder, "table", seed)) as table:
            entries = dict(table.items())
        key = chance.choice(list(entries))
        value = entries.pop(key)
        if chance.random() < 0.8:
            value = mutation.mutated(value, chance)
        else:
            key = mutation.mutated(key, chance)
        entries[key] = value
        with open(os.path.join(folder, "changed"), "w+b") as stream:
            writer = TableWriter(stream, block_bytes=chance.choice((1, 100, 1 << 18)))
            for each in sorted(entries):
                writer.add(each, entries[each])
            writer.finish()
            stream.seek(0)
            return stream.read()


def read_events(data: bytes, folder: str) -> Any:
    for event in tf.train.summary_iterator(put(folder, "events", data)):
        yield event.SerializeToString(deterministic=True)


def changed_record(seed: bytes, chance: random.Random) -> bytes:
    """A file of records with one of them changed, and all checksums right."""
    with tempfile.TemporaryDirectory() as folder:
        records = list(tf.io.tf_record_iterator(put(folder, "records", seed)))
    at = chance.randrange(len(records))
    records[at] = mutation.mutated(records[at], chance)
    return b"".join(map(framed, records))


def read_records(kind: str, data: bytes, folder: str) -> Any:
    yield from tf.io.tf_record_iterator(put(folder, "records", data), kind and tf.io.TFRecordOptions(kind))


def read_graph(data: bytes, folder: str) -> Any:
    graph_def = tf.GraphDef.FromString(data)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
        yield graph.as_graph_def().SerializeToString(deterministic=True)


def read_meta(data: bytes, folder: str) -> Any:
    with tf.Graph().as_default():
        tf.train.import_meta_graph(put(folder, "m.meta", data))
        yield len(tf.get_default_graph().get_operations())


def read_saved_model(name: str, data: bytes, folder: str) -> Any:
    put(folder, name, data)
    os.mkdir(os.path.join(folder, "variables"))
    for part in ("index", "data-00000-of-00001"):
        companion(folder, f"variables/variables.{part}")
    with tf.Graph().as_default() as graph, tf.Session() as session:
        tf.saved_model.load(session, ["serve"], folder)
        yield len(graph.get_operations())


def read_objects(data: bytes, folder: str) -> Any:
    """A checkpoint of objects with another description of them."""
    prefix = os.path.join(folder, "m")
    writer = BundleWriter(prefix)
    writer.add("_CHECKPOINTABLE_OBJECT_GRAPH", np.array(data, object))
    for key in ("v", "v/.OPTIMIZER_SLOT/optimizer/momentum", "save_counter"):
        kind = np.int64 if key == "save_counter" else np.float32
        writer.add(f"{key}/.ATTRIBUTES/VARIABLE_VALUE", np.array(2, kind))
    writer.finish()
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
        optimizer.minimize(v * v, var_list=[v])
        root = tf.train.Checkpoint(v=v, optimizer=optimizer)
        status = root.restore(prefix)
        status.initialize_or_restore(session)
        yield session.run(v).tolist()
        status.assert_consumed()
        saver = tf.train.Saver([v])
        saver.restore(session, prefix)


def read_state(data: bytes, folder: str) -> Any:
    put(folder, "checkpoint", data)
    tf.train.latest_checkpoint(folder)
    state = tf.train.get_checkpoint_state(folder)
    yield state and state.SerializeToString()


@functools.cache
def parser(name: str) -> Callable[[bytes], Any]:
    """A session that runs one op on fed bytes."""
    with tf.Graph().as_default():
        data = tf.placeholder(tf.string, [])
        fetches = PARSERS[name](data)
        session = tf.Session()
    return session.make_callable(fetches, [data])


FEATURES = {
    "f": tf.FixedLenFeature([2], tf.float32, [0.0, 0.0]),
    "i": tf.VarLenFeature(tf.int64),
    "s": tf.FixedLenSequenceFeature([], tf.string, allow_missing=True),
    "p": tf.SparseFeature("i", "v", tf.float32, 50),
}
SEQUENCES = {"f": tf.FixedLenSequenceFeature([2], tf.float32), "s": tf.VarLenFeature(tf.string)}
PARSERS: dict[str, Callable[[Any], Any]] = {
    "example": lambda data: [tf.parse_example([data, data], FEATURES), tf.parse_single_example(data, FEATURES)],
    "sequence_example": lambda data: tf.parse_single_sequence_example(
        data, {key: FEATURES[key] for key in ("f", "i")}, SEQUENCES
    ),
    "csv": lambda data: tf.decode_csv([data], [[0.5], [1], tf.constant([2], tf.int64), ["text"]]),
    "tensor": lambda data: tf.parse_tensor(data, tf.float32),
    "json_example": tf.io.decode_json_example,
    "wav": lambda data: tf.audio.decode_wav(data),
    "jpeg": lambda data: [
        tf.image.decode_jpeg(data, 3), tf.image.decode_jpeg(data, ratio=2, try_recover_truncated=True),
        tf.image.extract_jpeg_shape(data),
    ],
    "png": lambda data: [tf.image.decode_png(data), tf.image.decode_png(data, 4, tf.uint16)],
    "gif": tf.image.decode_gif,
    "bmp": tf.image.decode_bmp,
    "any_image": tf.image.decode_image,
    "raw": lambda data: tf.decode_raw(data, tf.int32),
    "base64": tf.decode_base64,
    "compressed": lambda data: [tf.io.decode_compressed(data, kind) for kind in ("", "ZLIB", "GZIP")],
}


def read_fed(name: str, data: bytes, folder: str) -> Any:
    yield repr(parser(name)(data))


def warm(name: str) -> None:
    """Lets this process import what a target needs, so that its children need not; nothing is run."""
    if name in PARSERS:
        with tf.Graph().as_default():
            PARSERS[name](tf.placeholder(tf.string, []))
        tf.Session().close()
    elif not name.startswith("saved_model"):
        outcome(TARGETS[name], seeds(name)[-1])


def read_lite(data: bytes, folder: str) -> Any:
    interpreter = tf.lite.Interpreter(model_content=data)
    if sum(np.prod(detail["shape"], dtype=float) for detail in interpreter.get_tensor_details()) > 1 << 20:
        return  # it may well take long
    interpreter.allocate_tensors()
    interpreter.invoke()
    for detail in interpreter.get_output_details():
        yield repr(interpreter.get_tensor(detail["index"]))


# What runs after the import are the nodes of a graph that somebody else wrote.
SAVED_MODEL_ERRORS = (OSError, RuntimeError, tf.errors.FailedPreconditionError, *IMPORT_ERRORS)
FED_ERRORS = (tf.errors.InvalidArgumentError, tf.errors.DataLossError, tf.errors.ResourceExhaustedError)
TARGETS = {
    "bundle_index": Target(read_index, FILE_ERRORS, exact=True),
    "bundle_entries": Target(read_index, FILE_ERRORS, change=changed_entries),
    "bundle_data": Target(read_data, FILE_ERRORS, exact=True),
    "v1": Target(read_v1, FILE_ERRORS, exact=True),
    "v1_entries": Target(read_v1, FILE_ERRORS, change=changed_entries),
    "events": Target(read_events, FILE_ERRORS, exact=True),
    "event_records": Target(read_events, FILE_ERRORS, change=changed_record),
    "records": Target(functools.partial(read_records, ""), FILE_ERRORS, exact=True),
    "records_gzip": Target(functools.partial(read_records, "GZIP"), FILE_ERRORS, exact=True),
    "records_zlib": Target(functools.partial(read_records, "ZLIB"), FILE_ERRORS, exact=True),
    "graph_def": Target(read_graph, (DecodeError, *IMPORT_ERRORS)),
    "meta_graph": Target(read_meta, (OSError, *IMPORT_ERRORS)),
    "meta_graph_text": Target(read_meta, (OSError, *IMPORT_ERRORS)),
    "saved_model": Target(functools.partial(read_saved_model, "saved_model.pb"), SAVED_MODEL_ERRORS),
    "saved_model_text": Target(functools.partial(read_saved_model, "saved_model.pbtxt"), SAVED_MODEL_ERRORS),
    "object_graph": Target(read_objects, (AssertionError, tf.errors.FailedPreconditionError, *FILE_ERRORS)),
    "checkpoint_state": Target(read_state, (ValueError,)),
    "lite": Target(read_lite, (ValueError, RuntimeError, NotImplementedError)),
    **{name: Target(functools.partial(read_fed, name), FED_ERRORS) for name in PARSERS},
}


def inputs(name: str) -> list[Path]:
    """The committed inputs of a target."""
    return sorted((CORPUS / name).iterdir())


@functools.cache
def seeds(name: str) -> list[bytes]:
    """What is in them."""
    return [path.read_bytes() for path in inputs(name)]


def outcome(target: Target, data: bytes) -> tuple[list, Exception | None]:
    """What a target yields, and what it raised that it may raise."""
    got: list = []
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        try:
            with contextlib.closing(target.read(data, folder)) as values, np.errstate(all="ignore"):
                got.extend(values)
        except target.errors as error:
            return got, error
    return got, None


def check(name: str, data: bytes, seed: bytes | None = None) -> None:
    """Reads `data`, which came of `seed`; raises what a reader of the target may not raise."""
    target = TARGETS[name]
    got, _ = outcome(target, data)
    if target.exact and seed is not None:
        wanted = expected(name, seed)
        wrong = [each for each in got if each not in wanted]
        assert not wrong, f"{name}: a wrong value was read: {repr(wrong)[:500]}"


@functools.cache
def expected(name: str, seed: bytes) -> list:
    return outcome(TARGETS[name], seed)[0]
