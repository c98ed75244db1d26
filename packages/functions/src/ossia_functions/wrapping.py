"""What else is made by tracing: `wrap_function` of which parts can be taken, and functions over batches."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ossia_core.declare.language import PLACEHOLDER
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.operation import Operation
from ossia_core.graph.stack import get_default_graph
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.session.compile.ordering import needed
from ossia_functions import library, ops
from ossia_functions.func_graph import FuncGraph, outermost
from ossia_functions.function import ConcreteFunction, trace


class WrappedFunction(ConcreteFunction):
    """A traced function of which parts can be taken, see `tf.wrap_function`."""

    def prune(self, feeds: Any, fetches: Any, name: str | None = None) -> WrappedFunction:
        """A function that takes tensors of this one's body and returns others.

        Args:
          feeds: tensors of the body that become arguments.
          fetches: tensors or operations of the body to return or run, in any structure.
          name: name of the new function.

        Raises:
          ValueError: a tensor is not of the body.
        """
        flat = list(nest.flatten(feeds))
        wanted = nest.map_structure(
            lambda leaf: self.graph.as_graph_element(leaf), fetches, expand_composites=True
        )
        leaves = nest.flatten(wanted, expand_composites=True)
        for tensor in flat:
            if tensor.graph is not self.graph:
                raise ValueError(f"Feeds must be tensors of the function's own graph, not {tensor}")
        part = FuncGraph(library.unique_name(f"{name or 'pruned'}"), self.graph.outer_graph)
        operations = [leaf for leaf in leaves if isinstance(leaf, Operation)]
        tensors = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        kept = [t for t in self.graph.inputs if t in set(self.graph.captures.values())]
        used = needed({*operations, *(t.op for t in tensors)}, set(flat))
        fed = {t.op for t in (*flat, *kept)}
        part._operations = [op for op in used if op not in fed or op.definition.role is not PLACEHOLDER] + list(fed)
        part.inputs = [*flat, *kept]
        part.outputs, part.control_outputs = tensors, operations
        part.captures = dict(self.graph.captures)
        part._by_name = self.graph._by_name
        part._functions = self.graph._functions
        part.structured_outputs = (
            None if not tensors
            else nest.map_structure(
                lambda leaf: leaf if isinstance(leaf, Tensor) else None, wanted, expand_composites=True
            )
        )
        return WrappedFunction(part)


@public("wrap_function")
def wrap_function(fn: Callable, signature: Any, name: str | None = None) -> WrappedFunction:
    """Trace a function of TensorFlow 1 code, which may make variables, once.

    Args:
      fn: the function.
      signature: TensorSpecs of its arguments.
      name: the function's name.

    Returns:
      A callable, with `prune` to take parts of it.
    """
    def creator(next_creator: Callable, **options: Any) -> Any:
        options["use_resource"] = True
        return next_creator(**options)
    label = name or getattr(fn, "__name__", "wrapped").replace("<lambda>", "lambda")
    with outermost(get_default_graph()).as_default():
        traced = trace(fn, label, tuple(signature), {}, creator, ())
    return WrappedFunction(traced.graph, traced.structured_input_signature)


@public("vectorized_map")
def vectorized_map(fn: Callable, elems: Any) -> Any:
    """`fn` of each of the elements along the first dimension, stacked; the elements are independent of each other.

    Args:
      fn: takes an element in the structure of `elems`, returns tensors in any structure.
      elems: tensors of equal first dimension, nested.
    """
    from ossia_core.declare.builders import builder
    from ossia_functions.tracing import branch_graph

    def element(graph: FuncGraph) -> tuple:
        return (nest.map_structure(
            lambda t: graph.placeholder(t.dtype, _without_first(t.shape), None), elements
        ),)
    elements = nest.map_structure(convert_to_tensor, elems)
    probe = branch_graph(library.unique_name("vectorized_map"), fn, element)
    types = nest.map_structure(lambda t: t.dtype.base_dtype, probe.structured_outputs)
    return builder("map_fn")(fn, elements, dtype=types)


def _without_first(shape: TensorShape) -> TensorShape:
    dims = shape.as_tuple()
    return shape if dims is None else TensorShape(list(dims[1:]))


@public("nondifferentiable_batch_function")
def nondifferentiable_batch_function(
    num_batch_threads: int, max_batch_size: int, batch_timeout_micros: int, allowed_batch_sizes: Any = None,
    max_enqueued_batches: int = 10, autograph: bool = True,
) -> Callable:
    """A decorator for functions that work on batches along the first dimension, called with parts of a batch.

    Args:
      num_batch_threads: threads that work on batches.
      max_batch_size: the most rows of a batch.
      batch_timeout_micros: how long to wait for a batch to fill.
      allowed_batch_sizes: sizes to which batches are filled up.
      max_enqueued_batches: the most batches that wait.
      autograph: accepted; Python code is never rewritten.
    """
    def decorator(fn: Callable) -> Callable:
        @functools.wraps(fn)
        def decorated(*args: Any) -> Any:
            from ossia_core.graph.scopes import name_scope
            with name_scope(None, "batch"):
                tensors = [convert_to_tensor(a) for a in args]
                specs = tuple(TensorSpec(t.shape, t.dtype) for t in tensors)
                traced = trace(fn, fn.__name__, specs, {})
                traced.add_to_graph()
                outs = ops.batch_function_op(
                    tensors, traced.captured_inputs, f=library.reference(traced.graph.name),
                    Tout=[t.dtype.base_dtype for t in traced.outputs], num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size, batch_timeout_micros=batch_timeout_micros,
                    allowed_batch_sizes=allowed_batch_sizes or [], max_enqueued_batches=max_enqueued_batches,
                )
                return list(outs)
        return decorated
    return decorator
