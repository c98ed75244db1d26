"""`tf.cond`: one of two functions, chosen while the graph runs; and the gradients of Switch and Merge."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_core.control.cond_context import CondContext
from ossia_core.control.context import output_context
from ossia_core.control.control_ops import (
    merge,
    merge_op,
    ref_merge_op,
    ref_switch_op,
    switch,
    switch_op,
    switch_ref_or_tensor,
)
from ossia_core.control.loop_variables import add_back_edge, pack
from ossia_core.control.while_context import WhileContext
from ossia_core.declare.builders import functional
from ossia_core.declare.opdef import lookup
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.composites import IndexedSlices
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import dtypes, nest, switches
from ossia_core.plugins.api_table import public


@public("cond")
def cond(
    pred: Any,
    true_fn: Callable | None = None,
    false_fn: Callable | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable | None = None,
    fn2: Callable | None = None,
) -> Any:
    """The result of `true_fn()` or `false_fn()`, as the boolean scalar `pred` decides in each run.

    Args:
      pred: a boolean scalar tensor.
      true_fn: builds the branch taken if `pred` is true.
      false_fn: builds the other one; it must return the same structure and dtypes.
      strict: whether a list of one result stays a list.
      name: name scope of the ops made.
      fn1, fn2: old names of the functions.

    Raises:
      TypeError: no functions, a Python bool as `pred`, or results of different structure.
      ValueError: no results, or results of different dtypes.
    """
    true_fn = _renamed(true_fn, fn1, "true_fn", "fn1")
    false_fn = _renamed(false_fn, fn2, "false_fn", "fn2")
    if not callable(true_fn):
        raise TypeError("true_fn must be callable.")
    if not callable(false_fn):
        raise TypeError("false_fn must be callable.")
    with name_scope(name, "cond", [pred]) as scope:
        graph = get_default_graph()
        if graph.building_function or switches.control_flow_v2_enabled():
            result = functional("cond")(pred, true_fn, false_fn, scope)
            return result if strict else _single(result)
        if isinstance(pred, bool):
            raise TypeError("pred must not be a Python bool")
        identity = lookup("Identity")
        on_false, on_true = switch(pred, pred)
        pivot_true, pivot_false = identity(on_true, name="switch_t"), identity(on_false, name="switch_f")
        pred = identity(pred, name="pred_id")
        for tensor in (on_true, on_false, pivot_true, pivot_false, pred):
            graph.prevent_fetching(tensor.op)
        branches = []
        for pivot, branch, fn, label in ((pivot_true, 1, true_fn, "true_fn"), (pivot_false, 0, false_fn, "false_fn")):
            context = CondContext(pred, pivot, branch)
            with context:
                result, tensors = context.build_branch(fn)
                if result is None:
                    raise ValueError(f"{label} must have a return value.")
                context.ExitResult(tensors)
            branches.append((context, result, tensors))
        (context_t, result_t, tensors_t), (context_f, result_f, tensors_f) = branches
        if not strict:
            result_t, result_f = _single(result_t), _single(result_f)
        result_t, result_f = _without_operations(result_t, tensors_t), _without_operations(result_f, tensors_f)
        nest.assert_same_structure(result_t, result_f, expand_composites=True)
        if not tensors_t:
            raise ValueError("true_fn and false_fn must return at least one result.")
        tensors_t, tensors_f = _with_equal_indices(result_t, tensors_t, result_f, tensors_f)
        for x, y in zip(tensors_t, tensors_f, strict=True):
            if x.dtype.base_dtype != y.dtype.base_dtype:
                raise ValueError(
                    f"Outputs of true_fn and false_fn must have the same type: {x.dtype.name}, {y.dtype.name}"
                )
        merges = [merge([f, t])[0] for f, t in zip(tensors_f, tensors_t, strict=True)]
        if context_t.outer_context is None:
            graph.add_to_collection(GraphKeys.COND_CONTEXT, context_t)
            graph.add_to_collection(GraphKeys.COND_CONTEXT, context_f)
        packed = pack(result_t, merges)
        return packed if strict else _single(packed)


def _renamed(new: Any, old: Any, new_name: str, old_name: str) -> Any:
    if old is None:
        if new is None:
            raise TypeError(f"cond(): {new_name} argument required")
        return new
    if new is not None:
        raise TypeError(f"cond(): {new_name} and {old_name} may not be set simultaneously.")
    return old


def _single(result: Any) -> Any:
    if isinstance(result, (list, tuple)) and len(result) == 1:
        return result[0]
    return result


def _without_operations(result: Any, tensors: list) -> Any:
    """The structure with a tensor in place of each operation, as the branch hands on."""
    if not any(isinstance(leaf, Operation) for leaf in nest.flatten(result, expand_composites=True)):
        return result
    leaves = [
        t if isinstance(leaf, Operation) else leaf
        for leaf, t in zip(nest.flatten(result, expand_composites=True), tensors, strict=True)
    ]
    return nest.pack_sequence_as(result, leaves, expand_composites=True)


def _with_equal_indices(result_t: Any, tensors_t: list, result_f: Any, tensors_f: list) -> tuple[list, list]:
    """The tensors of two branches of one structure; indices of IndexedSlices of two dtypes become int64."""
    tensors_t, tensors_f = list(tensors_t), list(tensors_f)
    narrow = []
    at = 0
    for leaf_t, leaf_f in zip(nest.flatten(result_t), nest.flatten(result_f), strict=True):
        if isinstance(leaf_t, IndexedSlices):
            place = at + 1
            if {tensors_t[place].dtype, tensors_f[place].dtype} == {dtypes.int32, dtypes.int64}:
                in_t = tensors_t[place].dtype is dtypes.int32
                narrow.append((leaf_t if in_t else leaf_f, tensors_t if in_t else tensors_f, place))
        at += len(nest.flatten(leaf_t, expand_composites=True))
    if narrow:
        cast = lookup("Cast")
        for leaf, _, _ in narrow:
            cast(leaf.indices, DstT=dtypes.int64)  # nothing uses it, but the original has it as well
        for _, tensors, place in narrow:
            tensors[place] = cast(tensors[place], DstT=dtypes.int64)
    return tensors_t, tensors_f


def _switch_gradient(node: Operation, *grads: Any) -> Any:
    context = node._control_flow_context
    current = get_default_graph()._control_flow_context
    if isinstance(context, WhileContext):
        made = current.grad_state.switch_map.get(node)
        if made is not None:
            # The second visit, from inside the loop: what comes back is the next iteration's value.
            if grads[1] is not None:
                add_back_edge(made, grads[1], check_shape=False)
            return None, None
        if grads[0] is not None:
            made = merge([grads[0], grads[0]], name="b_switch")[0]
            current.grad_state.switch_map[node] = made
            return made, None
        return None, None
    if isinstance(context, CondContext):
        zero = grads[1 - context.branch]
        if zero is None:
            if node._inputs[0].dtype is dtypes.resource:
                return merge([grads[context.branch]] * 2, name="cond_resource_grad")[0], None
            return None, None
        return merge(list(grads), name="cond_grad")[0], None
    false = switch(grads[0], node._inputs[1])[0]
    true = switch(grads[1], node._inputs[1])[1]
    return merge([false, true])[0], None


def _merge_gradient(node: Operation, grad: Any, _: Any) -> Any:
    source = node._inputs[0].op
    current = get_default_graph()._control_flow_context
    context = output_context(source)
    if isinstance(context, WhileContext):
        return switch_ref_or_tensor(grad, current.pivot)
    if isinstance(context, CondContext):
        pred = context.pred
        if current is not None and current.grad_state is not None:
            # A branch inside of a loop: the gradient needs the predicate of each iteration.
            pred = current.grad_state.real_predicate(pred)
        return switch_ref_or_tensor(grad, pred, name="cond_grad")
    equal = lookup("Equal")
    taken = [equal(node.outputs[1], i) for i in range(len(node._inputs))]
    return [switch_ref_or_tensor(grad, t)[1] for t in taken]


for _definition in (switch_op, ref_switch_op):
    _definition.gradient(_switch_gradient)
for _definition in (merge_op, ref_merge_op):
    _definition.gradient(_merge_gradient)
