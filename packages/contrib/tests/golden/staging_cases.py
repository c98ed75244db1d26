"""Values put aside in one run and taken up in another."""
from golden_case import Case


def case_staged(tf):
    area = tf.contrib.staging.StagingArea([tf.float32, tf.int32], shapes=[[2], []], names=["a", "b"], capacity=2)
    put = area.put({"a": tf.constant([1.0, 2.0]), "b": tf.constant(3)})
    return Case(runs=[put, area.size(), area.get()["a"]])
