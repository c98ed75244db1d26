"""Writes the seeds in `corpus/`: small files of every format that is read. What was found to break a reader is beside
them and is not made here."""

import io
import logging
import os
import tempfile
from typing import Any

import numpy as np
from targets import CORPUS

import ossia as tf
from ossia_checkpoint.saved_model.loader import parse_saved_model


def put(target: str, name: str, data: bytes) -> None:
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def taken(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def checkpoints(folder: str) -> None:
    with tf.Graph().as_default() as graph:
        tf.get_variable("a", initializer=np.arange(6, dtype=np.float32).reshape(2, 3))
        tf.get_variable("text", initializer=tf.constant([b"one", b"", b"three"]))
        tf.get_variable("parts", [4], tf.int64, tf.ones_initializer(), partitioner=tf.fixed_size_partitioner(2))
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            prefix = tf.train.Saver().save(session, os.path.join(folder, "m"))
            tf.train.Saver(write_version=tf.train.SaverDef.V1).save(session, os.path.join(folder, "v1"))
        meta = tf.train.export_meta_graph(graph=graph)
    put("companions", "m.index", taken(prefix + ".index"))
    put("companions", "m.data-00000-of-00001", taken(prefix + ".data-00000-of-00001"))
    put("bundle_index", "seed", taken(prefix + ".index"))
    put("bundle_entries", "seed", taken(prefix + ".index"))
    put("bundle_data", "seed", taken(prefix + ".data-00000-of-00001"))
    put("v1", "seed", taken(os.path.join(folder, "v1")))
    put("v1_entries", "seed", taken(os.path.join(folder, "v1")))
    put("checkpoint_state", "seed", b'model_checkpoint_path: "m"\nall_model_checkpoint_paths: "m"\n')
    meta.meta_info_def.ClearField("stripped_op_list")
    put("meta_graph", "seed", meta.SerializeToString(deterministic=True))
    with tf.Graph().as_default():
        tf.get_variable("a", [2, 3], initializer=tf.zeros_initializer())
        tf.train.Saver()
        meta = tf.train.export_meta_graph()
    meta.meta_info_def.ClearField("stripped_op_list")
    put("meta_graph_text", "seed", str(meta).encode())


def objects(folder: str) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(1.0, use_resource=True)
        optimizer = tf.train.MomentumOptimizer(0.5, 0.5)
        optimizer.minimize(v * v, var_list=[v])
        session.run(tf.global_variables_initializer())
        prefix = tf.train.Checkpoint(v=v, optimizer=optimizer).save(os.path.join(folder, "objects"), session)
    put("object_graph", "seed", tf.train.load_checkpoint(prefix).get_tensor("_CHECKPOINTABLE_OBJECT_GRAPH"))


def saved_model(folder: str) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        a = tf.get_variable("a", [2], initializer=tf.ones_initializer())
        session.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(session, os.path.join(folder, "saved"), {"x": x}, {"y": x * a})
    model = parse_saved_model(os.path.join(folder, "saved"))
    for meta in model.meta_graphs:
        meta.meta_info_def.ClearField("stripped_op_list")
    put("saved_model", "seed", model.SerializeToString(deterministic=True))
    put("saved_model_text", "seed", str(model).encode())
    for part in ("index", "data-00000-of-00001"):
        name = f"variables/variables.{part}"
        put("companions/variables", f"variables.{part}", taken(os.path.join(folder, "saved", name)))


def graph() -> bytes:
    with tf.Graph().as_default() as made:
        x = tf.placeholder(tf.float32, [None, 4], name="x")
        w = tf.get_variable("w", [4, 3], initializer=tf.zeros_initializer())
        y = tf.nn.softmax(tf.matmul(x, w), name="y")
        tf.gradients(y, w)
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
        return made.as_graph_def().SerializeToString(deterministic=True)


def records(folder: str) -> None:
    examples = [b"", b"a record", bytes(range(256))]
    for kind in ("", "GZIP", "ZLIB"):
        path = os.path.join(folder, "records" + kind)
        with tf.io.TFRecordWriter(path, kind and tf.io.TFRecordOptions(kind)) as writer:
            for record in examples:
                writer.write(record)
        data = bytearray(taken(path))
        if kind == "GZIP":
            data[4:8] = bytes(4)  # the time
        put(f"records_{kind.lower()}".rstrip("_"), "seed", bytes(data))
    events = os.path.join(folder, "event_records")
    values = [tf.Summary.Value(tag="loss", simple_value=0.5), tf.Summary.Value(tag="image", node_name="n")]
    with tf.io.TFRecordWriter(events) as writer:
        for step in range(3):
            writer.write(tf.Event(wall_time=1.5, step=step, summary=tf.Summary(value=values)).SerializeToString())
    put("events", "seed", taken(events))
    put("event_records", "seed", taken(events))


def feature(values: list) -> tf.train.Feature:
    if isinstance(values[0], bytes):
        return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))
    if isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def fed() -> None:
    parts = {"f": feature([1.5, 2.5]), "i": feature([1, 2, 40]), "s": feature([b"text", b""]), "v": feature([1.0] * 3)}
    features = tf.train.Features(feature=parts)
    put("example", "seed", tf.train.Example(features=features).SerializeToString(deterministic=True))
    lists = {
        "f": tf.train.FeatureList(feature=[feature([1.0, 2.0]), feature([3.0, 4.0])]),
        "s": tf.train.FeatureList(feature=[feature([b"a"]), feature([b"b", b"c"])]),
    }
    sequence = tf.train.SequenceExample(context=features, feature_lists=tf.train.FeatureLists(feature_list=lists))
    put("sequence_example", "seed", sequence.SerializeToString(deterministic=True))
    put("csv", "seed", b'1.5,2,-3,"a ""quoted"" text"')
    put("csv", "empty_fields", b",,,")
    with tf.Graph().as_default(), tf.Session() as session:
        put("tensor", "seed", session.run(tf.io.serialize_tensor(tf.constant([[1.0, 2.0]]))))
        put("wav", "seed", session.run(tf.audio.encode_wav(tf.constant([[0.5], [-0.5]]), 8000)))
    put("json_example", "seed", b'{"features": {"feature": {"f": {"floatList": {"value": [1.5, 2]}}}}}')
    put("raw", "seed", bytes(range(16)))
    put("base64", "seed", b"c29tZSB0ZXh0_-")
    import gzip
    import zlib

    put("compressed", "gzip", gzip.compress(b"some text" * 9, mtime=0))
    put("compressed", "zlib", zlib.compress(b"some text" * 9))


