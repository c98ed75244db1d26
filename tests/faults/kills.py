"""`python kills.py [KIND...] --count N [--seed N]`: processes killed at a random moment of every kind of save.

A child saves numbers that count up, and acknowledges each when its save has returned. After the kill a reader must
find the last acknowledged number, or the next, whole; and what the dead leave behind must not grow.
"""

import argparse
import contextlib
import importlib
import json
import logging
import os
import random
import re
import shutil
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

import estimators
import numpy as np

import ossia as tf
from ossia_checkpoint.meta_graph import read_meta_graph

SIZE = 20_000  # elements of the model: a save is some hundreds of kilobytes
LEFT_BYTES = 12 * SIZE * 8  # that unfinished saves may leave: those of one process
UNFINISHED = re.compile(r"\.tmp-ossia-|_temp_[0-9a-f]{32}|\.bak$")
Save = Callable[[int], None]


def model(folder: str, **options: object) -> Iterator[Save]:
    """A saver of four variables, on two devices, that all hold the number."""
    steps = options.pop("steps", True)
    text = options.pop("text", False)
    with tf.Graph().as_default():
        variables = []
        for i in range(4):
            with tf.device(f"/cpu:{i % 2}"):
                variables.append(tf.get_variable(f"v{i}", [SIZE // 4], tf.int64, tf.zeros_initializer()))
        number = tf.placeholder(tf.int64, [])
        update = tf.group(*[tf.assign(each, tf.fill([SIZE // 4], number)) for each in variables])
        saver = tf.train.Saver(**options)
        with tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True)) as session:

            def save(value: int) -> None:
                session.run(update, {number: value})
                saver.save(session, os.path.join(folder, "m"), value if steps else None, write_meta_graph=not text)
                if text:
                    saver.export_meta_graph(os.path.join(folder, "m.meta"), as_text=True)

            yield save


def restored(folder: str) -> int | None:
    """The number in the newest checkpoint."""
    prefix = tf.train.latest_checkpoint(folder)
    if prefix is None:
        return None
    reader = tf.train.load_checkpoint(prefix)
    found = {int(value) for name in reader.get_variable_to_shape_map() for value in np.unique(reader.get_tensor(name))}
    assert len(found) == 1 and len(reader.get_variable_to_shape_map()) == 4, found
    for name in os.listdir(folder):
        if name.endswith(".meta"):
            assert read_meta_graph(os.path.join(folder, name)).graph_def.node
    return found.pop()


def events(folder: str) -> Iterator[Save]:
    writer = tf.summary.FileWriter(folder)

    def save(value: int) -> None:
        for _ in range(20):
            writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="t" * 200, simple_value=value)]), value)
        writer.flush()

    yield save


def newest_event(folder: str) -> int | None:
    def steps(path: str) -> Iterator[int]:
        for event in tf.train.summary_iterator(path):
            assert event.WhichOneof("what") == "file_version" or event.summary.value[0].simple_value == event.step
            yield event.step

    return newest(folder, steps)


def newest(folder: str, numbers: Callable[[str], Iterator[int]]) -> int | None:
    """The largest number in the files of a folder, which may be torn at their ends; those without it are removed."""
    found: dict[str, int] = {}
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        found[path] = 0
        try:
            for number in numbers(path):
                found[path] = max(found[path], number)
        except tf.errors.DataLossError as error:
            assert "truncated" in error.message, error
    last = max(found.values(), default=0)
    for path, number in found.items():
        if number < last:
            os.unlink(path)
    return last or None


def records(folder: str) -> Iterator[Save]:
    with tf.io.TFRecordWriter(os.path.join(folder, f"{time.monotonic_ns()}")) as writer:

        def save(value: int) -> None:
            for _ in range(20):
                writer.write(struct.pack("<q", value) * 100)
            writer.flush()

        yield save


def newest_record(folder: str) -> int | None:
    def values(path: str) -> Iterator[int]:
        for record in tf.io.tf_record_iterator(path):
            assert len(set(struct.unpack("<100q", record))) == 1
            yield struct.unpack("<q", record[:8])[0]

    return newest(folder, values)


def graphs(folder: str) -> Iterator[Save]:
    def save(value: int) -> None:
        node = [tf.NodeDef(name=f"n{value}", op="NoOp") for _ in range(300)]
        tf.io.write_graph(tf.GraphDef(node=node), folder, "graph.pb", as_text=False)

    yield save


def written_graph(folder: str) -> int | None:
    path = os.path.join(folder, "graph.pb")
    if not os.path.exists(path):
        return None
    with tf.io.gfile.GFile(path, "rb") as file:
        (name,) = {node.name for node in tf.GraphDef.FromString(file.read()).node}
    return int(name[1:])


def objects(folder: str) -> Iterator[Save]:
    """A manager of checkpoints of objects that all hold the number."""
    with tf.Graph().as_default(), tf.Session() as session:
        made = [tf.Variable(tf.zeros([SIZE // 4], tf.int64), use_resource=True) for _ in range(4)]
        number = tf.placeholder(tf.int64, [])
        update = tf.group(*[tf.assign(each, tf.fill([SIZE // 4], number)) for each in made])
        root = tf.train.Checkpoint(**{f"v{i}": each for i, each in enumerate(made)})
        manager = tf.train.CheckpointManager(root, folder, 2)
        root.restore(manager.latest_checkpoint).initialize_or_restore(session)

        def save(value: int) -> None:
            session.run(update, {number: value})
            manager.save(value)

        yield save


def restored_objects(folder: str) -> int | None:
    """The number in the newest checkpoint of objects."""
    prefix = tf.train.latest_checkpoint(folder)
    if prefix is None:
        return None
    reader = tf.train.load_checkpoint(prefix)
    names = [name for name in reader.get_variable_to_shape_map() if name.startswith("v")]
    found = {int(value) for name in names for value in np.unique(reader.get_tensor(name))}
    assert len(found) == 1 and len(names) == 4, found
    return found.pop()


def saved_models(folder: str) -> Iterator[Save]:
    """SavedModels of a variable that holds the number, each in a folder of its own."""
    with tf.Graph().as_default(), tf.Session() as session:
        held = tf.get_variable("v", [SIZE], tf.int64)
        number = tf.placeholder(tf.int64, [])
        update = tf.assign(held, tf.fill([SIZE], number))
        total = tf.reduce_sum(held)

        def save(value: int) -> None:
            session.run(update, {number: value})
            path = os.path.join(folder, str(value))
            shutil.rmtree(path, ignore_errors=True)  # of one who was killed
            tf.saved_model.simple_save(session, path, {"n": number}, {"total": total})
            shutil.rmtree(os.path.join(folder, str(value - 1)), ignore_errors=True)

        yield save


def loaded_model(folder: str) -> int | None:
    """The number in the newest SavedModel."""
    whole = [name for name in os.listdir(folder) if tf.saved_model.contains_saved_model(os.path.join(folder, name))]
    if not whole:
        return None
    value = max(map(int, whole))
    with tf.Graph().as_default(), tf.Session() as session:
        meta_graph = tf.saved_model.load(session, ["serve"], os.path.join(folder, str(value)))
        total = session.run(meta_graph.signature_def["serving_default"].outputs["total"].name)
    assert total == value * SIZE, (total, value)
    return value


V1 = tf.train.SaverDef.V1
KINDS: dict[str, tuple[Callable[[str], Iterator[Save]], Callable[[str], int | None]]] = {
    "steps": (lambda folder: model(folder), restored),
    "one name": (lambda folder: model(folder, steps=False), restored),
    "rotating": (lambda folder: model(folder, max_to_keep=1, save_relative_paths=True), restored),
    "sharded": (lambda folder: model(folder, sharded=True), restored),
    "sharded, one name": (lambda folder: model(folder, sharded=True, steps=False), restored),
    "V1": (lambda folder: model(folder, write_version=V1), restored),
    "V1, one name": (lambda folder: model(folder, write_version=V1, steps=False), restored),
    "V1, sharded": (lambda folder: model(folder, write_version=V1, sharded=True), restored),
    "text meta graph": (lambda folder: model(folder, text=True), restored),
    "objects": (objects, restored_objects),
    "SavedModels": (saved_models, loaded_model),
    "events": (events, newest_event),
    "records": (records, newest_record),
    "graphs": (graphs, written_graph),
    "training": (estimators.training, estimators.trained),
    "exports": (estimators.exports, estimators.exported),
}


def child(kind: str, folder: str, first: int, count: int, pipe: int) -> None:
    """Saves numbers from `first` on, and tells each in the pipe."""
    status = 1
    try:
        saves = KINDS[kind][0](folder)  # kept: its end would end the session
        save = next(saves)
        os.write(pipe, struct.pack("<q", 0))
        for value in range(first, first + count):
            save(value)
            os.write(pipe, struct.pack("<q", value))
        saves.close()
        status = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def started(kind: str, folder: str, first: int, count: int) -> tuple[int, int]:
    """A child, and the pipe from which its numbers come; it is ready to save."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        os.close(reading)
        child(kind, folder, first, count, writing)
    os.close(writing)
    assert os.read(reading, 8) == bytes(8), f"{kind}: a child failed"
    return number, reading


def told(pipe: int) -> list[int]:
    """The numbers that are in the pipe, to its end."""
    with os.fdopen(pipe, "rb") as stream:
        content = stream.read()
    return [each for (each,) in struct.iter_unpack("<q", content[: len(content) // 8 * 8])]


def left(folder: str) -> dict[str, int]:
    """What is unfinished in a folder, with its bytes."""
    found = {}
    for parent, folders, names in os.walk(folder):
        for name in folders + names:
            path = os.path.join(parent, name)
            if UNFINISHED.search(os.path.relpath(path, folder)):
                found[os.path.relpath(path, folder)] = os.path.getsize(path) if os.path.isfile(path) else 0
    return found


def kills(kind: str, count: int, chance: random.Random) -> int:
    """Kills so many processes; how many numbers were saved."""
    read = KINDS[kind][1]
    folder = tempfile.mkdtemp()
    try:
        begin = time.monotonic()
        number, pipe = started(kind, folder, 1, 3)
        last = told(pipe)[-1]
        os.waitpid(number, 0)
        seconds = (time.monotonic() - begin) / 2
        assert last == 3 and read(folder) == 3, f"{kind}: {last}, {read(folder)}"
        for _ in range(count):
            number, pipe = started(kind, folder, last + 1, 10**9)
            time.sleep(seconds * chance.uniform(0.0, 2.0))
            os.kill(number, signal.SIGKILL)
            os.waitpid(number, 0)
            acknowledged = max([last, *told(pipe)])
            found = read(folder)
            assert found in (acknowledged, acknowledged + 1), f"{kind}: {acknowledged} was saved, {found} is there"
            assert sum(left(folder).values()) <= LEFT_BYTES, f"{kind}: left behind: {left(folder)}"
            last = found
        number, pipe = started(kind, folder, last + 1, 1)
        assert told(pipe) == [last + 1], f"{kind}: no save after the last kill"
        os.waitpid(number, 0)
        # A checkpoint that was being replaced keeps its old files until it is replaced or removed.
        assert not [name for name in left(folder) if not name.endswith(".bak")], f"{kind}: {left(folder)}"
        return last
    finally:
        shutil.rmtree(folder)


def warm() -> None:
    """Imports what a child has imported after a save, so that the others need not; nothing is run here."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        with tempfile.TemporaryDirectory() as folder:
            saves = model(folder, sharded=True)
            next(saves)(1)
            names = [name for name in sys.modules if name.startswith(("ossia", "google.protobuf", "numpy"))]
            os.write(writing, json.dumps(names).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        names = json.loads(stream.read())
    os.wait()
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--count", type=int, default=5, help="kills of each kind")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options = parser.parse_args()
    logging.disable()
    print("seed", options.seed)
    warm()
    for kind in options.kinds or KINDS:
        begin = time.monotonic()
        saved = kills(kind, options.count, random.Random(f"{options.seed} {kind}"))
        took = round(time.monotonic() - begin, 2)
        print(json.dumps({"kind": kind, "kills": options.count, "saved": saved, "seconds": took}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
