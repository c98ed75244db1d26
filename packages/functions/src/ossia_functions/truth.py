"""The op that says whether a condition of any type counts as true."""
from __future__ import annotations

import numpy as np

from ossia_core.declare import opdef
from ossia_core.names.shapes import TensorShape

truth_op = opdef.op("_Truth(x: T) -> y: bool", T="type")


@truth_op.shape
def _(x):
    return TensorShape([])


@truth_op.kernel
def _(x):
    if np.ndim(x):
        return np.bool_(np.size(x) > 0)
    return np.bool_(bool(x if not isinstance(x, np.ndarray) else x[()]))


truth_op.samples(
    no=(np.float32(0),), yes=(np.int32(7),), empty=(np.zeros(0, np.float32),), text=(np.array(b"", object),)
)
