"""`map_fn`, `foldl`, `foldr` and `scan`: loops over the first dimension of tensors, as while loops over
TensorArrays."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.control.while_loop import while_loop
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape, dimension_value
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import get_variable_scope
from ossia_ops.array.shape import shape
from ossia_ops.control.tensor_array import TensorArray


@contextlib.contextmanager
def _variables_cached() -> Iterator[None]:
    """Variables that the functions read are copied to where they are read once, not in every step."""
    scope = get_variable_scope()
    if scope.caching_device is not None:
        yield
        return
    scope.set_caching_device(lambda op: op.device)
    try:
        yield
    finally:
        scope.set_caching_device(None)


def _flat(structure: Any) -> list:
    return nest.flatten(structure) if nest.is_sequence(structure) else [structure]


def _pack(structure: Any, items: list) -> Any:
    return nest.pack_sequence_as(structure, items) if nest.is_sequence(structure) else items[0]


def _map(function: Callable, structure: Any) -> Any:
    return _pack(structure, [function(item) for item in _flat(structure)])


def _tensors(structure: Any, name: str) -> Any:
    return _map(lambda item: convert_to_tensor(item, name=name), structure)


def _size(tensor: Tensor, zero: bool = False) -> Any:
    """The size of the first dimension: an int if it is known, and unless `zero` another than 0."""
    known = dimension_value(tensor.shape[0]) if tensor.shape.ndims != 0 else tensor.shape.as_list()[0]
    return shape(tensor)[0] if known is None or (known == 0 and not zero) else known


def _array(tensor: Tensor, size: Any, element_shape: Any = None) -> TensorArray:
    return TensorArray(tensor.dtype, size, dynamic_size=False, element_shape=element_shape, infer_shape=True)


def _unstacked(arrays: list[TensorArray], tensors: list[Tensor]) -> list[TensorArray]:
    return [array.unstack(t) for array, t in zip(arrays, tensors)]


def _check(fn: Any) -> None:
    if not callable(fn):
        raise TypeError("fn must be callable.")


@public("map_fn")
def map_fn(fn: Callable, elems: Any, dtype: Any = None, parallel_iterations: int | None = None, back_prop: bool = True,
           swap_memory: bool = False, infer_shape: bool = True, name: str | None = None) -> Any:
    """`fn` of each slice of `elems` along the first dimension, stacked.

    Args:
      fn: takes one slice (in the structure of `elems`), returns tensors in the structure of `dtype`.
      elems: a tensor, or nested tensors of equal first dimension.
      dtype: dtypes of the results; those of `elems` if None.
      parallel_iterations: steps that may run at once; 10 if None.
      back_prop: whether gradients may flow through.
      swap_memory: whether values kept for the gradient may move to other memory.
      infer_shape: whether all results of a step have the same shape in every step.
      name: name scope of the ops made.

    Raises:
      TypeError: `fn` is not callable, or `elems` is a SparseTensor.
      ValueError: `elems` are scalars, differ in their first dimension, or `fn` returns another structure.
    """
    _check(fn)
    if isinstance(elems, SparseTensor):
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either  SparseTensor(input.indices, "
            "fn(input.values), input.dense_shape) or  SparseTensor(input.indices, map_fn(fn, input.values), "
            "input.dense_shape)"
        )
    with name_scope(name, "map", _flat(elems)), _variables_cached():
        elems = _tensors(elems, "elem")
        flat = _flat(elems)
        if flat[0].shape.ndims == 0:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
        results = elems if dtype is None else dtype
        kinds = [t.dtype for t in flat] if dtype is None else _flat(dtype)
        n = _size(flat[0])
        read = _unstacked([_array(t, n) for t in flat], flat)
        start = constant(0)
        written = [TensorArray(kind, n, dynamic_size=False, infer_shape=infer_shape) for kind in kinds]

        def step(i: Tensor, arrays: list) -> Any:
            values = fn(_pack(elems, [array.read(i) for array in read]))
            nest.assert_same_structure(_pack(elems, kinds) if dtype is None else dtype, values)
            arrays = [array.write(i, value) for array, value in zip(arrays, _flat(values))]
            return i + 1, arrays

        _, written = while_loop(
            lambda i, _: i < n,
            step,
            (start, written),
            parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=n,
        )
        return _pack(results, _stacked(written, flat))


def _stacked(arrays: list[TensorArray], elems: list[Tensor]) -> list[Tensor]:
    """What was written, stacked, with the static first dimension of the elements."""
    stacked = [array.stack() for array in arrays]
    first = elems[0].shape.with_rank_at_least(1)[0]
    for t in elems[1:]:
        first = first.merge_with(t.shape.with_rank_at_least(1)[0])
    for t in stacked:
        t.set_shape(TensorShape([first]).concatenate(t.shape[1:]))
    return stacked


def _fold(
    fn: Callable,
    elems: Any,
    initializer: Any,
    backwards: bool,
    parallel_iterations: int,
    back_prop: bool,
    swap_memory: bool,
    name: str | None,
    default_name: str,
) -> Any:
    _check(fn)
    with name_scope(name, default_name, _flat(elems)), _variables_cached():
        given = _flat(elems)
        elems = _tensors(elems, "elem")
        flat = _flat(elems)
        n = _size(flat[0])
        # Variables are read once more where they are taken apart, as in the original.
        read = [_array(t, n).unstack(item) for t, item in zip(flat, given, strict=True)]
        if initializer is None:
            first = n - 1 if backwards else 0
            value = _pack(elems, [array.read(first) for array in read])
            start = first if backwards else constant(1)
        else:
            value = initializer
            start = n if backwards else constant(0)

        def step(i: Tensor, value: Any) -> Any:
            if backwards:
                i = i - 1
            elem = _pack(elems, [array.read(i) for array in read])
            following = fn(value, elem)
            return [i, following] if backwards else [i + 1, following]
        _, value = while_loop(
            (lambda i, _: i > 0) if backwards else (lambda i, _: i < n),
            step,
            [start, value],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=n,
        )
        return value


@public("foldl")
def foldl(fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
          swap_memory: bool = False, name: str | None = None) -> Any:
    """`fn(... fn(fn(initializer, elems[0]), elems[1]) ..., elems[n - 1])`.

    Args:
      fn: takes the value so far and a slice of `elems`, returns the next value in the structure of the first one.
      elems: a tensor, or nested tensors of equal first dimension.
      initializer: the first value; the first slice if None.
      parallel_iterations: steps that may run at once.
      back_prop: whether gradients may flow through.
      swap_memory: whether values kept for the gradient may move to other memory.
      name: name scope of the ops made.

    Raises:
      TypeError: `fn` is not callable.
      ValueError: `fn` returns another structure, or a value of another shape.
    """
    return _fold(fn, elems, initializer, False, parallel_iterations, back_prop, swap_memory, name, "foldl")


@public("foldr")
def foldr(fn: Callable, elems: Any, initializer: Any = None, parallel_iterations: int = 10, back_prop: bool = True,
          swap_memory: bool = False, name: str | None = None) -> Any:
    """`foldl` from the last slice to the first: `fn(... fn(initializer, elems[n - 1]) ..., elems[0])`."""
    return _fold(fn, elems, initializer, True, parallel_iterations, back_prop, swap_memory, name, "foldr")


@public("scan")
def scan(
    fn: Callable,
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All values of `foldl` (of `foldr`, if `reverse`), stacked: the value after each slice of `elems`.

    Args:
      fn: takes the value so far and a slice of `elems`, returns the next value in the structure of the first one.
      elems: a tensor, or nested tensors of equal first dimension.
      initializer: the value before the first slice; if None, the first slice is the first value.
      parallel_iterations: steps that may run at once.
      back_prop: whether gradients may flow through.
      swap_memory: whether values kept for the gradient may move to other memory.
      infer_shape: whether the values have the same shape in every step.
      reverse: whether to start at the last slice.
      name: name scope of the ops made.

    Raises:
      TypeError: `fn` is not callable.
      ValueError: `fn` returns another structure, or a value of another shape.
    """
    _check(fn)
    with name_scope(name, "scan", _flat(elems)), _variables_cached():
        elems = _tensors(elems, "elem")
        flat = _flat(elems)
        n = _size(flat[0], zero=True)
        read = _unstacked([_array(t, n, t.shape[1:]) for t in flat], flat)
        if initializer is None:
            structure, values, i = elems, [array.read(n - 1 if reverse else 0) for array in read], 1
        else:
            structure, i = initializer, 0
            values = [convert_to_tensor(value) for value in _flat(initializer)]
        written = [
            TensorArray(
                value.dtype,
                n,
                dynamic_size=False,
                element_shape=value.shape if infer_shape else None,
                infer_shape=infer_shape,
            )
            for value in values
        ]
        if initializer is None:
            written = [array.write(n - 1 if reverse else 0, value) for array, value in zip(written, values)]

        def step(i: Tensor, values: list, arrays: list) -> Any:
            elem = _pack(elems, [array.read(i) for array in read])
            value = fn(_pack(structure, values), elem)
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            following = _flat(value)
            arrays = [array.write(i, v) for array, v in zip(arrays, following)]
            return (i - 1 if reverse else i + 1), following, arrays
        _, _, written = while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < n),
            step,
            (n - 1 - i if reverse else i, values, written),
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=n,
        )
        return _pack(structure, _stacked(written, flat))
