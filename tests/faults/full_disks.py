"""`python full_disks.py`: every writer on a disk that is full after some bytes.

The limit is one of file sizes (EFBIG); that of a disk (ENOSPC) and of a user (EDQUOT) take the same way. Whatever the
limit, a writer succeeds or raises ResourceExhaustedError with the path, leaves nothing unfinished behind and what was
there before whole, and writes again when there is room.
"""

import json
import logging
import os
import resource
import sys
import tempfile
from collections.abc import Callable

import numpy as np

import ossia as tf

LIMITS = (0, 1, 100, 1000, 10_000, 60_000)
LARGE = b"x" * 100_000
tf.get_variable("a", initializer=np.ones(3000, np.float32))
with tf.device("/cpu:1"):
    tf.get_variable("b", initializer=np.ones(3000, np.float32))
SESSION = tf.Session(config=tf.ConfigProto(device_count={"CPU": 2}, allow_soft_placement=True))
SESSION.run(tf.global_variables_initializer())
SAVERS = {
    "": tf.train.Saver(),
    "sharded ": tf.train.Saver(sharded=True),
    "V1 ": tf.train.Saver(write_version=tf.train.SaverDef.V1),
}
FILE, CONTENT = tf.placeholder(tf.string, []), tf.placeholder(tf.string, [])
WRITE = tf.write_file(FILE, CONTENT)


def saving(saver: tf.train.Saver, **options: object) -> Callable[[str], None]:
    return lambda folder: saver.save(SESSION, os.path.join(folder, "m"), **options)


def events(folder: str) -> None:
    writer = tf.summary.FileWriter(folder)
    try:
        writer.add_summary(tf.Summary(value=[tf.Summary.Value(tag="t" * 70_000, simple_value=1.0)]), 1)
        writer.flush()
    finally:
        writer.close()


def records(kind: str) -> Callable[[str], None]:
    def write(folder: str) -> None:
        with tf.io.TFRecordWriter(os.path.join(folder, "records"), kind) as writer:
            for _ in range(3):
                writer.write(os.urandom(30_000))
            writer.flush()

    return write


def gfile(mode: str) -> Callable[[str], None]:
    def write(folder: str) -> None:
        with tf.io.gfile.GFile(os.path.join(folder, "file"), mode) as file:
            file.write(LARGE)

    return write


def copied(folder: str) -> None:
    tf.io.gfile.copy(SOURCE, os.path.join(folder, "copy"), overwrite=True)


def graph(as_text: bool) -> Callable[[str], None]:
    return lambda folder: tf.io.write_graph(tf.get_default_graph(), folder, "graph", as_text)


def state(folder: str) -> None:
    tf.train.update_checkpoint_state(folder, os.path.join(folder, "m"), [f"{folder}/{'m' * 200}{i}" for i in range(99)])


WRITERS: dict[str, Callable[[str], object]] = {
    **{f"{kind}checkpoint": saving(saver, write_meta_graph=False) for kind, saver in SAVERS.items()},
    "checkpoint with meta graph": saving(SAVERS[""]),
    "meta graph": lambda folder: tf.train.export_meta_graph(f"{folder}/m.meta"),
    "text meta graph": lambda folder: tf.train.export_meta_graph(f"{folder}/m.meta", as_text=True),
    "graph": graph(False),
    "text graph": graph(True),
    "checkpoint state": state,
    "events": events,
    **{f"{kind or 'plain'} records": records(kind) for kind in ("", "GZIP", "ZLIB")},
    **{f"gfile {mode}": gfile(mode) for mode in ("w", "wb", "a", "w+")},
    "copied file": copied,
    "WriteFile": lambda folder: SESSION.run(WRITE, {FILE: f"{folder}/file", CONTENT: LARGE}),
}
SOURCE = os.path.join(tempfile.mkdtemp(), "source")


def outcome(write: Callable[[str], object], folder: str, limit: int) -> str:
    """What comes of a writer where files may have so many bytes; empty for success."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        write(folder)
    except tf.errors.ResourceExhaustedError as error:
        assert error.message.startswith(folder + "/"), f"no path: {error.message[:300]}"
        return "refused"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    return "written"


def main() -> None:
    logging.disable()
    with open(SOURCE, "wb") as file:
        file.write(LARGE)
    for name, write in WRITERS.items():
        found = []
        for limit in LIMITS:
            with tempfile.TemporaryDirectory() as folder:
                found.append(outcome(write, folder, limit))
                left = [each for each in os.listdir(folder) if "tmp" in each or "_temp_" in each]
                assert not left, f"{name}: {left} is left behind"
                write(folder)
        assert found[0] == "refused", f"{name}: {found}"
        print(json.dumps({"writer": name, "found": found}), flush=True)
    assert saved_again()


def saved_again() -> bool:
    """A checkpoint is whole after a save in its place that failed."""
    for saver in SAVERS.values():
        with tempfile.TemporaryDirectory() as folder:
            prefix = saver.save(SESSION, os.path.join(folder, "m"))
            for limit in LIMITS[:-1]:
                assert outcome(saving(saver), folder, limit) == "refused"
                reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder) or prefix)
                assert (reader.get_tensor("a") == 1).all() and (reader.get_tensor("b") == 1).all()
    return True


if __name__ == "__main__":
    sys.exit(main())
