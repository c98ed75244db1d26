"""Long updates in few passes: a formula is noted once, as ufuncs, and then run block by block into the same few
buffers, so that what it computes on the way neither leaves the cache nor is allocated."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

_BITS = {2: np.int16, 4: np.int32, 8: np.int64}
_LINE = 64  # bytes of a line of the cache
_SHARED = 1 << 20  # elements for each thread that takes part
_THREADS = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)


class Unnoted(Exception):
    """A formula does what cannot be noted; it has to run as it is."""


class Step:
    """A function of values by number, the last of which it writes."""

    __slots__ = ("apart", "fn", "inputs", "keywords", "out")

    def __init__(self, fn: Callable, inputs: list[int], out: int, keywords: dict[str, Any], apart: bool) -> None:
        self.fn, self.inputs, self.out, self.keywords = fn, inputs, out, keywords
        self.apart = apart  # whether the result must not take an input's place


class Notes:
    """The steps of a formula. Values are numbered: first its arrays, then constants and results as they come."""

    def __init__(self, dtypes: Sequence[np.dtype]) -> None:
        self.arrays = len(dtypes)
        self.steps: list[Step] = []
        self.dtypes: list[np.dtype | None] = list(dtypes)  # None of a constant
        self.constants: dict[int, Any] = {}

    def number(self, value: Any) -> int:
        """The number of an input of a step."""
        if isinstance(value, Noted):
            if value.number is None:
                raise Unnoted
            return value.number
        if np.ndim(value):
            raise Unnoted
        self.dtypes.append(None)
        # As an array, which a ufunc takes sooner than a scalar; but a number of Python's has no dtype of its own.
        self.constants[len(self.dtypes) - 1] = np.asarray(value) if isinstance(value, np.generic) else value
        return len(self.dtypes) - 1

    def add(self, fn: Callable, inputs: Sequence[Any], result: np.ndarray, out: Any = None, **options: Any) -> Any:
        """Note a step, whose result for the example is known; returns the result, to be noted on."""
        apart = options.pop("apart", False)
        numbers = [self.number(value) for value in inputs]
        if out is None:
            out = result.view(Noted)
            out.notes, out.number = self, len(self.dtypes)
            self.dtypes.append(result.dtype)
        self.steps.append(Step(fn, numbers, self.number(out), options, apart))
        return out

    def store(self, target: Noted, value: Any) -> None:
        """Note that an array takes a value: the step that has just computed it writes there at once."""
        last = self.steps[-1] if self.steps else None
        to = self.number(target)
        if isinstance(value, Noted) and last is not None and last.out == value.number and last.out >= self.arrays:
            if self.dtypes[last.out] == self.dtypes[to] and not (last.apart and to in last.inputs):
                last.out = value.number = to
                return
        self.steps.append(Step(_copied, [self.number(value)], to, {}, False))


class Noted(np.ndarray):
    """An example of an array of a formula; what is computed with it is noted."""

    notes: Notes
    number: int | None

    def __array_finalize__(self, other: Any) -> None:
        self.number = None  # of a view

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        out = keywords.pop("out", (None,))[0]
        if method != "__call__" or ufunc.nout != 1 or keywords.keys() - {"dtype"}:
            raise Unnoted
        notes = next(value.notes for value in (*inputs, out) if isinstance(value, Noted) and value.number is not None)
        result = ufunc(*map(_plain, inputs), out=None if out is None else _plain(out), **keywords)
        return notes.add(ufunc, inputs, result, out, **keywords)

    def __array_function__(self, fn: Callable, types: Any, args: Any, keywords: Any) -> Any:
        raise Unnoted

    def __setitem__(self, where: Any, value: Any) -> None:
        if where is not Ellipsis or self.number is None:
            raise Unnoted
        _plain(self)[...] = _plain(value)
        self.notes.store(self, value)

    def copy(self, order: Any = "C") -> Any:
        raise Unnoted

    def astype(self, *args: Any, **keywords: Any) -> Any:
        raise Unnoted


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, Noted) else value


def _copied(value: Any, out: np.ndarray) -> None:
    np.copyto(out, value)


def notable(fn: Callable) -> Callable:
    """Make a function of arrays that a formula may use as one step.

    Args:
      fn: called with the inputs, the first of which is an array, and `out`, an array like it that shares no memory
        with them; it must read whole arrays element by element, so that blocks do not matter.

    Returns:
      The function of the inputs alone.
    """

    def call(*inputs: Any) -> Any:
        result = np.empty(inputs[0].shape, inputs[0].dtype)
        fn(*map(_plain, inputs), out=result)
        found = [value for value in inputs if isinstance(value, Noted)]
        return found[0].notes.add(fn, inputs, result, apart=True) if found else result

    return call


@notable
def kept(values: np.ndarray, where: np.ndarray, out: np.ndarray) -> None:
    """`values` where the condition holds, zero elsewhere; by way of bits, several times faster than `np.where`."""
    bits = _BITS.get(values.dtype.itemsize)
    if bits is None:
        out[...] = np.where(where, values, values.dtype.type(0))
        return
    to = out.view(bits)
    np.copyto(to, where)
    np.multiply(values.view(bits), to, out=to)


@notable
def larger(values: np.ndarray, others: np.ndarray, out: np.ndarray) -> None:
    """`others` where they are larger, else `values`; a NaN is neither larger nor smaller than anything."""
    np.maximum(values, others, out=out)
    if out.size and np.isnan(out.max()):  # which is quick to tell, and rare
        np.copyto(out, np.where(others > values, others, values))


@notable
def agreement(x: np.ndarray, y: np.ndarray, out: np.ndarray) -> None:
    """The product of the signs of two arrays; the sign of NaN is zero."""
    signs = [np.greater(a, 0).view(np.int8) for a in (x, y)]
    for sign, a in zip(signs, (x, y)):
        sign -= np.less(a, 0).view(np.int8)
    signs[0] *= signs[1]
    np.copyto(out, signs[0])


def noted(arrays: Sequence[np.ndarray], run: Callable) -> Notes | None:
    """The steps of a formula; None if it cannot be noted.

    Args:
      arrays: the formula's arrays, of one dimension, with at least an element; they stay as they are.
      run: calls the formula with examples in the place of the arrays.
    """
    notes = Notes([array.dtype for array in arrays])
    examples = []
    for number, array in enumerate(arrays):
        example = array[:1].copy().view(Noted)
        example.notes, example.number = notes, number
        examples.append(example)
    try:
        run(examples)
    except Unnoted:
        return None
    return notes


def run_in_blocks(notes: Notes, arrays: Sequence[np.ndarray], cache: int) -> None:
    """Run noted steps over whole arrays, in blocks that fit into a cache of so many bytes together with all that is
    computed on the way. Long arrays are shared among threads, which take the next block whenever they are done with
    one: NumPy lets go of the interpreter while it computes, and no element depends on another."""
    places, dtypes = _places(notes)
    width = sum(array.itemsize for array in arrays) + sum(dtype.itemsize for dtype in dtypes)
    block, size = max(1, cache // width // _LINE * _LINE or cache // width), arrays[0].size
    first = min(_unaligned(arrays), size, block)
    starts = iter([*([0] if first else []), *range(first, size, block)])
    state = np.geterr()  # which threads have of their own
    failed: list[BaseException] = []

    def work() -> None:
        scratch = [_aligned(block, dtype) for dtype in dtypes]
        try:
            with np.errstate(**state):
                for start in starts:
                    stop = first if start < first else min(start + block, size)
                    buffers = {number: scratch[place][: stop - start] for number, place in places.items()}
                    _run(notes, [array[start:stop] for array in arrays], buffers)
        except BaseException as error:
            failed.append(error)

    helpers = [threading.Thread(target=work) for _ in range(min(_THREADS, size // _SHARED) - 1)]
    for helper in helpers:
        helper.start()
    work()
    for helper in helpers:
        helper.join()
    if failed:
        raise failed[0]


def _run(notes: Notes, arrays: Sequence[np.ndarray], buffers: dict[int, np.ndarray]) -> None:
    values: list[Any] = [*arrays, *[None] * (len(notes.dtypes) - len(arrays))]
    for given in (notes.constants, buffers):
        for number, value in given.items():
            values[number] = value
    for step in notes.steps:
        step.fn(*[values[number] for number in step.inputs], out=values[step.out], **step.keywords)


def _aligned(size: int, dtype: np.dtype) -> np.ndarray:
    """A new array that starts where a line of the cache does."""
    whole = np.empty(size * dtype.itemsize + _LINE, np.uint8)
    start = -whole.ctypes.data % _LINE
    return whole[start : start + size * dtype.itemsize].view(dtype)


def _unaligned(arrays: Sequence[np.ndarray]) -> int:
    """How many elements stand before the first line of the cache, if that is so for all arrays alike; else 0."""
    found = {-array.ctypes.data % _LINE / array.itemsize for array in arrays}
    return int(found.pop()) if len(found) == 1 else 0


def _places(notes: Notes) -> tuple[dict[int, int], list[np.dtype]]:
    """Which buffer each result goes to, and the buffers' dtypes: one is used again once its value has been."""
    last: dict[int, int] = {}
    for at, step in enumerate(notes.steps):
        for number in (*step.inputs, step.out):
            last[number] = at
    places: dict[int, int] = {}
    dtypes: list[np.dtype] = []
    free: dict[np.dtype, list[int]] = {}

    def release(at: int, numbers: Sequence[int]) -> None:
        for number in dict.fromkeys(numbers):
            if number in places and last[number] == at:
                free.setdefault(dtypes[places[number]], []).append(places[number])

    for at, step in enumerate(notes.steps):
        if not step.apart:
            release(at, step.inputs)
        dtype = notes.dtypes[step.out]
        if step.out >= notes.arrays and step.out not in places and dtype is not None:
            if not free.get(dtype):
                free.setdefault(dtype, []).append(len(dtypes))
                dtypes.append(dtype)
            places[step.out] = free[dtype].pop()
        if step.apart:
            release(at, step.inputs)
        if last[step.out] == at and step.out in places and step.out not in step.inputs:
            release(at, [step.out])
    return places, dtypes
