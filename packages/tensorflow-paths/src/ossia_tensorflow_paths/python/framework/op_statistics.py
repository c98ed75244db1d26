"""Statistics of operations, such as how many floating-point operations one takes, as programs register them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

_functions: dict[tuple[str, str], Callable[[Any, Any], OpStats]] = {}


class OpStats:
    """A number that says something of an operation; numbers of the same kind add up.

    Args:
        statistic_type: The kind of number, such as "flops".
        value: The number; None where it is not known.
    """

    def __init__(self, statistic_type: str, value: Any = None) -> None:
        self.statistic_type = statistic_type
        self.value = value

    @property
    def statistic_type(self) -> str:
        """The kind of number."""
        return self._statistic_type

    @statistic_type.setter
    def statistic_type(self, statistic_type: str) -> None:
        self._statistic_type = statistic_type

    def __iadd__(self, other: OpStats) -> OpStats:
        if other.statistic_type != self.statistic_type:
            raise ValueError(f"Can't add an OpStat of type {self.statistic_type} to one of {other.statistic_type}.")
        if self.value is None:
            self.value = other.value
        elif other.value is not None:
            self.value += other.value
        return self


class RegisterStatistics:
    """A decorator of the function that tells a statistic of the operations of a type, from a graph and a NodeDef.

    Raises:
        TypeError: The type of operation is no string.
        ValueError: It holds a comma.
        KeyError: The operations have such a function.
    """

    def __init__(self, op_type: str, statistic_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string.")
        if "," in op_type:
            raise TypeError("op_type must not contain a comma.")
        if not isinstance(statistic_type, str):
            raise TypeError("statistic_type must be a string.")
        if "," in statistic_type:
            raise TypeError("statistic_type must not contain a comma.")
        self._key = op_type, statistic_type

    def __call__(self, f: Callable[[Any, Any], OpStats]) -> Callable[[Any, Any], OpStats]:
        """Registers `f` and returns it."""
        if self._key in _functions:
            raise KeyError(f"Registering two statistical functions with name '{','.join(self._key)}'!")
        _functions[self._key] = f
        return f


def get_stats_for_node_def(graph: Any, node: Any, statistic_type: str) -> OpStats:
    """The statistic of a node, without a value where no function tells it."""
    function = _functions.get((node.op, statistic_type))
    return OpStats(statistic_type) if function is None else function(graph, node)


def _shape(graph: Any, name: str) -> list[int]:
    """The sizes of a tensor.

    Raises:
        ValueError: They are not all known.
    """
    shape = graph.as_graph_element(name if ":" in name else f"{name}:0").shape
    shape.assert_is_fully_defined()
    return shape.as_list()


def _flops(op_types: str) -> Callable[[Callable[[list[int], list[int], Any], int]], Any]:
    """A decorator of a formula: from the sizes of the output, those of the input that counts, and the node."""

    def decorator(formula: Callable[[list[int], list[int], Any], int]) -> Any:
        def counted(graph: Any, node: Any) -> OpStats:
            counts = 0 if node.op in ("MatMul", "BatchMatMul", "BiasAdd") else 1
            return OpStats("flops", formula(_shape(graph, node.name), _shape(graph, node.input[counts]), node))

        for op_type in op_types.split():
            RegisterStatistics(op_type, "flops")(counted)
        return formula

    return decorator


@_flops("MatMul")
def _product(output: list[int], a: list[int], node: Any) -> int:
    return math.prod(output) * a[0 if node.attr["transpose_a"].b else 1] * 2


@_flops("BatchMatMul")
def _batch_product(output: list[int], a: list[int], node: Any) -> int:
    return math.prod(output) * a[-2 if node.attr["adj_x"].b else -1] * 2


@_flops("Conv2D Conv3D")
def _convolution(output: list[int], filter: list[int], node: Any) -> int:
    return math.prod(output) * math.prod(filter[:-1]) * 2


@_flops("DepthwiseConv2dNative Dilation2D")
def _by_channel(output: list[int], filter: list[int], node: Any) -> int:
    return math.prod(output) * filter[0] * filter[1] * 2


@_flops("BiasAdd")
def _bias(output: list[int], value: list[int], node: Any) -> int:
    return math.prod(value)
