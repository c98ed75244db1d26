"""Samples of update ops: from an example of each scalar input, the calls that their tables try. Loaded when somebody
asks for the samples of an update op; those of all of them are then added."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, Sample, sample
from ossia_core.plugins import manager as plugins
from ossia_optimizers.updates import EXAMPLES


def _array(dtype: Any) -> Any:
    """A function that makes arrays of a dtype."""
    return lambda values: np.array(values, dtype)


_float32, _int32, _int64 = _array(np.float32), _array(np.int32), _array(np.int64)
_GRADIENT = _float32([[0.5, -1.0, 0.0], [2.0, 0.25, -3.0], [-0.5, 1.5, 1e-3], [0.0, -2.0, 4.0]])
_SPECIAL = _float32([[np.nan, np.inf, -np.inf], [0.0, -0.0, 1e-30], [1e18, -1e18, 1e-42], [1.0, 1.0, 1.0]])


def update_samples(definition: OpDef, values: dict[str, Any]) -> dict[str, Sample]:
    """The table of samples of one op.

    Args:
      definition: the op.
      values: examples of its scalar inputs by name; and, by reason, dicts of attributes to try.
    """
    whole = _GRADIENT.shape
    options = {reason: attrs for reason, attrs in values.items() if isinstance(attrs, dict)}

    def dense(gradient: Any, shape: tuple[int, ...] = whole, dtype: Any = np.float32, **others: Any) -> Sample:
        return _call(definition, values, shape, gradient, dtype, others)

    def rows(gradient: Any, indices: Any, shape: tuple[int, ...] = whole, **others: Any) -> Sample:
        return dense(gradient, shape, indices=indices, **others)

    if "indices" not in definition.input_names:
        return {
            "plain": dense(_GRADIENT),
            "scalar": dense(0.5, ()),
            "empty": dense(np.zeros((0, 3)), (0, 3)),
            "special": dense(_SPECIAL),
            "double": dense(_GRADIENT, dtype=np.float64),
            "half": dense(_GRADIENT, dtype=np.float16),
            **{reason: dense(_GRADIENT, **attrs) for reason, attrs in options.items()},
        }
    repeated = _int32([2, 0, 2, 2])
    return {
        "repeated": rows(_GRADIENT, repeated),
        "long": rows(_GRADIENT[:2], _int64([3, 1])),
        "vector": rows(_GRADIENT[:2, 0], _int32([3, 1]), (4,)),
        "none": rows(_GRADIENT[:0], _int64([])),
        "special": rows(_SPECIAL, _int32([0, 1, 2, 3])),
        "special_vector": rows(_SPECIAL.ravel(), np.arange(12, dtype=np.int32), (12,)),
        "double": rows(_GRADIENT, repeated, dtype=np.float64),
        "half": rows(_GRADIENT[:3], _int32([3, 0, 1]), dtype=np.float16),
        "refused_beyond": rows(_GRADIENT[:2], _int32([0, 4])),
        "refused_negative": rows(_GRADIENT[:2], _int32([-1, 0])),
        **{reason: rows(_GRADIENT, repeated, **attrs) for reason, attrs in options.items()},
    }


def _call(
    definition: OpDef, values: dict[str, Any], shape: tuple[int, ...], gradient: Any, dtype: Any, others: dict[str, Any]
) -> Sample:
    """A sample whose variables have a shape; the first is of either sign, the others are positive, as sums of squares
    are."""
    line = np.linspace(-1.5, 2.0, int(np.prod(shape)), dtype=dtype).reshape(shape)
    inputs, states = [], 0
    for arg in definition.inputs:
        if arg.name in others:
            inputs.append(others.pop(arg.name))
        elif arg.name in ("grad", "delta"):
            inputs.append(np.asarray(gradient, dtype))
        elif arg.name in values:
            inputs.append(np.array(values[arg.name], np.int64 if arg.name == "global_step" else dtype))
        else:
            inputs.append(line if not states else np.abs(line) + dtype(0.25 * states))
            states += 1
    return sample(*inputs, **others)


for _module in sorted({module for module in plugins.op_table().values() if module.startswith("ossia_optimizers.")}):
    importlib.import_module(_module)
for _definition, _values in EXAMPLES:
    _definition.samples(**update_samples(_definition, _values))
