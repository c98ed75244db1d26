"""SymbolicGradient: the gradient of a function as a function."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.differentiate.autodiff import gradients, is_trainable
from ossia_core.graph.graph import Graph
from ossia_functions.func_graph import FuncGraph
from ossia_functions.library import Function


def gradient_function(function: Function, graph: Graph, attrs: dict[str, Any]) -> FuncGraph:
    """The gradient of a function: takes its arguments and the gradients of its results, returns those of its
    arguments (zeros for one that the results do not depend on).

    Raises:
      ValueError: the function is malformed.
      LookupError: an op in it has no gradient.
    """
    from ossia_functions.function_def import body_graph
    key = "gradient", tuple((k, v.SerializeToString(deterministic=True)) for k, v in sorted(attrs.items()))
    made = function.derived.get(key)
    if made is None:
        made = body_graph(function.definition, attrs, graph)
        made.name = f"{function.name}_gradient"
        with made.as_default():
            results, arguments = list(made.outputs), list(made.inputs)
            starts = [made.placeholder(t.dtype, t.shape, "grad") for t in results]
            # Results that cannot be differentiated have gradients that nothing reads.
            smooth = [(y, start) for y, start in zip(results, starts, strict=True) if is_trainable(y)]
            ys, grad_ys = [y for y, _ in smooth], [start for _, start in smooth]
            found = gradients(ys, arguments, grad_ys=grad_ys) if ys else [None] * len(arguments)
            zeros = builder("zeros_like")
            made.outputs = [
                zeros(x) if g is None else builder("convert_to_tensor")(g)
                for x, g in zip(arguments, found, strict=True)
            ]
        made.inputs = [*arguments, *starts]
        function.derived[key] = made
    return made
