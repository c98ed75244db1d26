"""One cycle: the rate rises from a small one, then falls to nothing."""

import ossia as tf


def one_cycle_decay(learning_rate, global_step, decay_steps, warmup=0.3, start=0.04, name=None):
    """The one-cycle policy (Smith and Topin, 2019, "Super-Convergence"), with a linear rise and a cosine fall.

        rising   = start + (1 - start) * t / warmup               for t = step / decay_steps < warmup
        falling  = (1 + cos(pi * (t - warmup) / (1 - warmup))) / 2    after it; 0 from t = 1 on

    Args:
        learning_rate: The largest rate, a float or a scalar tensor.
        global_step: The step, an integer scalar.
        decay_steps: How many steps the cycle has.
        warmup: The share of the steps in which the rate rises.
        start: The share of the largest rate that it starts from.
        name: The name of the scope.

    Returns:
        A scalar tensor of the dtype of `learning_rate`.

    Raises:
        ValueError: There is no global step.
    """
    if global_step is None:
        raise ValueError("one_cycle_decay needs a global_step.")
    with tf.name_scope(name, "OneCycleDecay", [learning_rate, global_step, decay_steps]):
        rate = tf.convert_to_tensor(learning_rate, name="learning_rate")
        steps = tf.cast(decay_steps, rate.dtype)
        time = tf.minimum(tf.cast(global_step, rate.dtype), steps) / steps
        rising = start + (1 - start) * time / warmup
        falling = (1 + tf.cos(3.141592653589793 * (time - warmup) / (1 - warmup))) / 2
        return tf.multiply(rate, tf.where(time < warmup, rising, falling), name="rate")
