"""Samples of the ops on lists of tensors and on optional values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_ROWS = np.arange(6, dtype=np.float32).reshape(3, 2)
_TWO, _ANY = np.array([2], np.int32), np.array(-1, np.int32)


def _raw(name: str, **inputs: Any) -> Any:
    import ossia as tf

    return getattr(tf.raw_ops, name)(**inputs)


def _rows(given: Any = None, shape: Any = _TWO) -> Any:
    """A list of the three rows."""
    tensor = _ROWS if given is None else given(_ROWS)
    return _raw("TensorListFromTensor", tensor=tensor, element_shape=shape)


def _stack(items: Any, shape: Any = _TWO, **more: Any) -> Any:
    return _raw("TensorListStack", input_handle=items, element_shape=shape, element_dtype="float", **more)


def _story(build: Callable[..., Any]) -> Steps:
    """One run of what `build` makes, with inputs to be fed if it has a parameter."""
    if build.__code__.co_argcount:
        return steps(lambda given: iter([build(given)]))
    return steps(lambda: iter([build()]))


def _tell(items: Any, dtype: str = "float") -> Any:
    """The length and the shape of a list's elements."""
    return [
        _raw("TensorListLength", input_handle=items),
        _raw("TensorListElementShape", input_handle=items, shape_type="int32"),
    ]


# -- making ---------------------------------------------------------------------------------------------------


def _pushed(given: Any) -> Any:
    items = _raw("EmptyTensorList", element_shape=given(_TWO), max_num_elements=given(_ANY), element_dtype="float")
    for row in _ROWS:
        items = _raw("TensorListPushBack", input_handle=items, tensor=given(row))
    rest, last = _raw("TensorListPopBack", input_handle=items, element_shape=given(_TWO), element_dtype="float")
    return [last, _stack(rest), *_tell(rest)]


def _push(value: Any, limit: int = -1, shape: Any = _TWO, times: int = 1) -> Steps:
    def push(given: Any) -> Any:
        items = _raw("EmptyTensorList", element_shape=shape, max_num_elements=np.int32(limit), element_dtype="float")
        for _ in range(times):
            items = _raw("TensorListPushBack", input_handle=items, tensor=given(value))
        return _tell(items)

    return _story(push)


def _pop(shape: Any = _TWO, dtype: str = "float", count: int = 0) -> Steps:
    def pop(given: Any) -> Any:
        items = _raw("EmptyTensorList", element_shape=_TWO, max_num_elements=_ANY, element_dtype="float")
        for row in _ROWS[:count]:
            items = _raw("TensorListPushBack", input_handle=items, tensor=given(row))
        return _raw("TensorListPopBack", input_handle=items, element_shape=given(shape), element_dtype=dtype)[1]

    return _story(pop)


def _reserve(size: Any, shape: Any = _TWO) -> Steps:
    return _story(
        lambda given: _tell(
            _raw(
                "TensorListReserve",
                element_shape=given(shape),
                num_elements=given(np.array(size, np.int32)),
                element_dtype="float",
            )
        )
    )


lookup("TensorListPushBack").samples(
    back=_story(_pushed),
    any_shape=_push(np.ones((1, 3), np.float32), shape=_ANY),
    scalar=_push(np.float32(1), shape=_ANY),
    limit=_push(_ROWS[0], limit=2, times=2),
    refused_limit=_push(_ROWS[0], limit=1, times=2),
    refused_shape=_push(np.ones(3, np.float32)),
    refused_rank=_push(np.float32(1)),
    refused_dtype=_push(np.array([1, 2], np.int32)),
)
lookup("TensorListPopBack").samples(
    some=_pop(count=2),
    any_shape=_pop(count=1, shape=_ANY),
    refused_empty=_pop(),
    refused_dtype=_pop(count=1, dtype="int32"),
)
lookup("TensorListReserve").samples(
    three=_reserve(3),
    none=_reserve(0),
    partial=_reserve(2, np.array([-1, 2], np.int32)),
    any=_reserve(2, _ANY),
    refused_negative=_reserve(-1),
    vector=_reserve([3]),
    refused_shape=_reserve(3, np.array([[2]], np.int32)),
    refused_dimension=_reserve(3, np.array([-2], np.int32)),
)
lookup("EmptyTensorList").samples(
    long=_story(
        lambda given: _tell(
            _raw(
                "EmptyTensorList",
                element_shape=given(np.array([2, -1])),
                max_num_elements=given(_ANY),
                element_dtype="string",
            )
        )
    ),
    refused_limit=_story(
        lambda given: _tell(
            _raw(
                "EmptyTensorList",
                element_shape=_TWO,
                max_num_elements=given(np.array([1], np.int32)),
                element_dtype="float",
            )
        )
    ),
)


