"""Moving averages of tensors that are corrected for their start, and names."""
import numpy as np
from golden_case import Case, raises


def case_debiased(tf):
    v = tf.Variable([1.0, 2.0], name="v")
    t = v * 2.0
    ema = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
    update = ema.apply([t])
    return Case(runs=[update, ema.average(t), v.assign_add([1.0, 1.0]), update, ema.average(t), {"names": [x.name for x in tf.global_variables()]}])


def case_debiased_resource_scope(tf):
    t = tf.placeholder_with_default(np.ones(3, "float32"), [3], name="t")
    with tf.variable_scope("a", use_resource=True):
        ema = tf.train.ExponentialMovingAverage(0.9, zero_debias=True)
        first, second = ema.apply([t]), ema.apply([t])
    return Case(runs=[first, ema.average(t), second, ema.average(t), {"names": [x.name for x in tf.global_variables()]}])


def case_dtypes(tf):
    v = tf.Variable(np.array([1.0, 2.0]), name="v")
    ema = tf.train.ExponentialMovingAverage(0.9)
    update = ema.apply([v])
    return Case(runs=[v.assign([3.0, 4.0]), update, ema.average(v)])


def case_refused(tf):
    ema = tf.train.ExponentialMovingAverage(0.9)
    return [raises(ema.apply, [tf.Variable(1)]), raises(ema.apply, [tf.constant("a")])]


def case_restore_names(tf):
    v = tf.Variable([1.0], name="v")
    tf.Variable([1.0], name="other", trainable=False)
    ema = tf.train.ExponentialMovingAverage(0.9, name="Shadow")
    before = {key: value.name for key, value in ema.variables_to_restore().items()}
    ema.apply()
    after = {key: value.name for key, value in ema.variables_to_restore().items()}
    some = {key: value.name for key, value in ema.variables_to_restore([v]).items()}
    return {"before": before, "after": after, "some": some}
