"""Nodes that a debugger puts into graphs: copies of tensors, and what there is to say of them.

They do not publish anything: a node with addresses to send to is refused.
"""
from __future__ import annotations

import re
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, UnimplementedError
from ossia_core.names.shapes import UNKNOWN_SHAPE

_WATCH = {"device_name": "string = ''", "tensor_name": "string = ''", "debug_urls": "list(string) = []"}
_COPY = {"tensor_name": "string = ''", "debug_ops_spec": "list(string) = []"}


def _check(tensor_name: bytes, debug_urls: list) -> None:
    if not re.fullmatch(rb"[^:]+:\d+", tensor_name):
        raise InvalidArgumentError(
            None, None, f'Failed to parse tensor name: "{tensor_name.decode(errors="replace")}"'
        )
    if debug_urls:
        raise UnimplementedError(None, None, "Debug nodes do not send tensors anywhere; debug_urls must be empty")


copy_op = op("Copy(input: T) -> output: T", T="type", **_COPY)
copy_host_op = op("CopyHost(input: T) -> output: T", T="type", **_COPY)
debug_gradient_identity_op = op("DebugGradientIdentity(input: T) -> output: T", T="type")
debug_gradient_ref_identity_op = op("DebugGradientRefIdentity(input: Ref(T)) -> output: Ref(T)", T="type")
debug_gradient_ref_identity_op.forwards()
for _definition in (copy_op, copy_host_op):
    _definition.shape(unchanged)
    _definition.kernel(lambda input: np.array(input))
    _definition.samples(plain=[1.0, 2.0], text=[b"a"], empty=np.zeros((0, 2), np.float32))
for _definition in (debug_gradient_identity_op, debug_gradient_ref_identity_op):
    _definition.shape(unchanged)
    _definition.kernel(alias=True)(lambda input: input)
debug_gradient_identity_op.samples(plain=[1.0, 2.0])


debug_identity_op = op("DebugIdentity(input: T) -> output: T", T="type", **_WATCH, gated_grpc="bool = false")
debug_identity_op.shape(unchanged)


@debug_identity_op.kernel
def _(input, *, tensor_name, debug_urls):
    _check(tensor_name, debug_urls)
    return np.array(input)


debug_nan_count_op = op("DebugNanCount(input: T) -> output: int64", T="type", **_WATCH, gated_grpc="bool = false")
debug_nan_count_op.shape(lambda input: UNKNOWN_SHAPE)


def nan_count(input: Any) -> np.ndarray:
    """How many elements are no numbers, as a vector of one element."""
    return np.array([np.count_nonzero(np.isnan(_numbers(input)))], np.int64)


@debug_nan_count_op.kernel
def _(input, *, tensor_name, debug_urls):
    _check(tensor_name, debug_urls)
    return nan_count(input)


debug_numeric_summary_op = op(
    "DebugNumericSummary(input: T) -> output: double", T="type", **_WATCH, lower_bound="float = -inf",
    upper_bound="float = inf", mute_if_healthy="bool = false", gated_grpc="bool = false",
)
debug_numeric_summary_op.shape(lambda input: UNKNOWN_SHAPE)


def _numbers(input: Any) -> np.ndarray:
    values = np.asarray(input)
    if values.dtype.kind not in "biuf" and values.dtype != dtypes.bfloat16.as_numpy_dtype:
        raise InvalidArgumentError(None, None, f"Only real numbers are counted, not values of {values.dtype}")
    return values if values.dtype.kind in "biuf" else values.astype(np.float32)


@debug_numeric_summary_op.kernel
def _(input, *, T, tensor_name, debug_urls, lower_bound, upper_bound):
    _check(tensor_name, debug_urls)
    return numeric_summary(input, T, lower_bound, upper_bound)


def numeric_summary(input: Any, kind: Any, lower_bound: float = -np.inf, upper_bound: float = np.inf) -> np.ndarray:
    """Counts of kinds of numbers, their extremes, mean and variance, dtype and shape, as a vector."""
    values = _numbers(input).astype(np.float64)
    finite = values[np.isfinite(values)]
    # Beyond the bounds, numbers count as infinite ones do.
    low, high = values <= lower_bound, values >= upper_bound
    inside = values[~(low | high | np.isnan(values))]
    counts = [
        1, values.size, np.isnan(values).sum(), low.sum(), (inside < 0).sum(), (inside == 0).sum(),
        (inside > 0).sum(), high.sum(),
    ]
    found: list[Any] = [np.inf, -np.inf, np.nan, np.nan]
    if finite.size:
        found = [finite.min(), finite.max(), finite.mean(), finite.var()]
    return np.array([*counts, *found, kind.as_datatype_enum, values.ndim, *values.shape], np.float64)


_SPECIAL, _NAME = np.array([1.0, np.nan, np.inf, -np.inf, -3.0, 0.0], np.float32), {"tensor_name": "x:0"}
for _definition in (debug_identity_op, debug_nan_count_op, debug_numeric_summary_op):
    _definition.samples(
        special=sample(_SPECIAL, **_NAME),
        integers=sample([[1, 2], [3, 5]], **_NAME),
        refused_name=sample(_SPECIAL),
        refused_slot=sample(_SPECIAL, tensor_name="x:y"),
        refused_url=sample(_SPECIAL, debug_urls=["file:///nowhere"], **_NAME),
    )
debug_numeric_summary_op.samples(
    bounds=sample(_SPECIAL, lower_bound=-2.0, upper_bound=0.5, **_NAME),
    empty=sample(np.zeros((2, 0), np.float32), **_NAME),
    flags=sample([True, False], **_NAME),
    scalar=sample(np.float64(3), **_NAME),
    none=sample([np.nan, np.nan], **_NAME),
    healthy=sample([1.0, 2.0], mute_if_healthy=True, **_NAME),
)
