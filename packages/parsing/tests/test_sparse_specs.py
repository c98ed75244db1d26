"""Specs of sparse tensors: these travel as variants; shapes are TensorFlow 1.15's."""
import ossia as tf


def test_sparse_tensors_travel_as_variants():
    spec = tf.SparseTensorSpec([None, 3], tf.float32)
    with tf.Graph().as_default(), tf.Session() as session:
        sparse = tf.SparseTensor([[0, 1]], [1.0], [2, 3])
        (travelling,) = spec._to_tensor_list(sparse)
        assert travelling.dtype == tf.variant and travelling.shape.as_list() == [3]
        arrived = spec._from_tensor_list([travelling])
        parts = arrived.indices, arrived.values, arrived.dense_shape
        assert [part.shape.as_list() for part in parts] == [[None, 2], [None], [2]]
        (rows,) = spec._to_batched_tensor_list(sparse)
        assert rows.shape.as_list() == [None, 3]
        assert session.run(arrived.dense_shape).tolist() == [2, 3] and session.run(arrived.values).tolist() == [1.0]