def _from_tensor(value: Any, shape: Any) -> Steps:
    return _story(lambda given: _tell(_raw("TensorListFromTensor", tensor=given(value), element_shape=given(shape))))


lookup("TensorListFromTensor").samples(
    rows=_from_tensor(_ROWS, _TWO),
    none=_from_tensor(_ROWS[:0], _TWO),
    any=_from_tensor(_ROWS, _ANY),
    text=_from_tensor(np.array([b"a", b"b"], object), np.zeros(0, np.int32)),
    refused_scalar=_from_tensor(np.float32(1), _ANY),
    refused_shape=_from_tensor(_ROWS, np.array([3], np.int32)),
)


# -- parts ----------------------------------------------------------------------------------------------------


def _get(index: Any, shape: Any = _TWO, dtype: str = "float") -> Steps:
    return _story(
        lambda given: _raw(
            "TensorListGetItem",
            input_handle=_rows(given),
            index=given(np.array(index, np.int32)),
            element_shape=given(shape),
            element_dtype=dtype,
        )
    )


def _get_unset(shape: Any, reserved: Any = _TWO) -> Steps:
    return _story(
        lambda: _raw(
            "TensorListGetItem",
            index=1,
            element_shape=shape,
            element_dtype="float",
            input_handle=_raw("TensorListReserve", element_shape=reserved, num_elements=2, element_dtype="float"),
        )
    )


def _set(index: Any, value: Any) -> Steps:
    return _story(
        lambda given: _stack(
            _raw(
                "TensorListSetItem",
                input_handle=_rows(given),
                index=given(np.array(index, np.int32)),
                item=given(value),
            )
        )
    )


def _resize(size: Any) -> Steps:
    return _story(
        lambda given: _stack(_raw("TensorListResize", input_handle=_rows(given), size=given(np.array(size, np.int32))))
    )


lookup("TensorListGetItem").samples(
    one=_get(1),
    unset=_get_unset(_TWO),
    refused_unset=_get_unset(_ANY, _ANY),
    refused_index=_get(3),
    refused_negative=_get(-1),
    refused_dtype=_get(0, dtype="int32"),
    refused_shape=_get(0, np.array([3], np.int32)),
    vector=_get([0]),
)
lookup("TensorListSetItem").samples(
    one=_set(1, np.array([7, 8], np.float32)),
    refused_index=_set(3, _ROWS[0]),
    refused_negative=_set(-1, _ROWS[0]),
    refused_shape=_set(0, np.ones(3, np.float32)),
    refused_dtype=_set(0, np.array([1, 2], np.int32)),
)
lookup("TensorListResize").samples(
    shorter=_resize(1),
    same=_resize(3),
    longer=_resize(5),
    none=_resize(0),
    refused_negative=_resize(-1),
    refused_vector=_resize([2]),
)
lookup("TensorListLength").samples(of_rows=_story(lambda given: _raw("TensorListLength", input_handle=_rows(given))))
lookup("TensorListElementShape").samples(
    long=_story(lambda: _raw("TensorListElementShape", input_handle=_rows(), shape_type="int64")),
    any=_story(lambda: _raw("TensorListElementShape", input_handle=_rows(shape=_ANY), shape_type="int32")),
)


# -- together -------------------------------------------------------------------------------------------------


def _stacked(shape: Any = _TWO, count: int = -1, dtype: str = "float") -> Steps:
    return _story(
        lambda given: _raw(
            "TensorListStack",
            input_handle=_rows(given),
            element_shape=given(shape),
            num_elements=count,
            element_dtype=dtype,
        )
    )


def _stacked_unset(shape: Any, reserved: Any, size: int = 2) -> Steps:
    return _story(
        lambda: _stack(
            _raw("TensorListReserve", element_shape=reserved, num_elements=size, element_dtype="float"), shape
        )
    )


