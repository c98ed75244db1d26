"""A scan whose loop is a `While` node: condition and body are functions of the graph's library, as the CTC loss has."""
from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import provides
from ossia_functions import library
from ossia_functions.func_graph import FuncGraph
from ossia_functions.function_def import function_def
from ossia_functions.ops import while_op
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import constant
from ossia_ops.array.gather import gather
from ossia_ops.array.inplace import empty_op, inplace_add_op, inplace_update_op
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.math.comparison import greater_equal, less

_DIGEST = 11  # characters of a digest in a function's name
_HOST = (0, 1)  # the loop's variables that stay in the memory of the host: the position and the number of elements


class _Body(FuncGraph):
    """The body of a function; what stands for a tensor from outside is named after the node that uses it."""

    def __init__(self, name: str, outer: Any) -> None:
        super().__init__(name, outer)
        self._functions, self._function_gradients = {}, {}

    def capture(self, tensor: Tensor, name: str | None = None) -> Tensor:
        return super().capture(tensor, name or "placeholder")


class _Function:
    """A function of tensors, in the library of the default graph, and the tensors from outside that it uses."""

    def __init__(self, function: Callable, names: Sequence[str], types: Sequence[Any], name: str, digest: bool) -> None:
        graph = get_default_graph()
        body = _Body(name, graph)
        with body.as_default():
            body.inputs = [body.placeholder(dtype, None, arg) for arg, dtype in zip(names, types, strict=True)]
            body.outputs = [body.capture(convert_to_tensor(value)) for value in function(*body.inputs)]
        definition = function_def(body, name, {"_disable_call_shape_inference": True})
        if digest:
            found = hashlib.sha1(definition.SerializeToString(deterministic=True)).digest()
            definition.signature.name += "_" + base64.b64encode(found, altchars=b"00").decode()[:_DIGEST]
        self.name, self.captured = definition.signature.name, body.external_captures
        library.add(graph, library.Function(definition))
        self._definition = definition

    def __call__(self, *values: Tensor) -> Sequence[Tensor]:
        """The outputs of a node that calls the function, in the graph of another one."""
        graph = get_default_graph()
        library.add(graph, library.Function(self._definition))
        return graph.create_op(self.name, list(values), None, attrs={"_disable_call_shape_inference": True}).outputs


def _loop(first: Sequence[Tensor], condition: Callable, step: Callable) -> Sequence[Tensor]:
    """A `While` node from two functions of (position, number of elements, *variables)."""
    types = [tensor.dtype for tensor in first]
    names = ["i", "num_elems", *(f"arg{i}" for i in range(2, len(types)))]
    going = _Function(condition, names, types, "cond", digest=True)
    body = _Function(step, names, types, "body", digest=True)
    extra = body.captured
    all_types = types + [tensor.dtype for tensor in extra]
    every = [f"arg{i}" for i in range(len(all_types))]

    def wrapped_condition(*args: Tensor) -> Sequence[Tensor]:
        return going(*args[: len(types)])

    def wrapped_body(*args: Tensor) -> Sequence[Tensor]:
        graph: Any = get_default_graph()
        inner = [graph.capture(tensor) for tensor in extra]
        return [*body(*args, *inner), *inner]

    conditions = _Function(wrapped_condition, every, all_types, going.name + "_Wrapper", digest=False)
    bodies = _Function(wrapped_body, every[: len(types)], types, body.name + "_Wrapper", digest=False)
    made = while_op(
        input=[*first, *extra], cond=library.reference(conditions.name), body=library.reference(bodies.name)
    )
    for attr in ("_input_hostmem", "_output_hostmem"):
        made[0].op._set_attr(attr, _integers(_HOST))
    return made


def _integers(values: Sequence[int]) -> Any:
    from ossia_core.proto import AttrValue

    made = AttrValue()
    made.list.i.extend(values)
    return made


@provides("ossia_functions", "scan")
def scan(
    step: Callable, elements: Sequence[Tensor], first: Sequence[Tensor], *, reverse: bool = False
) -> Sequence[Tensor]:
    """The states before the first element and after each one, stacked.

    Args:
      step: `step(states, elements)` returns the next states, each a list.
      elements: tensors whose rows are the elements.
      first: the states before the first element.
      reverse: whether to begin with the last element; the state before it is the last row then.

    Returns:
      A tensor for each state, of one row more than there are elements.
    """
    count = shape(elements[0])[0]
    begin = shape(elements[0])[0] - 1 if reverse else constant(0)
    rows = shape(elements[0])[0] + 1
    kept = []
    for state in first:
        room = empty_op(concat([[rows], shape(state)], 0), dtype=state.dtype, init=True)
        kept.append(inplace_add_op(room, _place(begin + int(reverse)), expand_dims(state, 0)))

    def going(i: Tensor, num_elems: Tensor, *unused: Tensor) -> list[Tensor]:
        return [greater_equal(i, 0) if reverse else less(i, num_elems)]

    def body(i: Tensor, num_elems: Tensor, *variables: Tensor) -> list[Tensor]:
        found, states = variables[: len(first)], variables[len(first):]
        new = step(states, [gather(rows_of, i) for rows_of in elements])
        place = i if reverse else i + 1
        filled = [
            inplace_update_op(room, _place(place), expand_dims(state, 0))
            for room, state in zip(found, new, strict=True)
        ]
        return [i - 1 if reverse else i + 1, num_elems, *filled, *new]

    return _loop([begin, count, *kept, *first], going, body)[2: 2 + len(first)]


def _place(i: Tensor) -> Tensor:
    """A position as the vector of indices of one row."""
    return reshape(i, [1])
