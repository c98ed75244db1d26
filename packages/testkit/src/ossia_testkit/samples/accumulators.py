"""Samples of the ops on accumulators, barriers and kept sparse tensors: each gives, then takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.opdef import Steps, lookup, steps

_ONE, _TWO = np.array([1, 2], np.float32), np.array([10, -4], np.float32)


class _Accumulator:
    """An accumulator in one of the two forms, and the ops on it by name: `TakeGradient(...)`."""

    def __init__(self, by_handle: bool, shape: Any = (2,), dtype: str = "float", **options: Any) -> None:
        import ossia as tf

        self.ops, self.prefix, self.dtype = tf.raw_ops, "Resource" if by_handle else "", dtype
        shape = tf.TensorShape(None) if shape is None else shape
        self.handle = getattr(self.ops, f"{self.prefix}ConditionalAccumulator")(dtype=dtype, shape=shape, **options)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def build(**inputs: Any) -> Any:
            if name == "TakeGradient":
                inputs.setdefault("dtype", self.dtype)
            return getattr(self.ops, f"{self.prefix}Accumulator{name}")(handle=self.handle, **inputs)

        return build


def _in_both(name: str, **table: Callable[..., Any]) -> None:
    """Adds stories that take the form (by handle or not) to both forms of an op."""
    for by_handle, prefix in ((False, ""), (True, "Resource")):
        lookup(prefix + name).samples(**{reason: _story(make, by_handle) for reason, make in table.items()})


def _story(make: Callable[..., Any], by_handle: bool) -> Steps:
    if make.__code__.co_argcount == 1:
        return steps(lambda: make(by_handle))
    return steps(lambda given: make(by_handle, given))


def _averaged(**options: Any) -> Callable[..., Any]:
    def averaged(by_handle: bool, given: Any) -> Any:
        kept = _Accumulator(by_handle, **options)
        yield kept.ApplyGradient(local_step=given(np.int64(0)), gradient=given(_ONE))
        yield kept.ApplyGradient(local_step=given(np.int64(5)), gradient=given(_TWO))
        yield kept.NumAccumulated()
        yield kept.TakeGradient(num_required=1)
        yield kept.ApplyGradient(local_step=given(np.int64(0)), gradient=given(_ONE))  # of an old step: left out
        yield kept.NumAccumulated()
        yield kept.SetGlobalStep(new_global_step=given(np.int64(9)))
        yield kept.ApplyGradient(local_step=given(np.int64(9)), gradient=given(_TWO))
        yield kept.TakeGradient(num_required=1)

    return averaged


def _applied(gradient: Any, **options: Any) -> Callable[..., Any]:
    def applied(by_handle: bool, given: Any) -> Any:
        kept = _Accumulator(by_handle, **options)
        yield kept.ApplyGradient(local_step=given(np.int64(0)), gradient=given(gradient))
        yield kept.NumAccumulated()
        yield kept.TakeGradient(num_required=1)

    return applied


def _applied_at(step: Any) -> Callable[..., Any]:
    def applied(by_handle: bool, given: Any) -> Any:
        yield _Accumulator(by_handle).ApplyGradient(local_step=given(step), gradient=given(_ONE))

    return applied


def _other_shapes(by_handle: bool, given: Any) -> Any:
    kept = _Accumulator(by_handle, shape=None)
    yield kept.ApplyGradient(local_step=np.int64(0), gradient=given(_ONE))
    yield kept.ApplyGradient(local_step=np.int64(0), gradient=given(np.ones(3, np.float32)))


def _taken(num_required: Any, **options: Any) -> Callable[..., Any]:
    def taken(by_handle: bool) -> Any:
        import ossia as tf

        kept = _Accumulator(by_handle)
        yield kept.ApplyGradient(local_step=np.int64(0), gradient=_ONE)
        yield kept.TakeGradient(num_required=tf.constant(num_required), **options)

    return taken


def _back_in_time(by_handle: bool) -> Any:
    kept = _Accumulator(by_handle)
    yield kept.SetGlobalStep(new_global_step=np.int64(5))
    yield kept.SetGlobalStep(new_global_step=np.int64(2))
    yield kept.ApplyGradient(local_step=np.int64(4), gradient=_ONE)
    yield kept.NumAccumulated()


def _step_of(step: Any) -> Callable[..., Any]:
    def at(by_handle: bool, given: Any) -> Any:
        yield _Accumulator(by_handle).SetGlobalStep(new_global_step=given(step))

    return at


_in_both(
    "AccumulatorTakeGradient",
    mean=_averaged(),
    sum=_averaged(reduction_type="SUM"),
    refused_none=_taken(0),
    refused_negative=_taken(-1),
    refused_vector=_taken([1]),
    refused_dtype=_taken(1, dtype="double"),
)
_in_both(
    "AccumulatorApplyGradient",
    any_shape=_applied(np.array([[1, 2]], np.float32), shape=None),
    half=_applied(np.array([1, 2], np.float16), dtype="half"),
    empty=_applied(np.zeros(0, np.float32), shape=[0]),
    nan=_applied(np.array([np.nan, np.inf], np.float32)),
    refused_shape=_applied(np.ones(3, np.float32)),
    refused_rank=_applied(np.float32(1)),
    refused_dtype=_applied(np.ones(2, np.float64)),
    refused_other=_other_shapes,
    refused_step=_applied_at(np.array([1])),
)
_in_both("AccumulatorSetGlobalStep", back=_back_in_time, refused_vector=_step_of(np.array([1])))
_in_both("AccumulatorNumAccumulated", none=lambda by_handle: iter([_Accumulator(by_handle).NumAccumulated()]))


# -- sparse gradients -----------------------------------------------------------------------------------------


class _Sparse:
    def __init__(self, shape: Any = (3, 2), dtype: str = "float", **options: Any) -> None:
        import ossia as tf

        self.ops, self.dtype = tf.raw_ops, dtype
        shape = tf.TensorShape(None) if shape is None else shape
        self.handle = tf.raw_ops.SparseConditionalAccumulator(dtype=dtype, shape=shape, **options)

    def apply(self, indices: Any, values: Any, shape: Any, step: Any = None, known: bool = True) -> Any:
        return self.ops.SparseAccumulatorApplyGradient(
            handle=self.handle,
            local_step=np.int64(0) if step is None else step,
            gradient_indices=indices,
            gradient_values=values,
            gradient_shape=shape,
            has_known_shape=known,
        )

    def take(self, num_required: Any = 1, dtype: str = "float") -> Any:
        return self.ops.SparseAccumulatorTakeGradient(handle=self.handle, num_required=num_required, dtype=dtype)


def _rows(*numbers: int) -> np.ndarray:
    return np.array([[number + 1, -2 * number] for number in numbers], np.float32)


def _sparse_averaged(**options: Any) -> Steps:
    def averaged(given: Any) -> Any:
        kept = _Sparse(**options)
        whole = given(np.array([3, 2]))
        yield kept.apply(given(np.array([0, 2])), given(_rows(0, 2)), whole)
        yield kept.apply(given(np.array([1, 2])), given(_rows(1, 2)), whole)
        yield kept.take()
        yield kept.apply(given(np.array([1])), given(_rows(1)), whole)  # of an old step: left out
        yield kept.apply(given(np.array([1])), given(_rows(1)), whole, step=given(np.int64(4)))
        yield kept.take()

    return steps(averaged)


def _sparse_applied(indices: Any, values: Any, whole: Any, known: bool = True, **options: Any) -> Steps:
    def applied(given: Any) -> Any:
        kept = _Sparse(**options)
        yield kept.apply(given(indices), given(values), given(whole), known=known)
        yield kept.take()

    return steps(applied)


def _sparse_taken(**taken: Any) -> Steps:
    def take() -> Any:
        kept = _Sparse()
        yield kept.apply(np.array([0]), _rows(0), np.array([3, 2]))
        yield kept.take(**taken)

    return steps(take)


_AT, _VALUES, _WHOLE = np.array([0, 2]), np.array([[1, 2], [3, 4]], np.float32), np.array([3, 2])
lookup("SparseAccumulatorTakeGradient").samples(
    mean=_sparse_averaged(),
    sum=_sparse_averaged(reduction_type="SUM"),
    refused_none=_sparse_taken(num_required=0),
    refused_dtype=_sparse_taken(dtype="double"),
    refused_vector=_sparse_taken(num_required=[1]),
)
lookup("SparseAccumulatorApplyGradient").samples(
    any_shape=_sparse_applied(_AT, _VALUES, np.zeros(0, np.int64), known=False, shape=None),
    vector=_sparse_applied(_AT, np.array([1, 2], np.float32), np.array([3]), shape=[3]),
    empty=_sparse_applied(_AT[:0], _VALUES[:0], _WHOLE),
    refused_lengths=_sparse_applied(_AT, _VALUES[:1], _WHOLE),
    refused_matrix=_sparse_applied(_AT[:, None], _VALUES, _WHOLE),
    refused_shape=_sparse_applied(_AT, _VALUES, np.array([4, 2])),
    refused_width=_sparse_applied(_AT, np.ones((2, 3), np.float32), _WHOLE),
    refused_scalar=_sparse_applied(_AT, np.float32(1), _WHOLE),
    refused_dtype=_sparse_applied(_AT, _VALUES.astype("f8"), _WHOLE),
    refused_index=_sparse_applied(np.array([0, 3]), _VALUES, _WHOLE),
    negative=_sparse_applied(np.array([-1, 0]), _VALUES, _WHOLE),
)


# -- barriers -------------------------------------------------------------------------------------------------


def _barrier(shapes: Any = ((2,), ()), types: Any = ("float", "string")) -> Any:
    """The ops on a barrier of two components, with its handle."""
    import ossia as tf

    handle = tf.raw_ops.Barrier(component_types=list(types), shapes=list(shapes))

    def build(name: str, **inputs: Any) -> Any:
        if name == "TakeMany":
            inputs.setdefault("component_types", list(types))
        return getattr(tf.raw_ops, f"Barrier{name}")(handle=handle, **inputs)

    return build


def _completed(given: Any) -> Any:
    on = _barrier()
    yield on(
        "InsertMany", keys=given([b"a", b"b"]), values=given(np.array([[1, 2], [3, 4]], np.float32)), component_index=0
    )
    yield [on("ReadySize"), on("IncompleteSize")]
    yield on("InsertMany", keys=given([b"b", b"c"]), values=given([b"x", b"y"]), component_index=1)
    yield [on("ReadySize"), on("IncompleteSize")]
    yield on("TakeMany", num_elements=1)
    yield on("InsertMany", keys=given([b"c"]), values=given(np.array([[5, 6]], np.float32)), component_index=0)
    yield on("Close")
    yield on("InsertMany", keys=given([b"a"]), values=given([b"last"]), component_index=1)
    yield on("TakeMany", num_elements=5, allow_small_batch=True)
    yield on("TakeMany", num_elements=1)


def _inserted(*calls: tuple[Any, Any, int]) -> Steps:
    def inserted(given: Any) -> Any:
        on = _barrier()
        for keys, values, component in calls:
            yield on("InsertMany", keys=given(keys), values=given(values), component_index=component)
        yield on("IncompleteSize")

    return steps(inserted)


def _taken_from(closed: bool, **inputs: Any) -> Steps:
    def taken() -> Any:
        on = _barrier()
        yield on("InsertMany", keys=[b"a"], values=[b"x"], component_index=1)
        yield on("InsertMany", keys=[b"a"], values=np.ones((1, 2), np.float32), component_index=0)
        if closed:
            yield on("Close", cancel_pending_enqueues=True)
        yield on("TakeMany", **inputs)

    return steps(taken)


def _after_close(key: bytes, cancel: bool) -> Steps:
    def inserted() -> Any:
        on = _barrier()
        yield on("InsertMany", keys=[b"a"], values=[b"x"], component_index=1)
        yield on("Close", cancel_pending_enqueues=cancel)
        yield on("InsertMany", keys=[key], values=np.ones((1, 2), np.float32), component_index=0)

    return steps(inserted)


_KEYS, _PAIRS = [b"a", b"b"], np.ones((2, 2), np.float32)
lookup("BarrierTakeMany").samples(
    refused_end=steps(_completed),
    some=_taken_from(True, num_elements=1),
    none=_taken_from(True, num_elements=0),
    refused_few=_taken_from(True, num_elements=2),
    refused_negative=_taken_from(True, num_elements=-1),
    refused_types=_taken_from(True, num_elements=1, component_types=["float", "float"]),
    refused_count=_taken_from(True, num_elements=1, component_types=["float"]),
    refused_timeout=_taken_from(False, num_elements=2, timeout_ms=50),
)
lookup("BarrierInsertMany").samples(
    pairs=_inserted((_KEYS, _PAIRS, 0)),
    none=_inserted((np.array([], object), _PAIRS[:0], 0)),
    refused_component=_inserted((_KEYS, _PAIRS, 2)),
    refused_negative=_inserted((_KEYS, _PAIRS, -1)),
    refused_lengths=_inserted((_KEYS, _PAIRS[:1], 0)),
    width=_inserted((_KEYS, np.ones((2, 3), np.float32), 0)),
    refused_dtype=_inserted((_KEYS, _PAIRS.astype("f8"), 0)),
    refused_matrix=_inserted(([_KEYS], _PAIRS[None], 0)),
    refused_again=_inserted((_KEYS, _PAIRS, 0), (_KEYS, _PAIRS, 0)),
    refused_twice=_inserted(([b"a", b"a"], _PAIRS, 0)),
    refused_scalar=_inserted((b"a", _PAIRS[0], 0)),
)
lookup("BarrierClose").samples(
    known_key=_after_close(b"a", False),
    refused_new_key=_after_close(b"b", False),
    refused_cancelled=_after_close(b"a", True),
)


# -- kept sparse tensors --------------------------------------------------------------------------------------


def _kept(given: Any) -> Any:
    import ossia as tf

    place = {"shared_name": "store"}
    one = tf.raw_ops.AddSparseToTensorsMap(
        sparse_indices=given(np.array([[0], [3]])),
        sparse_values=given(np.array([1.5, 2], np.float32)),
        sparse_shape=given(np.array([5])),
        **place,
    )
    many = tf.raw_ops.AddManySparseToTensorsMap(
        sparse_indices=given(np.array([[0, 1], [2, 0]])),
        sparse_values=given(np.array([7, 8], np.float32)),
        sparse_shape=given(np.array([3, 4])),
        **place,
    )
    handles = tf.concat([[one], many], 0)
    yield tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype="float", **place)


def _kept_and_taken(dtype: str = "float", again: bool = False, shape: Any = (5,)) -> Steps:
    def taken() -> Any:
        import ossia as tf

        place = {"shared_name": "store"}
        handle = tf.raw_ops.AddSparseToTensorsMap(
            sparse_indices=np.zeros((1, len(shape)), np.int64),
            sparse_values=[1.5],
            sparse_shape=np.array(shape),
            **place,
        )
        handles = tf.stack([handle, handle] if again else [handle])
        yield tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=handles, dtype=dtype, **place)

    return steps(taken)


def _taken_handles(handles: Any) -> Steps:
    def taken(given: Any) -> Any:
        import ossia as tf

        yield tf.raw_ops.TakeManySparseFromTensorsMap(sparse_handles=given(handles), dtype="float", shared_name="store")

    return steps(taken)


lookup("TakeManySparseFromTensorsMap").samples(
    all=steps(_kept),
    matrix=_kept_and_taken(shape=(2, 3)),
    refused_dtype=_kept_and_taken(dtype="double"),
    refused_again=_kept_and_taken(again=True),
    refused_unknown=_taken_handles(np.array([99])),
    refused_negative=_taken_handles(np.array([-1])),
    refused_matrix=_taken_handles(np.array([[0]])),
    refused_none=_taken_handles(np.zeros(0, np.int64)),
)
