"""Ranges of simulated quantization that are upside down, no numbers, or of another shape."""
import numpy as np
from golden_case import outcomes

X = np.array([-7.0, 0.01, 3.3, 9.0], np.float32)


def _fed(tf, shape, value):
    return tf.placeholder_with_default(np.full(shape, value, np.float32), None)


def case_attributes(tf):
    nan = float("nan")
    ranges = ((nan, 1.0), (-1.0, nan), (1.0, -1.0), (0.0, 0.0), (-1.0, 2.0))
    return outcomes(tf, [lambda tf, low=low, high=high: tf.raw_ops.FakeQuantWithMinMaxArgs(inputs=X, min=low, max=high)
                     for low, high in ranges] + [
        lambda tf, low=low, high=high: tf.raw_ops.FakeQuantWithMinMaxArgsGradient(gradients=X, inputs=X, min=low, max=high)
        for low, high in ranges])


def case_shapes(tf):
    def made(tf, kind, low, high):
        return getattr(tf.raw_ops, kind)(inputs=_fed(tf, (4,), 1.5), min=_fed(tf, low, -1.0), max=_fed(tf, high, 4.0))
    kinds = {"FakeQuantWithMinMaxVars": (((1, 1, 1), ()), ((), (1,)), ((1,), (1, 1))),
             "FakeQuantWithMinMaxVarsPerChannel": (((2,), (4,)), ((4,), (1, 1)), ((1, 1, 1), (4,)))}
    return outcomes(tf, [lambda tf, kind=kind, item=item: made(tf, kind, *item) for kind in sorted(kinds) for item in kinds[kind]])


def case_bits(tf):
    return outcomes(tf, [lambda tf, bits=bits: tf.raw_ops.FakeQuantWithMinMaxArgs(inputs=X, num_bits=bits) for bits in (1, 17, 2**32 + 8, -1)])
