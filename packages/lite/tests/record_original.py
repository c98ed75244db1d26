"""Records `original_golden.npz` with TensorFlow 1.15, whose `toco_from_protos` has to be on the path. Run by hand."""

import pathlib

import numpy as np
import tensorflow as tf

tf.set_random_seed(3)
x = tf.placeholder(tf.float32, [1, 8, 8, 3], name="x")
h = tf.layers.conv2d(x, 4, 3, 2, "same", activation=tf.nn.relu)
h = tf.nn.depthwise_conv2d(h, tf.get_variable("depthwise", [3, 3, 4, 2]), [1, 1, 1, 1], "SAME")
h = tf.nn.relu6(tf.layers.batch_normalization(h))
h = tf.image.resize_bilinear(h, [6, 6])
y = tf.nn.softmax(tf.layers.dense(tf.reshape(tf.reduce_mean(h, [1, 2]), [1, 8]), 10), name="y")
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    model = tf.lite.TFLiteConverter.from_session(session, [x], [y]).convert()
interpreter = tf.lite.Interpreter(model_content=model)
interpreter.allocate_tensors()
data = np.random.RandomState(0).uniform(-1, 1, (1, 8, 8, 3)).astype(np.float32)
interpreter.set_tensor(interpreter.get_input_details()[0]["index"], data)
interpreter.invoke()
output = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
path = pathlib.Path(__file__).parent / "original_golden.npz"
np.savez_compressed(path, model=np.frombuffer(model, np.uint8), input=data, output=output)
