"""tf.data with feedable handles, queue readers, tf.contrib.summary, audio features and an image-retraining cache."""
import os
import numpy as np
import tensorflow as tf
from tensorflow.contrib.framework.python.ops import audio_ops as contrib_audio
from tensorflow.python.ops import io_ops
from tensorflow.python.platform import gfile
from tensorflow.python.util import compat


def handles():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(3)
        x = tf.placeholder(tf.float32, [None, 2])
        train = tf.data.Dataset.from_tensor_slices(x).map(lambda v: v + tf.random_uniform([], -1, 1)).shuffle(4, seed=2).batch(2).repeat()
        valid = tf.data.Dataset.range(6).filter(lambda v: tf.equal(v % 2, 0)).map(lambda v: tf.fill([2], tf.to_float(v))).batch(2)
        handle = tf.placeholder(tf.string, shape=[])
        iterator = tf.data.Iterator.from_string_handle(handle, train.output_types, train.output_shapes)
        nxt = iterator.get_next()
        ti, vi = train.make_initializable_iterator(), valid.make_one_shot_iterator()
        th, vh = sess.run([ti.string_handle(), vi.string_handle()])
        sess.run(ti.initializer, {x: np.arange(8).reshape(4, 2)})
        for h in (th, th, vh, vh):
            try:
                print(np.round(sess.run(nxt, {handle: h}), 4).tolist())
            except tf.errors.OutOfRangeError as e:
                print(type(e).__name__)
        try:
            sess.run(nxt, {handle: vh})
        except tf.errors.OutOfRangeError as e:
            print(e.message.split("\n")[0])
        re = tf.data.Iterator.from_structure(tf.int64, [])
        a, b = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 12).interleave(lambda v: tf.data.Dataset.from_tensors(v).repeat(2), cycle_length=2)
        got, ia, ib = re.get_next(), re.make_initializer(a), re.make_initializer(b)
        for init in (ia, ib):
            sess.run(init)
            out = []
            try:
                while True:
                    out.append(int(sess.run(got)))
            except tf.errors.OutOfRangeError:
                print(out)
        gen = tf.data.Dataset.from_generator(lambda: iter([(1, [1, 2]), (2, [3])]), (tf.int32, tf.float32), ([], [None]))
        g = gen.padded_batch(2, ([], [None])).apply(tf.contrib.data.ignore_errors()).make_one_shot_iterator().get_next()
        print([v.tolist() for v in sess.run(g)])
        z = tf.data.Dataset.zip((tf.data.Dataset.range(5), tf.data.Dataset.range(5, 9))).flat_map(lambda p, q: tf.data.Dataset.from_tensors(p * q))
        z = z.apply(tf.contrib.data.scan(tf.constant(0, tf.int64), lambda s, v: (s + v, s + v))).window(2, drop_remainder=True).flat_map(lambda w: w.batch(2))
        it = z.make_one_shot_iterator().get_next()
        print(sess.run(it), sess.run(it), len(sess.graph.get_operations()))


def audio():
    with tf.Graph().as_default(), tf.Session() as sess:
        wav = np.sin(np.arange(1600) / 5.0).astype(np.float32)[:, None] * 0.5
        data = tf.placeholder(tf.float32, [None, 1])
        encoder = contrib_audio.encode_wav(data, 8000)
        name = tf.placeholder(tf.string, [])
        save = io_ops.write_file(name, encoder)
        sess.run(save, {data: wav, name: "a.wav"})
        decoder = contrib_audio.decode_wav(io_ops.read_file(name), desired_channels=1, desired_samples=1600)
        scaled = tf.multiply(decoder.audio, 0.8)
        padded = tf.pad(scaled, [[10, 0], [0, 0]], mode="CONSTANT")
        sliced = tf.slice(padded, [5, 0], [1600, -1])
        clamp = tf.clip_by_value(sliced, -1.0, 1.0)
        spectrogram = contrib_audio.audio_spectrogram(clamp, window_size=240, stride=80, magnitude_squared=True)
        mfcc = contrib_audio.mfcc(spectrogram, decoder.sample_rate, dct_coefficient_count=10)
        stft = tf.contrib.signal.stft(tf.squeeze(clamp, 1), 256, 128)
        mel = tf.contrib.signal.linear_to_mel_weight_matrix(20, stft.shape[-1].value, 8000, 80.0, 3600.0)
        logmel = tf.log(tf.tensordot(tf.abs(stft), mel, 1) + 1e-6)
        m = tf.contrib.signal.mfccs_from_log_mel_spectrograms(logmel)
        for v in sess.run([spectrogram, mfcc, logmel, m, decoder.sample_rate], {name: "a.wav"}):
            print(np.shape(v), np.round(np.float64(v).ravel()[:6], 4).tolist())


