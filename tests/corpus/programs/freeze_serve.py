"""A model trained, frozen into one graph, imported again, exported for serving, loaded and called by its signature."""
import os

import numpy as np
import tensorflow as tf
from tensorflow.core.framework import graph_pb2
from tensorflow.python.framework import graph_io, graph_util
from tensorflow.python.platform import gfile
from tensorflow.python.saved_model import builder as saved_model_builder
from tensorflow.python.saved_model import signature_constants, signature_def_utils, tag_constants, utils
from tensorflow.python.saved_model.signature_def_utils_impl import build_signature_def
from tensorflow.python.tools import freeze_graph, optimize_for_inference_lib
from tensorflow.python.tools import inspect_checkpoint as chkp
from tensorflow.python.util import compat

tf.set_random_seed(9)
x = tf.placeholder(tf.float32, [None, 4], name="x")
is_training = tf.placeholder_with_default(False, [], name="is_training")
with tf.variable_scope("model"):
    h = tf.layers.dense(x, 6, activation=tf.nn.relu, name="hidden")
    h = tf.layers.batch_normalization(h, training=is_training, name="bn")
    h = tf.layers.dropout(h, 0.3, training=is_training)
    logits = tf.layers.dense(h, 3, name="logits")
probabilities = tf.nn.softmax(logits, name="probabilities")
labels = tf.placeholder(tf.int64, [None], name="labels")
loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    train = tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True).minimize(loss)
saver = tf.train.Saver()
data = np.random.RandomState(0).randn(30, 4).astype(np.float32)
target = data[:, :3].argmax(1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(30):
        _, value = sess.run([train, loss], {x: data, labels: target, is_training: False})
    print("loss %.4f" % value)
    print(saver.save(sess, "ckpt/model", global_step=30))
    graph_io.write_graph(sess.graph, "ckpt", "graph.pb", as_text=False)
    tf.train.write_graph(sess.graph_def, "ckpt", "graph.pbtxt")
    frozen = graph_util.convert_variables_to_constants(sess, sess.graph.as_graph_def(), ["probabilities"])
    print(len(frozen.node), sorted(set(n.op for n in frozen.node)))
    with gfile.GFile("frozen.pb", "wb") as f:
        f.write(frozen.SerializeToString())
    path = os.path.join(compat.as_bytes("export"), compat.as_bytes("1"))
    builder = saved_model_builder.SavedModelBuilder(path)
    signature = build_signature_def(
        inputs={"images": utils.build_tensor_info(x)}, outputs={"scores": utils.build_tensor_info(probabilities)},
        method_name=signature_constants.PREDICT_METHOD_NAME)
    classes = tf.contrib.lookup.index_to_string_table_from_tensor(["a", "b", "c"]).lookup(tf.argmax(logits, 1))
    classify = signature_def_utils.classification_signature_def(
        tf.placeholder(tf.string, name="examples"), tf.expand_dims(classes, 1), probabilities)
    builder.add_meta_graph_and_variables(
        sess, [tag_constants.SERVING],
        signature_def_map={"predict": signature,
                           signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: classify},
        legacy_init_op=tf.group(tf.tables_initializer(), name="legacy_init_op"))
    print(builder.save())
    expected = sess.run(probabilities, {x: data[:2]})
chkp.print_tensors_in_checkpoint_file("ckpt/model-30", tensor_name="model/logits/bias", all_tensors=False)
reader = tf.train.NewCheckpointReader("ckpt/model-30")
for name, shape in sorted(reader.get_variable_to_shape_map().items()):
    print(name, shape)
freeze_graph.freeze_graph("ckpt/graph.pbtxt", "", False, "ckpt/model-30", "probabilities", "save/restore_all",
                          "save/Const:0", "frozen2.pb", True, "", variable_names_blacklist="")
with tf.Graph().as_default() as graph:
    graph_def = graph_pb2.GraphDef()
    with gfile.FastGFile("frozen2.pb", "rb") as f:
        graph_def.ParseFromString(f.read())
    optimized = optimize_for_inference_lib.optimize_for_inference(
        graph_def, ["x"], ["probabilities"], tf.float32.as_datatype_enum)
    print(len(graph_def.node), len(optimized.node), [n.name for n in optimized.node][:4])
    new_x = tf.placeholder(tf.float32, [2, 4])
    out, = tf.import_graph_def(optimized, input_map={"x": new_x}, return_elements=["probabilities:0"], name="frozen")
    print(out)
    with tf.Session() as sess:
        print(np.allclose(sess.run(out, {new_x: data[:2]}), expected, atol=1e-4))
for tags in ([tag_constants.SERVING], ["none"]):
    with tf.Session(graph=tf.Graph()) as sess:
        try:
            meta = tf.saved_model.loader.load(sess, tags, "export/1")
        except RuntimeError as error:
            print("RuntimeError", str(error)[:60])
            continue
        print(sorted(meta.signature_def))
        sd = meta.signature_def["predict"]
        print(sd.inputs["images"].name, sd.outputs["scores"].name, sd.method_name)
        print(sess.run(sd.outputs["scores"].name, {sd.inputs["images"].name: data[:2]}))
        out = meta.signature_def["serving_default"].outputs["classes"].name
        print(sess.run(out, {sd.inputs["images"].name: data[:2]}))
predictor = tf.contrib.predictor.from_saved_model("export/1", signature_def_key="predict")
print(predictor({"images": data[:1]}), predictor.feed_tensors)
