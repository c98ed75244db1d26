"""The ops of staging areas: on a line of values, and on values by key."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import scalar as scalar_shape
from ossia_core.names import errors
from ossia_core.names.shapes import UNKNOWN_SHAPE
from ossia_core.names.sizes import number_in
from ossia_queues.staged_values import Keyed, Line, Ordered, Stage

_LIMITS = {"capacity": "int >= 0 = 0", "memory_limit": "int >= 0 = 0"}
_PLACE = {"container": "string = ''", "shared_name": "string = ''"}


def _stage(kind: type[Stage], node: Any, context: Any) -> Any:
    """The staging area of a node; all nodes of its shared name use it."""
    attrs = node.attrs
    name = attrs["shared_name"].decode(errors="backslashreplace") or node.name
    area = f"{kind.__name__} staging area"
    return context.session_state.resource(
        attrs["container"], name, area, lambda: kind(attrs["capacity"], attrs["memory_limit"])
    )


def _kept(values: Sequence[Any]) -> list[np.ndarray]:
    return [np.array(value, dtype=object if isinstance(value, (bytes, str)) else None) for value in values]


def _indices(indices: Any) -> list[int]:
    return np.ravel(indices).tolist()


def _check_count(indices: Any, types: list) -> None:
    if np.size(indices) != len(types):
        raise errors.InvalidArgumentError(
            None, None, f"There are {np.size(indices)} indices for {len(types)} components"
        )


def _declare(signature: str, kernel: Callable, blocking: bool = False, **attrs: str) -> OpDef:
    definition = op(signature, stateful=True, **_LIMITS, **attrs, **_PLACE)
    definition.kernel(blocking=blocking)(kernel)
    return definition


def _size_kernel(kind: type[Stage]) -> Callable:
    return lambda *, node, context: np.int32(_stage(kind, node, context).size())


def _clear_kernel(kind: Any) -> Callable:
    return lambda *, node, context: _stage(kind, node, context).clear()


# -- in order ---------------------------------------------------------------------------------------------


def _put(values, *, node, context):
    _stage(Line, node, context).put(_kept(values), context)


def _get(*, node, context):
    return _stage(Line, node, context).get(context)


def _peek(index, *, node, context):
    place = number_in(index, "index")
    if place < 0:
        raise errors.InvalidArgumentError(None, None, f"Index {place} is negative")
    return _stage(Line, node, context).peek(place, context)


stage_op = _declare("Stage(values: dtypes)", _put, blocking=True, dtypes="list(type) >= 1")
unstage_op = _declare("Unstage() -> values: dtypes", _get, blocking=True, dtypes="list(type) >= 1")
stage_peek_op = _declare("StagePeek(index: int32) -> values: dtypes", _peek, blocking=True, dtypes="list(type) >= 1")
stage_size_op = _declare("StageSize() -> size: int32", _size_kernel(Line), dtypes="list(type)")
stage_clear_op = _declare("StageClear()", _clear_kernel(Line), dtypes="list(type)")
unstage_op.shape(lambda *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
stage_peek_op.shape(lambda index, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
stage_size_op.shape(scalar_shape)

stage_op.samples(one=([np.array([1, 2], np.float32)],))
stage_size_op.samples(empty=sample(dtypes=["float"]))
stage_clear_op.samples(empty=sample(dtypes=["float"]))

# -- by key -----------------------------------------------------------------------------------------------


def _map_ops(prefix: str, kind: type[Keyed]) -> dict[str, OpDef]:
    """The ops on elements by key, in order of the keys or not."""

    def put(key, indices, values, *, dtypes, node, context):
        _stage(kind, node, context).put(number_in(key, "key"), _indices(indices), _kept(values), len(dtypes), context)

    def get(key, indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        return _stage(kind, node, context).get(number_in(key, "key"), _indices(indices), context)

    def get_any(indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        key, values = _stage(kind, node, context).get_any(_indices(indices), context)
        return np.int64(key), values

    def peek(key, indices, *, dtypes, node, context):
        _check_count(indices, dtypes)
        return _stage(kind, node, context).peek(number_in(key, "key"), _indices(indices), context)

    def incomplete_size(*, node, context):
        return np.int32(_stage(kind, node, context).incomplete())

    some: dict[str, Any] = {"dtypes": "list(type) >= 1"}
    any_number: dict[str, Any] = {"dtypes": "list(type)"}
    keyed = "(key: int64, indices: int32)"
    made = {
        "put": _declare(
            f"{prefix}MapStage(key: int64, indices: int32, values: fake_dtypes)",
            put,
            blocking=True,
            **any_number,
            fake_dtypes="list(type) >= 1",
        ),
        "get": _declare(f"{prefix}MapUnstage{keyed} -> values: dtypes", get, blocking=True, **some),
        "get_any": _declare(
            f"{prefix}MapUnstageNoKey(indices: int32) -> key: int64, values: dtypes", get_any, blocking=True, **some
        ),
        "peek": _declare(f"{prefix}MapPeek{keyed} -> values: dtypes", peek, blocking=True, **some),
        "size": _declare(f"{prefix}MapSize() -> size: int32", _size_kernel(kind), **any_number),
        "incomplete_size": _declare(f"{prefix}MapIncompleteSize() -> size: int32", incomplete_size, **any_number),
        "clear": _declare(f"{prefix}MapClear()", _clear_kernel(kind), **any_number),
    }
    made["get"].shape(lambda key, indices, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
    made["peek"].shape(lambda key, indices, *, dtypes: [UNKNOWN_SHAPE] * len(dtypes))
    made["get_any"].shape(lambda indices, *, dtypes: (UNKNOWN_SHAPE, [UNKNOWN_SHAPE] * len(dtypes)))
    made["size"].shape(scalar_shape)
    made["incomplete_size"].shape(scalar_shape)
    return made


by_key = {False: _map_ops("", Keyed), True: _map_ops("Ordered", Ordered)}
