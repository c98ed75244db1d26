"""Data, summaries and networks of `tf.contrib.slim`: graphs."""
import numpy as np


def example(tf):
    bytes_ = lambda value: tf.train.Feature(bytes_list=tf.train.BytesList(value=[value]))
    floats = lambda *value: tf.train.Feature(float_list=tf.train.FloatList(value=value))
    ints = lambda *value: tf.train.Feature(int64_list=tf.train.Int64List(value=value))
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3).tobytes()
    features = {"image/encoded": bytes_(image), "image/format": bytes_(b"raw"), "label": ints(3), "ymin": floats(0.1, 0.2), "xmin": floats(0.3, 0.4),
                "ymax": floats(0.5, 0.6), "xmax": floats(0.7, 0.8), "matrix": floats(1, 2, 3, 4, 5, 6), "shape": ints(2, 3), "indices": ints(0, 2)}
    examples = [tf.train.Example(features=tf.train.Features(feature={key: features[key]})) for key in sorted(features)]
    return b"".join(part.SerializeToString() for part in examples)  # whose features come in this order


def case_decoder(tf):
    decoder = tf.contrib.slim.tfexample_decoder
    features = {"image/encoded": tf.FixedLenFeature((), tf.string, default_value=""), "image/format": tf.FixedLenFeature((), tf.string, default_value="raw"),
                "label": tf.FixedLenFeature([1], tf.int64), "matrix": tf.VarLenFeature(tf.float32), "shape": tf.FixedLenFeature([2], tf.int64)}
    for key in ("ymin", "xmin", "ymax", "xmax"):
        features[key] = tf.VarLenFeature(tf.float32)
    handlers = {"label": decoder.Tensor("label", shape=[]), "box": decoder.BoundingBox(["ymin", "xmin", "ymax", "xmax"]), "matrix": decoder.Tensor("matrix", shape_keys="shape"),
                "double": decoder.ItemHandlerCallback("label", lambda found: found["label"] * 2)}
    made = decoder.TFExampleDecoder(features, handlers)
    return [sorted(made.list_items()), made.decode(tf.placeholder_with_default(example(tf), []), ["label", "box", "matrix", "double"])]


def case_decoder_of_images(tf):
    decoder = tf.contrib.slim.tfexample_decoder
    features = {"image/encoded": tf.FixedLenFeature((), tf.string, default_value=""), "image/format": tf.FixedLenFeature((), tf.string, default_value="raw")}
    made = decoder.TFExampleDecoder(features, {"image": decoder.Image(shape=[2, 2, 3])})
    return made.decode(tf.placeholder_with_default(example(tf), []))


def case_provider(tf):
    slim = tf.contrib.slim
    features = {"label": tf.FixedLenFeature([1], tf.int64)}
    decoder = slim.tfexample_decoder.TFExampleDecoder(features, {"label": slim.tfexample_decoder.Tensor("label")})
    data = slim.dataset.Dataset(data_sources="/none/a.record", reader=tf.TFRecordReader, decoder=decoder, num_samples=3, items_to_descriptions={"label": "x"}, num_classes=4)
    provider = slim.dataset_data_provider.DatasetDataProvider(data, num_readers=2, shuffle=True, common_queue_capacity=20, common_queue_min=10, seed=1)
    queue = slim.prefetch_queue.prefetch_queue([tf.reshape(each, [1]) for each in provider.get(["label", "record_key"])], capacity=3)
    named = slim.prefetch_queue.prefetch_queue({"a": tf.constant([1.0]), "b": tf.constant(2)}, num_threads=2)
    queue.dequeue(), named.dequeue()
    key, record = slim.parallel_reader.single_pass_read("/none/a.record", tf.TFRecordReader)
    return [data.num_classes, provider.num_samples(), sorted(provider.list_items())]


def case_summaries(tf):
    slim = tf.contrib.slim
    x = tf.constant([[1.0, 0.0]], name="x")
    return [slim.summaries.add_histogram_summary(x), slim.summaries.add_scalar_summary(tf.constant(1.0, name="s"), prefix="p"), slim.summaries.add_zero_fraction_summary(x, "n"),
            slim.summaries.add_image_summaries([tf.zeros([1, 2, 2, 1], name="i")], "im")[0].name, slim.summaries.add_scalar_summary(tf.constant(1.0, name="t"), print_summary=True),
            slim.model_analyzer.tensor_description(x), slim.model_analyzer.analyze_ops(tf.get_default_graph()),
            slim.model_analyzer.analyze_vars([tf.get_variable("v", [2, 3])])]
