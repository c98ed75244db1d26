"""The shape of a variable, as gradients take it from a handle."""
from __future__ import annotations

import numpy as np

from ossia_core.graph.convert import constant
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import DType, int32
from ossia_core.primitives.source import placeholder_op
from ossia_core.primitives.variable_ops import handle_data, var_handle_op, variable_shape_op


def shape_of_variable(handle: Tensor, out_type: DType = int32) -> Tensor:
    """The shape of a handle's variable: a constant if it is known where the handle is made or enters a body, as in the
    original, else a node that reads it; the copies of bodies that gradients are made from only know its rank."""
    enters = handle.op.definition in (var_handle_op, placeholder_op) and not hasattr(handle, "_inferred_handle_data")
    known = handle_data(handle) if enters else None
    if known is None or not known[1].is_fully_defined():
        made: Tensor = variable_shape_op(handle, out_type=out_type)
        return made
    return constant(np.array(known[1].as_list(), out_type.as_numpy_dtype))
