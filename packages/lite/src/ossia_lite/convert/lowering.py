"""A graph, op by op, to a model: constants are folded, every other op goes to the lowering registered for its type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.plugins import manager
from ossia_lite.builder import ModelBuilder
from ossia_lite.convert.branches import MERGES, SWITCHES, Branches
from ossia_lite.convert.settings import ConverterError
from ossia_lite.schema import Record, record


class LoweredModel(ModelBuilder):
    """The model under construction, as a lowering sees it: a builder that knows the tensors of the graph.

    Args:
        inputs: The tensors that are fed.
    """

    def __init__(self, inputs: Sequence[Any]) -> None:
        super().__init__()
        self._indices: dict[str, int] = {}
        self._values: dict[str, np.ndarray] = {}
        self._names: set[str] = set()
        self.branches: Any = None
        self._trained: dict[str, tuple[float, float, bool]] = {}
        for tensor in inputs:
            self.output(tensor)

    def index(self, tensor: Any) -> int:
        """The model's tensor for a tensor of the graph; a constant is added when it is first asked for."""
        key = tensor.name
        if key not in self._indices:
            value = self.value_of(tensor)
            if value is None:
                raise ConverterError(f"The tensor {key} is not computed by the model.")
            self._indices[key] = self.derived(tensor, "", value)
        return self._indices[key]

    def value_of(self, tensor: Any) -> np.ndarray | None:
        """The value of a tensor of the graph that does not depend on the inputs, else None."""
        return self._values.get(tensor.name)

    def derived(self, tensor: Any, suffix: str, value: np.ndarray) -> int:
        """Adds a constant that is a tensor of the graph in another form; the range that training gave it stays."""
        name = f"{tensor.op.name}/{suffix}" if suffix else plain_name(tensor)
        index = self.constant(self.unique(name), value)
        self.graph.tensors[index].trained_range = self._trained.get(tensor.name)
        return index

    def train(self, name: str, low: float, high: float, narrow: bool) -> None:
        """Notes the range of a constant that fake quantization has rounded."""
        self._trained[name] = (low, high, narrow)

    def know(self, values: dict[str, np.ndarray]) -> None:
        """Adds values of constant tensors, by their names."""
        self._values.update(values)

    def output(self, tensor: Any) -> int:
        """Adds a tensor of the model for a tensor of the graph."""
        index = self.tensor(
            self.unique(plain_name(tensor)), static_shape(tensor), tensor.dtype.base_dtype.as_numpy_dtype
        )
        self._indices[tensor.name] = index
        return index

    def same(self, tensor: Any, index: int) -> None:
        """Says that a tensor of the graph is one that the model has already."""
        self._indices[tensor.name] = index

    def between(self, like: Any, suffix: str, shape: Sequence[int], dtype: Any = np.float32) -> int:
        """Adds a tensor that the graph does not have."""
        return self.tensor(self.unique(f"{plain_name(like)}/{suffix}"), shape, dtype)

    def add(self, name: str, operation: Any, inputs: Sequence[int], table: str | None = None, **fields: Any) -> Record:
        """Adds an operator that computes all outputs of an operation.

        Args:
            name: The operator.
            operation: The operation.
            inputs: The tensors that it takes.
            table: The table of its options, if it has any.
            **fields: Their fields.
        """
        outputs = [self.output(tensor) for tensor in operation.outputs]
        return self.operator(name, inputs, outputs, record(table, **fields) if table else None)

    def options(self, table: str, **fields: Any) -> Record:
        """A record of an operator's options."""
        return record(table, **fields)

    def shape_constant(self, operation: Any, value: Any, suffix: str = "shape") -> int:
        """Adds a constant of int32."""
        return self.constant(self.unique(f"{operation.name}/{suffix}"), np.asarray(value, np.int32))

    def unique(self, name: str) -> str:
        """The name, or with a number behind it if the model has such a tensor."""
        found, number = name, 0
        while found in self._names:
            number += 1
            found = f"{name}_{number}"
        self._names.add(found)
        return found


def plain_name(tensor: Any) -> str:
    """The name of a tensor without the index of an operation's first output.

    Args:
        tensor: A tensor of a graph.
    """
    return tensor.name.removesuffix(":0")


def static_shape(tensor: Any) -> list[int]:
    """The shape, with 1 for sizes that are not known before the model runs.

    Args:
        tensor: A tensor of a graph.
    """
    shape = tensor.shape
    if shape.ndims is None:
        return []
    return [1 if size is None else size for size in shape.as_list()]


