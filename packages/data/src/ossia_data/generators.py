"""Datasets of Python generators: the functions that call them, as ops of the graph."""
from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup
from ossia_core.forks import renewed
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_data import structure
from ossia_data.functions import ElementFunction
from ossia_ops.control.py_func import py_func


class _Generators:
    """The generators that are at work, by number."""

    def __init__(self, generator: Callable) -> None:
        self._generator = generator
        self._numbers = itertools.count()
        self._arguments: dict[int, tuple] = {}
        self._working: dict[int, Iterator[Any]] = {}
        self._lock = renewed(threading.Lock())

    def begin(self, *arguments: Any) -> np.int64:
        """The number of a new generator, called with these arguments when its first element is wanted."""
        with self._lock:
            number = next(self._numbers)
            self._arguments[number] = arguments
        return np.int64(number)

    def next(self, number: Any) -> Any:
        """The next element; StopIteration at the end."""
        with self._lock:
            if number not in self._working:
                self._working[number] = iter(self._generator(*self._arguments.pop(number)))
            found = self._working[number]
        return next(found)

    def end(self, number: Any) -> np.int64:
        """Forget a generator."""
        with self._lock:
            self._working.pop(number, None)
        return np.int64(0)


def _array(value: Any, spec: TensorSpec) -> np.ndarray:
    kind = object if spec.dtype is dtypes.string else spec.dtype.as_numpy_dtype
    try:
        found = np.array(value, dtype=kind)
    except (TypeError, ValueError):
        raise TypeError(
            f"`generator` yielded an element that could not be converted to the expected type. The expected type was "
            f"{spec.dtype.name}, but the yielded element was {value}."
        ) from None
    if not spec.shape.is_compatible_with(found.shape):
        raise TypeError(
            f"`generator` yielded an element of shape {found.shape} where an element of shape {spec.shape} was "
            "expected."
        )
    return found


def generated(
    family: Any, generator: Callable, output_types: Any, output_shapes: Any, args: Any
) -> Any:
    """See `Dataset.from_generator`."""
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    spec = structure.spec_from(output_types, output_shapes)
    flat = structure.flat_specs(spec)
    arguments = () if args is None else tuple(convert_to_tensor(a, name=f"args_{i}") for i, a in enumerate(args))
    working = _Generators(generator)

    def following(number: Any) -> list[np.ndarray]:
        values = working.next(number.item() if hasattr(number, "item") else number)
        try:
            parts = structure.leaves_up_to(spec, values)
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The expected structure was "
                f"{output_types}, but the yielded element was {values}."
            ) from None
        return [_array(value, part) for value, part in zip(parts, flat, strict=True)]

    def get_iterator_id_fn(*_: Any) -> Any:
        number = py_func(working.begin, arguments, dtypes.int64, stateful=True)
        number.set_shape([])
        return number

    def generator_next_fn(number: Any) -> Any:
        found = py_func(following, [number], [s.dtype for s in flat], stateful=True)
        for tensor, part in zip(found, flat, strict=True):
            tensor.set_shape(part.shape)
        return structure.from_tensor_list(spec, found)

    def finalize_fn(number: Any) -> Any:
        return py_func(working.end, [number], dtypes.int64, stateful=True)

    def flat_map_fn(dummy: Any) -> Any:
        number = TensorSpec([], dtypes.int64)
        init = ElementFunction(get_iterator_id_fn, "Dataset_from_generator", TensorSpec([], dtypes.int32))
        more = ElementFunction(generator_next_fn, "Dataset_from_generator", number)
        end = ElementFunction(finalize_fn, "Dataset_from_generator", number)
        made = lookup("GeneratorDataset")(
            [dummy, *init.captured], more.captured, end.captured, init_func=init.reference, next_func=more.reference,
            finalize_func=end.reference, **structure.outputs(spec),
        )
        return family(made, spec)

    return family.from_tensors(0).flat_map(flat_map_fn)
