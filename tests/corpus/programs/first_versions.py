"""A program of TensorFlow 0.8, as it was written then and, where 1.x is imported, with the names that came after."""
import numpy as np
import tensorflow as tf

OLD = hasattr(tf, "contrib") and tf.__version__.startswith("0.")
try:
    image_summary = tf.image_summary
    scalar_summary = tf.scalar_summary
    merge_summary = tf.merge_summary
    SummaryWriter = tf.train.SummaryWriter
except AttributeError:
    image_summary = tf.summary.image
    scalar_summary = tf.summary.scalar
    merge_summary = tf.summary.merge
    SummaryWriter = tf.summary.FileWriter
concat = tf.concat_v2 if hasattr(tf, "concat_v2") else tf.concat
pack = getattr(tf, "pack", None) or tf.stack
if "concat_v2" in dir(tf):
    def cat(tensors, axis, *args, **kwargs):
        return tf.concat_v2(tensors, axis, *args, **kwargs)
else:
    def cat(tensors, axis, *args, **kwargs):
        return tf.concat(tensors, axis, *args, **kwargs)
print(image_summary.__name__, concat.__name__, pack.__name__, OLD)
x = tf.placeholder("float", [None, 3])
y = cat([x, concat([x, x], 1)], 1)
p = pack([x, x])
s = merge_summary([scalar_summary("mean", tf.reduce_mean(y)), image_summary("image", tf.reshape(p, [1, 2, -1, 1]))])
init = tf.initialize_all_variables()
with tf.Session() as sess:
    sess.run(init)
    writer = SummaryWriter("logs", sess.graph)
    values, text = sess.run([y, s], {x: np.arange(6.).reshape(2, 3)})
    writer.add_summary(text, 0)
    writer.close()
    print(values)
    found = tf.Summary.FromString(text)
    print([v.tag for v in found.value], found.value[0].simple_value)
print(tf.all_variables(), len(tf.get_default_graph().get_operations()))