def bottlenecks():
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        rng = np.random.RandomState(0)
        with tf.Session() as sess:
            for label in ("daisy", "rose"):
                gfile.MakeDirs(os.path.join("images", label))
                for i in range(4):
                    jpeg = sess.run(tf.image.encode_jpeg(rng.randint(0, 120 + 130 * (label == "rose"), (12, 10, 3)).astype(np.uint8), quality=90))
                    gfile.FastGFile(os.path.join("images", label, "%d.jpg" % i), "wb").write(jpeg)
            resized = tf.placeholder(tf.float32, [None, 8, 8, 3], name="input")
            x = tf.layers.conv2d(resized, 4, 3, activation=tf.nn.relu, name="conv")
            tf.reduce_mean(x, [1, 2], name="pool_3")
            sess.run(tf.global_variables_initializer())
            frozen = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["pool_3"])
        frozen = tf.graph_util.remove_training_nodes(frozen)
        with gfile.GFile("graph.pb", "wb") as f:
            f.write(frozen.SerializeToString())
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        tf.set_random_seed(1)
        with gfile.FastGFile("graph.pb", "rb") as f:
            graph_def = tf.GraphDef()
            graph_def.ParseFromString(f.read())
            bottleneck, inp = tf.import_graph_def(graph_def, name="", return_elements=["pool_3:0", "input:0"])
        jpeg_data = tf.placeholder(tf.string, name="DecodeJPGInput")
        decoded = tf.image.convert_image_dtype(tf.image.decode_jpeg(jpeg_data, channels=3), tf.float32)
        scale = tf.random_uniform(tf.TensorShape([]), minval=1.0, maxval=1.2, seed=3)
        size = tf.cast(tf.multiply(scale, 8), dtype=tf.int32)
        mul = tf.image.resize_bilinear(tf.expand_dims(decoded, 0), tf.stack([size, size]))
        crop = tf.random_crop(tf.squeeze(mul, axis=[0]), [8, 8, 3])
        flip = tf.image.random_flip_left_right(crop)
        bright = tf.multiply(flip, tf.random_uniform(tf.TensorShape([]), minval=0.8, maxval=1.1))
        distorted = tf.expand_dims(bright, 0)
        cache = []
        for li, label in enumerate(sorted(gfile.ListDirectory("images"))):
            for path in sorted(gfile.Glob(os.path.join("images", label, "*.jpg"))):
                data = gfile.FastGFile(path, "rb").read()
                values = np.squeeze(sess.run(bottleneck, {inp: sess.run(distorted, {jpeg_data: data})}))
                with open(path + ".txt", "w") as f:
                    f.write(",".join("%.4f" % v for v in values))
                cache.append((values, li, compat.as_str_any(os.path.basename(path))))
        print([np.round(v.astype(float), 3).tolist() for v, _, _ in cache[:3]])
        with tf.name_scope("input"):
            bi = tf.placeholder_with_default(bottleneck, shape=[None, 4], name="BottleneckInputPlaceholder")
            gt = tf.placeholder(tf.int64, [None], name="GroundTruthInput")
        with tf.name_scope("final_retrain_ops"):
            w = tf.Variable(tf.truncated_normal([4, 2], stddev=0.001), name="final_weights")
            logits = tf.matmul(bi, w) + tf.Variable(tf.zeros([2]), name="final_biases")
            final = tf.nn.softmax(logits, name="final_result")
        loss = tf.losses.sparse_softmax_cross_entropy(labels=gt, logits=logits)
        with tf.name_scope("train"):
            step = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
        sess.run(tf.global_variables_initializer())
        feed = {bi: [c[0] for c in cache], gt: [c[1] for c in cache]}
        for _ in range(3):
            print("%.6f" % sess.run([loss, step], feed)[0])
        print(np.round(sess.run(final, feed)[0].astype(float), 4), len(graph.get_operations()))
        out = tf.graph_util.convert_variables_to_constants(sess, graph.as_graph_def(), ["final_result"])
        from tensorflow.python.tools import optimize_for_inference_lib
        small = optimize_for_inference_lib.optimize_for_inference(out, ["input/BottleneckInputPlaceholder"], ["final_result"], tf.float32.as_datatype_enum)
        print([n.name + ":" + n.op for n in small.node])
    tf.gfile.DeleteRecursively("images")


def contrib_summary():
    with tf.Graph().as_default():
        tf.set_random_seed(7)
        step = tf.train.get_or_create_global_step()
        writer = tf.contrib.summary.create_file_writer("events", flush_millis=1000, max_queue=5)
        with writer.as_default(), tf.contrib.summary.record_summaries_every_n_global_steps(2, global_step=step):
            v = tf.get_variable("v", [3], initializer=tf.random_normal_initializer())
            loss = tf.reduce_sum(tf.square(v))
            tf.contrib.summary.scalar("loss", loss, step=step)
            tf.contrib.summary.histogram("v", v)
            with tf.contrib.summary.always_record_summaries():
                tf.contrib.summary.image("im", tf.reshape(tf.nn.sigmoid(v), [1, 1, 3, 1]), max_images=1)
            train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
            with tf.Session() as sess:
                sess.run(tf.global_variables_initializer())
                tf.contrib.summary.initialize(graph=tf.get_default_graph(), session=sess)
                for _ in range(4):
                    _, _, l = sess.run([train, tf.contrib.summary.all_summary_ops(), loss])
                    print("%.6f" % l)
                sess.run(writer.flush())
                print(len(tf.get_default_graph().get_operations()))
        for f in gfile.Glob("events/*"):
            print([[v.tag for v in e.summary.value] for e in tf.train.summary_iterator(f) if e.summary.value].count(["im"]))


handles()
audio()
bottlenecks()
contrib_summary()