def lite() -> None:
    """Models of a few operators each, in each of the ways in which they are quantized, and one with subgraphs."""
    random = np.random.RandomState(0)
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [1, 6, 6, 3], "x")
        filters = tf.constant(random.uniform(-1, 1, (3, 3, 3, 4)), tf.float32)
        h = tf.nn.relu6(tf.nn.conv2d(x, filters, [1, 2, 2, 1], "SAME") + tf.constant([0.1, 0.2, 0.3, 0.4]))
        h = tf.concat([tf.nn.max_pool(h, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), tf.tanh(h)], 3)[:, 1:, :, ::2]
        y = tf.nn.softmax(tf.matmul(tf.reshape(h, [1, 24]), tf.constant(random.uniform(-1, 1, (24, 5)), tf.float32)))
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [y, tf.argmax(y, 1)])
    put("lite", "float", converter.convert())
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.target_spec.supported_types = [tf.float16]
    put("lite", "float16", converter.convert())
    converter.target_spec.supported_types = []
    sample = random.uniform(-1, 1, (1, 6, 6, 3)).astype(np.float32)
    converter.representative_dataset = lambda: [[sample]]
    converter.inference_input_type = tf.uint8
    put("lite", "int8", converter.convert())


def images() -> None:
    from PIL import Image

    random = np.random.RandomState(0)
    pixels = random.randint(0, 256, (9, 13, 3)).astype(np.uint8)

    def file(kind: str, pixels: np.ndarray, mode: str | None = None, **options: Any) -> bytes:
        made, picture = io.BytesIO(), Image.fromarray(pixels)
        (picture.convert(mode) if mode else picture).save(made, kind, **options)
        return made.getvalue()

    put("jpeg", "seed", file("JPEG", pixels))
    put("jpeg", "progressive", file("JPEG", pixels, progressive=True))
    put("jpeg", "four_inks", file("JPEG", pixels, "CMYK"))
    put("png", "seed", file("PNG", pixels))
    put("png", "palette", file("PNG", pixels, "P", transparency=3))
    with tf.Graph().as_default(), tf.Session() as session:
        put("png", "sixteen_bits", session.run(tf.image.encode_png(tf.constant(pixels.astype(np.uint16) * 257))))
    frames = [Image.fromarray(random.randint(0, 256, (9, 13, 3)).astype(np.uint8)) for _ in range(3)]
    animated = {"save_all": True, "append_images": frames, "disposal": [1, 2, 3, 0], "duration": 10}
    put("gif", "seed", file("GIF", pixels, **animated))
    put("bmp", "seed", file("BMP", pixels))
    put("bmp", "grey", file("BMP", pixels[..., 0]))
    for kind in ("jpeg", "png", "gif", "bmp"):
        put("any_image", kind, taken(str(CORPUS / kind / "seed")))


def main() -> None:
    logging.disable()
    with tempfile.TemporaryDirectory() as folder:
        checkpoints(folder)
        objects(folder)
        records(folder)
        saved_model(folder)
    put("graph_def", "seed", graph())
    fed()
    lite()
    images()


if __name__ == "__main__":
    main()