def lower(
    graph: Any,
    controls: dict[str, list[str]],
    session: Any,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    allow_custom_ops: bool,
) -> LoweredModel:
    """Builds a model of the part of a graph between inputs and outputs.

    Args:
        graph: The graph, without variables and control dependencies.
        controls: The ops that each op waits for, by the names of both.
        session: A session of it.
        inputs: Its tensors that are fed.
        outputs: Its tensors that are fetched.
        allow_custom_ops: Whether an op without a lowering becomes a custom operator of its name.

    Returns:
        The model under construction.

    Raises:
        ConverterError: Ops have no lowering, or cannot be lowered as they are used; the message names all of them.
    """
    model = LoweredModel(inputs)
    model.branches = Branches(_conditions(graph, session, inputs), controls, graph)
    operations = _needed(graph, inputs, outputs, model.branches)
    constant = _constants(operations, inputs)
    _fold(model, session, operations, constant, outputs)
    found = manager.table("ossia_lite_lowerings")
    problems: dict[str, list[str]] = {}
    fed = {tensor.name for tensor in inputs}
    for operation in operations:
        if operation.name in constant or any(tensor.name in fed for tensor in operation.outputs):
            continue
        target = found.get(operation.type)
        if target is None and allow_custom_ops:
            model.add(operation.type, operation, [model.index(tensor) for tensor in operation.inputs])
        elif target is None:
            problems.setdefault(operation.type, []).append(operation.name)
            for tensor in operation.outputs:
                model.output(tensor)
        else:
            try:
                manager.load(target)(operation, model)
            except ConverterError as error:
                problems.setdefault(f"{operation.type} ({error})", []).append(operation.name)
                for tensor in operation.outputs:
                    model.output(tensor)
    if problems:
        listed = "; ".join(f"{kind}: {', '.join(names[:5])}" for kind, names in sorted(problems.items()))
        raise ConverterError(f"Some of the operators in the model are not supported: {listed}.")
    return model


def _conditions(graph: Any, session: Any, inputs: Sequence[Any]) -> Any:
    """The values of conditions of branches that no input changes, by a function."""
    switches = [operation for operation in graph.get_operations() if operation.type in SWITCHES]
    conditions = {operation.inputs[1].name: operation.inputs[1] for operation in switches}
    above = _above([tensor.op for tensor in conditions.values()])
    constant = _constants(above, inputs)
    known = [tensor for tensor in conditions.values() if tensor.op.name in constant]
    values = dict(zip([tensor.name for tensor in known], session.run(known) if known else [], strict=True))
    return lambda tensor: values.get(tensor.name)


def _above(operations: list[Any]) -> list[Any]:
    """Ops and all that they depend on, in an order in which each comes after its inputs."""
    found: dict[str, Any] = {}
    pending, entered = list(operations), set()
    while pending:
        operation = pending[-1]
        missing = [t.op for t in operation.inputs if t.op.name not in found and t.op.name not in entered]
        entered.add(operation.name)
        if missing:
            pending.extend(missing)
        else:
            found[pending.pop().name] = operation
    return list(found.values())


def _needed(graph: Any, inputs: Sequence[Any], outputs: Sequence[Any], branches: Branches) -> list[Any]:
    fed = {tensor.name for tensor in inputs}
    needed: set[str] = set()
    pending = [tensor.op for tensor in outputs if tensor.name not in fed]
    while pending:
        operation = pending.pop()
        if operation.name in needed:
            continue
        needed.add(operation.name)
        pending.extend(tensor.op for tensor in branches.inputs(operation) if tensor.name not in fed)
    return [operation for operation in graph.get_operations() if operation.name in needed]


def _constants(operations: list[Any], inputs: Sequence[Any]) -> set[str]:
    fed = {tensor.name for tensor in inputs}
    constant: set[str] = set()
    for operation in operations:
        known_shape = operation.type in ("Shape", "Rank", "Size") and operation.inputs[0].shape.is_fully_defined()
        if (
            operation.type in ("Placeholder", *SWITCHES, *MERGES)
            or operation.op_def.is_stateful
            or any(t.name in fed for t in operation.outputs)
        ):
            continue
        if known_shape or all(tensor.op.name in constant for tensor in operation.inputs):
            constant.add(operation.name)
    return constant


def _fold(model: LoweredModel, session: Any, operations: list[Any], constant: set[str], outputs: Sequence[Any]) -> None:
    wanted = {
        tensor.name: tensor
        for operation in operations
        if operation.name not in constant
        for tensor in operation.inputs
        if tensor.op.name in constant
    }
    wanted.update({tensor.name: tensor for tensor in outputs if tensor.op.name in constant})
    feeds = {}
    for operation in operations:
        if operation.name in constant and operation.type in ("Shape", "Rank", "Size"):
            sizes = operation.inputs[0].shape.as_list()
            value = {"Shape": sizes, "Rank": len(sizes), "Size": int(np.prod(sizes))}[operation.type]
            feeds[operation.outputs[0]] = np.array(value, operation.outputs[0].dtype.as_numpy_dtype)
    values = session.run(list(wanted.values()), feeds) if wanted else []
    model.know(dict(zip(wanted, [np.asarray(value) for value in values], strict=True)))
    for tensor in wanted.values():
        operation = tensor.op
        if operation.type in ("FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxArgs"):
            low, high = (
                [operation.get_attr("min"), operation.get_attr("max")]
                if operation.type.endswith("Args")
                else session.run(list(operation.inputs)[1:])
            )
            model.train(tensor.name, float(low), float(high), bool(operation.get_attr("narrow_range")))
