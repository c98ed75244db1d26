"""A subgraph made ready to run: its operators with their kernels, and the values of its tensors."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_lite import kernels
from ossia_lite.checks import operator_name
from ossia_lite.schema import Record
from ossia_lite.tensors import constant_value, tensor_info

_MAX_ELEMENTS = 1 << 34
_Step = tuple[kernels.Kernel, kernels.Call, list[int], list[int]]


class Subgraph:
    """A subgraph of a model.

    Args:
        model: The model, checked.
        index: Which subgraph.
        run_subgraph: Runs another subgraph: its index and inputs; returns its outputs.
        resources: Tables and variables of the whole model.

    Raises:
        NotImplementedError: An operator has no kernel.
        ValueError: A constant cannot be read.
    """

    def __init__(
        self,
        model: Record,
        index: int,
        run_subgraph: Callable[[int, list[np.ndarray]], list[np.ndarray]],
        resources: dict[Any, Any],
    ) -> None:
        graph = model.subgraphs[index]
        self.inputs: list[int] = list(graph.inputs)
        self.outputs: list[int] = list(graph.outputs)
        self.tensors = [tensor_info(place, tensor) for place, tensor in enumerate(graph.tensors)]
        self.values: list[Any] = [constant_value(model, tensor) for tensor in graph.tensors]
        self._sizes = {place: self.tensors[place].shape for place in self.inputs}
        self._resized = False
        written: set[int] = {place for operator in graph.operators for place in operator.outputs}
        self._constant = [
            value is not None and place not in written and place not in self._sizes
            for place, value in enumerate(self.values)
        ]
        self._steps = [self._step(model, operator, run_subgraph, resources) for operator in graph.operators]

    def _step(
        self, model: Record, operator: Record, run_subgraph: Any, resources: dict[Any, Any]
    ) -> _Step:
        code = model.operator_codes[operator.opcode_index]
        name = operator_name(code)
        custom = operator.custom_options.tobytes() if operator.custom_options is not None else b""
        call = kernels.Call(
            name,
            operator.builtin_options,
            [self.tensors[i] if i >= 0 else None for i in operator.inputs],
            [self.tensors[i] for i in operator.outputs if i >= 0],
            custom,
            run_subgraph,
            [i < 0 or self._constant[i] for i in operator.inputs],
            resources,
            [self.tensors[i] for i in operator.intermediates or () if i >= 0],
        )
        return kernels.find(name), call, list(operator.inputs), list(operator.outputs)

    def shape(self, index: int) -> tuple[int, ...]:
        """The present shape of a tensor.

        Args:
            index: The tensor.
        """
        value = self.values[index]
        return self._sizes.get(index) or (self.tensors[index].shape if value is None else value.shape)

    def resize(self, index: int, shape: tuple[int, ...]) -> None:
        """Gives an input another shape; its value is lost.

        Args:
            index: The input.
            shape: Its new shape.

        Raises:
            ValueError: It would have too many elements.
        """
        if int(np.prod(shape, dtype=object)) > _MAX_ELEMENTS:
            raise ValueError(f"A tensor of shape {shape} is too large.")
        self._resized = self._resized or shape != self._sizes[index]
        self._sizes[index] = shape
        self.values[index] = None

    def allocate(self) -> None:
        """Makes the values of inputs and variables, zeros; if an input was resized, a run on zeros finds the shapes
        of the others.

        Raises:
            RuntimeError: Shapes do not fit.
        """
        try:
            self._make_values()
        except MemoryError as error:
            raise RuntimeError(f"The tensors cannot be allocated: {error}") from None

    def _make_values(self) -> None:
        for index, shape in self._sizes.items():
            if self.values[index] is None or not self.values[index].flags.writeable:
                self.values[index] = _zeros(shape, self.tensors[index])
        for index, info in enumerate(self.tensors):
            if self.values[index] is None and info.is_variable:
                self.values[index] = np.zeros(info.shape, info.dtype)
        if self._resized:
            self.run()
            self.reset_variables()
            self._resized = False
        for operator_outputs in (step[3] for step in self._steps):
            for index in operator_outputs:
                if index >= 0 and self.values[index] is None:
                    self.values[index] = _zeros(self.tensors[index].shape, self.tensors[index])

    def reset_variables(self) -> None:
        """Sets variable tensors to zero."""
        for index, info in enumerate(self.tensors):
            if info.is_variable and self.values[index] is not None:
                self.values[index][...] = info.zero_point if info.quantized else 0

    def call(self, inputs: list[np.ndarray]) -> list[np.ndarray]:
        """Runs the subgraph on inputs.

        Args:
            inputs: An array per input, in the order of `inputs`.

        Returns:
            An array per output.

        Raises:
            ValueError: There are too many or too few inputs.
            RuntimeError: An operator fails.
        """
        for index, value in zip(self.inputs, inputs, strict=True):
            self.values[index] = value
        for index, info in enumerate(self.tensors):
            if self.values[index] is None and info.is_variable:
                self.values[index] = np.zeros(info.shape, info.dtype)
        self.run()
        return [self.values[index] for index in self.outputs]

    def computed(self) -> list[int]:
        """The tensors that operators compute, in their order."""
        return [index for *_, outputs in self._steps for index in outputs if index >= 0]

    def timed_run(self) -> list[tuple[str, str, float]]:
        """Runs the operators one by one.

        Returns:
            For each one its kind, the name of its first result, and the seconds it took.

        Raises:
            RuntimeError: One fails; the message names it.
        """
        found = []
        for place, step in enumerate(self._steps):
            start = time.perf_counter()
            self._run_steps([step], place)
            seconds = time.perf_counter() - start
            results = [self.tensors[index].name for index in step[3] if index >= 0]
            found.append((step[1].name, results[0] if results else "", seconds))
        return found

    def run(self) -> None:
        """Runs the operators in their order.

        Raises:
            RuntimeError: One fails; the message names it.
        """
        self._run_steps(self._steps, 0)

    def _run_steps(self, steps: list[_Step], first: int) -> None:
        values = self.values
        for place, (kernel, call, inputs, outputs) in enumerate(steps, first):
            try:
                found = kernel(call, *[values[i] if i >= 0 else None for i in inputs])
                results = found if isinstance(found, tuple) else (found,)
                for index, result in zip(outputs, results, strict=True):
                    if index >= 0:
                        values[index] = result if isinstance(result, np.ndarray) else np.asarray(result)
            except NotImplementedError:
                raise
            except (
                ValueError,
                TypeError,
                IndexError,
                AttributeError,
                ArithmeticError,
                MemoryError,
                RuntimeError,
            ) as error:
                raise RuntimeError(f"Node number {place} ({call.name}) failed: {error}") from error


def _zeros(shape: tuple[int, ...], info: Any) -> np.ndarray:
    if info.type == "STRING":
        return np.full(shape, b"", object)
    return np.zeros(shape, info.dtype)