def _gathered(indices: Any, shape: Any = _TWO, dtype: str = "float") -> Steps:
    return _story(
        lambda given: _raw(
            "TensorListGather",
            input_handle=_rows(given),
            indices=given(np.array(indices, np.int32)),
            element_shape=given(shape),
            element_dtype=dtype,
        )
    )


def _scattered(indices: Any, value: Any = _ROWS, size: Any = None, shape: Any = _TWO) -> Steps:
    def scattered(given: Any) -> Any:
        name, more = (
            ("TensorListScatter", {})
            if size is None
            else ("TensorListScatterV2", {"num_elements": given(np.array(size, np.int32))})
        )
        return _stack(
            _raw(
                name,
                tensor=given(value),
                indices=given(np.array(indices, np.int32)),
                element_shape=given(shape),
                **more,
            )
        )

    return _story(scattered)


def _scattered_into(indices: Any, value: Any) -> Steps:
    return _story(
        lambda given: _stack(
            _raw(
                "TensorListScatterIntoExistingList",
                input_handle=_rows(given),
                tensor=given(value),
                indices=given(np.array(indices, np.int32)),
            )
        )
    )


lookup("TensorListStack").samples(
    rows=_stacked(),
    any=_stacked(_ANY),
    count=_stacked(count=3),
    unset=_stacked_unset(_TWO, _TWO),
    none=_stacked_unset(_TWO, _ANY, 0),
    refused_none=_stacked_unset(_ANY, _ANY, 0),
    refused_unset=_stacked_unset(_ANY, _ANY),
    refused_count=_stacked(count=4),
    refused_shape=_stacked(np.array([3], np.int32)),
    refused_dtype=_stacked(dtype="int32"),
)
lookup("TensorListGather").samples(
    some=_gathered([2, 0, 2]),
    none=_gathered([]),
    refused_index=_gathered([3]),
    refused_negative=_gathered([-1]),
    refused_dtype=_gathered([0], dtype="int32"),
    refused_shape=_gathered([0], np.array([3], np.int32)),
)
_SCATTERED: dict[str, Any] = {
    "rows": ([2, 0, 1],),
    "repeated": ([0, 1, 0],),
    "none": ([], _ROWS[:0]),
    "refused_negative": ([0, -1, 1],),
    "refused_count": ([0, 1],),
    "refused_many": ([0, 1, 2, 3],),
    "refused_shape": ([0, 1, 2], np.ones((3, 3), np.float32)),
    "refused_scalar": ([0], np.float32(1)),
    "matrix": ([[0, 1, 2]],),
}
lookup("TensorListScatter").samples(
    **{key: _scattered(*inputs) for key, inputs in _SCATTERED.items()}, gap=_scattered([4, 0, 1])
)
lookup("TensorListScatterV2").samples(
    **{key: _scattered(inputs[0], inputs[1] if len(inputs) > 1 else _ROWS, 3) for key, inputs in _SCATTERED.items()},
    free=_scattered([4, 0, 1], size=-1),
    refused_index=_scattered([3, 0, 1], size=3),
    refused_size=_scattered([0, 1, 2], size=-2),
)
lookup("TensorListScatterIntoExistingList").samples(
    some=_scattered_into([2, 0], -_ROWS[:2]),
    none=_scattered_into([], _ROWS[:0]),
    longer=_scattered_into([4], _ROWS[:1]),
    refused_negative=_scattered_into([-1], _ROWS[:1]),
    refused_count=_scattered_into([0, 1, 2], _ROWS[:2]),
    refused_dtype=_scattered_into([0], np.array([[1, 2]])),
    refused_scalar=_scattered_into([0], np.float32(1)),
)


def _concatenated(
    version: str,
    value: Any = _ROWS,
    lengths: Any = (1, 0, 2),
    dtype: str = "float",
    shape: Any = (-1, 2),
    leading: Any = (),
) -> Steps:
    def concatenated(given: Any) -> Any:
        import ossia as tf

        pieces = _raw(
            "TensorListSplit",
            tensor=given(value),
            element_shape=np.array(shape, np.int32),
            lengths=given(np.array(lengths, np.int64)),
        )
        more: dict[str, Any] = (
            {"element_shape": tf.TensorShape([None, *shape[1:]])}
            if not version
            else {"element_shape": np.array(shape, np.int32), "leading_dims": np.array(leading, np.int64)}
        )
        return list(_raw(f"TensorListConcat{version}", input_handle=pieces, element_dtype=dtype, **more))

    return _story(concatenated)


