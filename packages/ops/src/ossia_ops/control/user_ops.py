"""`tf.user_ops`: the one op there, which the original ships as a sample for authors of ops."""
from __future__ import annotations

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unknown
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public

fact_op = op("Fact() -> fact: string")
fact_op.shape(unknown)
fact_op.kernel(lambda: np.array(b"0! == 1", object))
fact_op.samples(alone=sample())


@public("user_ops.my_fact")
def my_fact() -> Tensor:
    """A fact of arithmetic: a scalar string, of unknown static shape as in the original."""
    return fact_op()
