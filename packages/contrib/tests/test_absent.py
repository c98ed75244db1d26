"""What needs something that is not here says so when it is called, not before."""

import pytest

import ossia as tf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tf.contrib.eager.Iterator(1), "tf.contrib.eager.Iterator: Ossia builds graphs"),
        (lambda: tf.contrib.cloud.configure_gcs(1), "tf.contrib.cloud.configure_gcs: .* copied first"),
        (lambda: tf.contrib.tpu.infeed_dequeue(tf.float32, []), "tf.contrib.tpu.infeed_dequeue: There is no TPU"),
        (lambda: tf.contrib.tpu.TPUEstimator(len, config=tf.contrib.tpu.RunConfig()), "use_tpu=False"),
        (lambda: tf.contrib.cluster_resolver.TPUClusterResolver("a"), "no cloud"),
    ],
)
def test_message(call, message):
    with pytest.raises(NotImplementedError, match=message):
        call()
