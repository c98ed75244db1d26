"""Space moved into the batch or depth dimension, and back."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import table

table(globals(), "space", [
    "x = P(2, 4, 4, 1); y = tf.space_to_depth(x, 2); y; G(y, x); z = P(2, 2, 2, 4); y = tf.depth_to_space(z, 2); y; G(y, z); tf.depth_to_space(P(1, 2, 2, 8), 2); "
    "tf.space_to_depth(P(None, 4, 4, None), 2); raises(tf.space_to_depth, P(1, 3, 3, 1), 2)",
    "x = P(2, 4, 5, 1); y = tf.space_to_batch_nd(x, [2, 3], [[1, 1], [0, 1]]); y; G(y, x); z = tf.batch_to_space_nd(y, [2, 3], [[1, 1], [0, 1]]); z; G(z, y); "
    "tf.space_to_batch(x, [[0, 0], [0, 1]], 2); tf.batch_to_space(P(4, 1, 2, 1), [[0, 0], [0, 1]], 2); tf.space_to_batch(P(1, 2, 2, 1), [[0, 0], [0, 0]], block_shape=2)",
    "x = P(2, 4, 4, 1); y = R.SpaceToBatch(input=x, paddings=[[0, 0], [0, 0]], block_size=2); y; G(y, x); z = R.BatchToSpace(input=y, crops=[[0, 0], [1, 0]], block_size=2); z; G(z, y)",
    "tf.space_to_batch_nd(P(2, 4, 3), [2], P(1, 2, dt='int32', value=[[1, 1]])); tf.space_to_batch_nd(P(None, 4), P(1, dt='int32', value=[2]), [[0, 0]]); "
    "tf.batch_to_space_nd(P(None, 4), [2], [[1, 0]])",
    "tf.required_space_to_batch_paddings([4, 5], [2, 2]); tf.required_space_to_batch_paddings([4, 5], [2, 2], [[0, 0], [1, 1]]); "
    "tf.required_space_to_batch_paddings(P(2, dt='int32', value=[4, 5]), [2, 2])",
])