def _concatenated_unset(version: str, leading: Any = ()) -> Steps:
    def concatenated() -> Any:
        import ossia as tf

        items = _raw(
            "TensorListReserve", element_shape=np.array([-1, 2], np.int32), num_elements=2, element_dtype="float"
        )
        more: dict[str, Any] = (
            {"element_shape": tf.TensorShape([None, 2])}
            if not version
            else {"element_shape": np.array([-1, 2], np.int32), "leading_dims": np.array(leading, np.int64)}
        )
        return list(_raw(f"TensorListConcat{version}", input_handle=items, element_dtype="float", **more))

    return _story(concatenated)


for _version in ("", "V2"):
    lookup(f"TensorListConcat{_version}").samples(
        rows=_concatenated(_version),
        refused_dtype=_concatenated(_version, dtype="int32"),
        refused_unset=_concatenated_unset(_version),
    )
lookup("TensorListConcatV2").samples(
    unset=_concatenated_unset("V2", [1, 2]), refused_few=_concatenated_unset("V2", [1])
)
lookup("TensorListSplit").samples(
    refused_sum=_concatenated("V2", lengths=[1, 1]),
    refused_negative=_concatenated("V2", lengths=[-1, 4]),
    refused_scalar=_concatenated("V2", value=np.float32(1)),
    refused_matrix=_concatenated("V2", lengths=[[1, 2]]),
    refused_shape=_concatenated("V2", shape=(-1, 3)),
)


def _two_lists(name: str, second: Any = _ROWS, dtype: str = "float") -> Steps:
    def both(given: Any) -> Any:
        import ossia as tf

        last = _raw("TensorListFromTensor", tensor=given(second), element_shape=np.array(second.shape[1:], np.int32))
        if name == "TensorListConcatLists":
            return _tell(_raw(name, input_a=_rows(given), input_b=last, element_dtype=dtype))
        lists = tf.stack([_rows(given), last])
        pushed = _raw(name, input_handles=lists, tensor=given(_ROWS[:2]))
        return [_stack(part) for part in tf.unstack(pushed, num=2)]

    return _story(both)


lookup("TensorListConcatLists").samples(
    both=_two_lists("TensorListConcatLists"),
    refused_dtype=_two_lists("TensorListConcatLists", dtype="int32"),
    refused_shapes=_two_lists("TensorListConcatLists", np.ones((1, 3), np.float32)),
)
lookup("TensorListPushBackBatch").samples(both=_two_lists("TensorListPushBackBatch"))


# -- optional values ------------------------------------------------------------------------------------------


def _optional(given: Any) -> Any:
    made = _raw("OptionalFromValue", components=[given(_ROWS), given(b"text")])
    values = _raw("OptionalGetValue", optional=made, output_types=["float", "string"], output_shapes=[[3, 2], []])
    return [*values, _raw("OptionalHasValue", optional=made), _raw("OptionalHasValue", optional=_raw("OptionalNone"))]


def _got(types: Any, shapes: Any, none: bool = False) -> Steps:
    def got(given: Any) -> Any:
        made = _raw("OptionalNone") if none else _raw("OptionalFromValue", components=[given(_ROWS)])
        return list(_raw("OptionalGetValue", optional=made, output_types=types, output_shapes=shapes))

    return _story(got)


lookup("OptionalGetValue").samples(
    both=_story(_optional),
    refused_none=_got(["float"], [[3, 2]], none=True),
    refused_dtype=_got(["int32"], [[3, 2]]),
    refused_count=_got(["float", "float"], [[3, 2], [3, 2]]),
    refused_shape=_got(["float"], [[3, 3]]),
    part=_got(["float"], [[None, 2]]),
)
for _name in ("OptionalFromValue", "OptionalHasValue", "OptionalNone"):
    lookup(_name).samples(both=lookup("OptionalGetValue").sample_table["both"])
