"""Variables of a model come back from a checkpoint that lacks some of them."""

import numpy as np
import pytest


@pytest.mark.parametrize("way", ["function", "op"])
def test_a_part_of_the_model_is_restored(way, tmp_path):
    import ossia as tf

    slim = tf.contrib.slim

    def model():
        net = slim.conv2d(tf.ones([2, 4, 4, 1]), 2, [3, 3], scope="conv", normalizer_fn=slim.batch_norm)
        slim.fully_connected(slim.flatten(net), 2, scope="logits")

    with tf.Graph().as_default(), tf.Session() as session:
        model()
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, str(tmp_path / "model"))
        wanted = session.run(slim.get_model_variables())
    with tf.Graph().as_default(), tf.Session() as session:
        model()
        restored = slim.get_model_variables()
        extra = slim.model_variable("extra", [2], initializer=tf.ones_initializer())
        session.run(tf.global_variables_initializer())
        if way == "function":
            slim.assign_from_checkpoint_fn(path, slim.get_model_variables(), ignore_missing_vars=True)(session)
        else:
            session.run(*slim.assign_from_checkpoint(path, slim.get_variables_to_restore(exclude=["extra"])))
        for value, want in zip(session.run(restored), wanted, strict=True):
            np.testing.assert_array_equal(value, want)
        assert session.run(extra).tolist() == [1.0, 1.0]
