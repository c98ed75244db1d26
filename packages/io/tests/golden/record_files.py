"""Writes the TFRecord files of `files/` with TensorFlow 1.15.5; run by hand: `python record_files.py`."""

import pathlib

import tensorflow as tf

HERE = pathlib.Path(__file__).resolve().parent / "files"
RECORDS = [b"", b"a", b"\x00\xff" * 100, bytes(range(256)) * 8]

for name, kind in (("plain", ""), ("zlib", "ZLIB"), ("gzip", "GZIP")):
    with tf.io.TFRecordWriter(str(HERE / (name + ".tfrecord")), tf.io.TFRecordOptions(kind)) as writer:
        for record in RECORDS:
            writer.write(record)
