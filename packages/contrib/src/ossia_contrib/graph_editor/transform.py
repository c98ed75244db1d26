"""Parts of graphs copied, as they are or changed on the way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import ossia as tf
from ossia_contrib.graph_editor import select, subgraph
from ossia_contrib.graph_editor.listing import (
    ControlOutputs,
    make_list_of_t,
    make_placeholder_from_tensor,
    of_editor,
    unique,
)
from ossia_core.plugins.api_table import public


@public(*of_editor("transform", "replace_t_with_placeholder_handler"))
def replace_t_with_placeholder_handler(info: Any, t: Any) -> Any:
    """A placeholder in the new scope, for a tensor from outside."""
    with info.graph_.as_default(), tf.name_scope(None):
        return make_placeholder_from_tensor(t, scope=info.scope_)


@public(*of_editor("transform", "keep_t_if_possible_handler"))
def keep_t_if_possible_handler(info: Any, t: Any) -> Any:
    """A tensor itself if the copy is in its graph, else a placeholder."""
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


@public(*of_editor("transform", "transform_op_if_inside_handler"))
def transform_op_if_inside_handler(info: Any, op: Any, keep_if_possible: bool = True) -> Any:
    """The copy of an operation of the part, or one outside itself if the copy is in its graph, or None."""
    if op in info.sgv.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


@public(*of_editor("transform", "assign_renamed_collections_handler"))
def assign_renamed_collections_handler(info: Any, elem: Any, elem_: Any) -> None:
    """Put a copy into the collections of the original, those of names of one's own under the new scope."""
    known = {value for name, value in vars(tf.GraphKeys).items() if isinstance(value, str) and name.isupper()}
    for name in info.graph.get_all_collection_keys():
        if any(each is elem for each in info.graph.get_collection(name)):
            new = name if name in known or not isinstance(name, str) else info.new_name(name)
            info.graph_.add_to_collection(new, elem_)


@public(*of_editor("transform", "copy_op_handler"))
def copy_op_handler(
    info: Any, op: Any, new_inputs: Any, copy_shape: bool = False, nodedef_fn: Callable | None = None
) -> tuple[Any, Any]:
    """A copy of an operation.

    Args:
      info: about the copy.
      op: the operation.
      new_inputs: inputs of the copy.
      copy_shape: whether the outputs' shapes are those of the original.
      nodedef_fn: changes the NodeDef of the copy.

    Returns:
      The copy, and its outputs.
    """
    node = tf.NodeDef()
    node.CopyFrom(op.node_def)
    node.name = info.graph_.unique_name(info.new_name(op.name))
    if nodedef_fn is not None:
        node = nodedef_fn(node)
    with info.graph_.as_default(), tf.name_scope(None), tf.control_dependencies(None), tf.device(None):
        copied = info.graph_.create_op(
            node.op, list(new_inputs), [tensor.dtype for tensor in op.outputs], name=node.name + "/",
            attrs=dict(node.attr), compute_device=False,
        )
    if node.device:
        copied._set_device(node.device)
    if copy_shape:
        for tensor, new in zip(op.outputs, copied.outputs, strict=True):
            new.set_shape(tensor.shape)
    return copied, copied.outputs


@public(*of_editor("transform", "TransformerInfo"))
class TransformerInfo:
    """What was copied, and what became of it.

    Args:
      info: of the transformation.
    """

    def __init__(self, info: Any) -> None:
        self._graph, self._scope, self._graph_, self._scope_ = info.graph, info.scope, info.graph_, info.scope_
        self._transformed_ops, self._transformed_ts = info.transformed_ops, info.transformed_ts

    def _map(self, top: Any, ops: dict, ts: dict, missing_fn: Callable | None) -> Any:
        def image(each: Any) -> Any:
            if isinstance(each, (list, tuple)):
                return type(each)(image(one) for one in each)
            if isinstance(each, dict):
                return {key: image(one) for key, one in each.items()}
            if not isinstance(each, (tf.Operation, tf.Tensor)):
                raise TypeError(f"Expected a tf.Tensor/tf.Operation, got a {type(each)}")
            found = (ops if isinstance(each, tf.Operation) else ts).get(each)
            return missing_fn(each) if found is None and missing_fn is not None else found

        return image(top)

    def transformed(self, original: Any, missing_fn: Callable | None = None) -> Any:
        """The copy of an operation or tensor, or of all in a list; None where there is none, or `missing_fn` of it."""
        return self._map(original, self._transformed_ops, self._transformed_ts, missing_fn)

    def original(self, transformed: Any, missing_fn: Callable | None = None) -> Any:
        """Of what something is the copy; as of `transformed`."""
        ops = {new: old for old, new in self._transformed_ops.items()}
        tensors = {new: old for old, new in self._transformed_ts.items()}
        return self._map(transformed, ops, tensors, missing_fn)

    def __str__(self) -> str:
        lines = ["Transformer result info:", f"  from {self._scope!r} to {self._scope_!r}"]
        for name, table in (("Operations", self._transformed_ops), ("Tensors", self._transformed_ts)):
            lines += [f"{name}[{len(table)}]:", *(f"  {old.name} => {new.name}" for old, new in table.items())]
        return "\n".join(lines)


class _Transformation:
    """One copy in the making."""

    def __init__(self, sgv: Any, dst_graph: tf.Graph, dst_scope: str, src_scope: str) -> None:
        self.sgv, self.graph, self.graph_ = sgv, sgv.graph, dst_graph
        self.ops, self.scope, self.scope_ = frozenset(sgv.ops), src_scope, dst_scope
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.transformed_ops: dict[Any, Any] = {}
        self.transformed_ts: dict[Any, Any] = {}

    def new_name(self, name: str) -> str:
        """The name in the new scope.

        Raises:
          ValueError: it is not of the old scope.
        """
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


def _as_scope(scope: str) -> str:
    return scope if not scope or scope.endswith("/") else scope + "/"


@public(*of_editor("transform", "Transformer"))
class Transformer:
    """Copies a part of a graph; its attributes are the functions that say what becomes of operations, control inputs
    and tensors from outside, and may be set to others."""

    def __init__(self) -> None:
        self.transform_op_handler: Callable = copy_op_handler
        self.transform_control_input_handler: Callable = transform_op_if_inside_handler
        self.transform_original_op_handler: Callable = partial(transform_op_if_inside_handler, keep_if_possible=False)
        self.transform_external_input_handler: Callable = replace_t_with_placeholder_handler
        self.transform_external_hidden_input_handler: Callable = keep_t_if_possible_handler
        self.assign_collections_handler: Callable = assign_renamed_collections_handler

    def __call__(
        self, sgv: Any, dst_graph: tf.Graph, dst_scope: str, src_scope: str = "", reuse_dst_scope: bool = False
    ) -> tuple[Any, TransformerInfo]:
        """The copy, and what became of what.

        Args:
          sgv: what to copy.
          dst_graph: the graph of the copy.
          dst_scope: the scope of the copy.
          src_scope: the scope in which names count from.
          reuse_dst_scope: whether `dst_scope` is taken as it is if there is such a scope.

        Raises:
          NotImplementedError: the part holds a loop.
          TypeError: `dst_graph` is no graph.
        """
        view = subgraph.make_view(sgv)
        if not isinstance(dst_graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        src_scope, dst_scope = _as_scope(src_scope), _as_scope(dst_scope)
        if dst_scope and not reuse_dst_scope:
            dst_scope = _as_scope(dst_graph.unique_name(dst_scope[:-1]))
        info = _Transformation(view, dst_graph, dst_scope, src_scope)
        ops = sorted(view.ops, key=lambda op: op._id)
        for op in ops:
            self._copy(info, op)
        for op in ops:
            new = info.transformed_ops[op]
            waits = unique(self.transform_control_input_handler(info, each) for each in op.control_inputs)
            new._add_control_inputs([each for each in waits if each is not None and each not in new.control_inputs])
        return self._view(info, view), TransformerInfo(info)

    def _copy(self, info: Any, op: Any) -> None:
        inputs = []
        for tensor in op.inputs:
            if tensor.op not in info.ops:
                inside = tensor in info.sgv_inputs_set
                handler = (
                    self.transform_external_input_handler if inside else self.transform_external_hidden_input_handler
                )
                info.transformed_ts[tensor] = handler(info, tensor)
            elif tensor not in info.transformed_ts:
                raise NotImplementedError(f"graph_editor copies no loops, and {op.name} is in one.")
            inputs.append(info.transformed_ts[tensor])
        new, outputs = self.transform_op_handler(info, op, inputs)
        if new is op:
            raise ValueError("In-place transformation not allowed.")
        info.transformed_ops[op] = new
        self.assign_collections_handler(info, op, new)
        for tensor, copied in zip(op.outputs, outputs, strict=True):
            info.transformed_ts[tensor] = copied
            self.assign_collections_handler(info, tensor, copied)

    def _view(self, info: Any, view: Any) -> Any:
        copied = subgraph.SubGraphView(list(info.transformed_ops.values()))
        inputs, outputs = ([info.transformed_ts.get(each) for each in old] for old in (view.inputs, view.outputs))
        given = [each for each in inputs if each in copied.inputs and each.op in info.transformed_ops.values()]
        return copied._remapped(given, [each for each in outputs if each in copied.outputs])


def _copied(transformer: Transformer, sgv: Any, dst_graph: Any, *scopes: Any) -> tuple[Any, TransformerInfo]:
    view = subgraph.make_view(sgv)
    return transformer(view, view.graph if dst_graph is None else dst_graph, *scopes)


@public(*of_editor("transform", "copy"))
def copy(
    sgv: Any, dst_graph: Any = None, dst_scope: str = "", src_scope: str = "", reuse_dst_scope: bool = False
) -> tuple[Any, TransformerInfo]:
    """A copy of a part of a graph, with placeholders for what it takes; arguments as of a call of Transformer."""
    return _copied(Transformer(), sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope)


@public(*of_editor("transform", "copy_with_input_replacements"))
def copy_with_input_replacements(
    sgv: Any, replacement_ts: Any, dst_graph: Any = None, dst_scope: str = "", src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[Any, TransformerInfo]:
    """A copy that takes other tensors than the original.

    Args:
      sgv: what to copy.
      replacement_ts: tensors that it takes, to those that the copy takes.
      dst_graph, dst_scope, src_scope, reuse_dst_scope: as of a call of Transformer.
    """
    def replaced(info: Any, tensor: Any) -> Any:
        return replacement_ts[tensor] if tensor in replacement_ts else keep_t_if_possible_handler(info, tensor)

    transformer = Transformer()
    transformer.transform_external_input_handler = replaced
    return _copied(transformer, sgv, dst_graph, dst_scope, src_scope, reuse_dst_scope)


@public(*of_editor("transform", "graph_replace"))
def graph_replace(
    target_ts: Any, replacement_ts: Any, dst_scope: str = "", src_scope: str = "", reuse_dst_scope: bool = False
) -> Any:
    """Tensors computed anew from other tensors than before.

    Args:
      target_ts: tensors, in lists or dicts.
      replacement_ts: tensors to those that take their place.
      dst_scope, src_scope, reuse_dst_scope: as of a call of Transformer.

    Returns:
      The new tensors, in the structure of `target_ts`.

    Raises:
      ValueError: no target is computed from what is replaced.
    """
    targets = make_list_of_t(tf.nest.flatten(target_ts))
    ios = ControlOutputs(targets[0].graph)
    ops = select.get_walks_intersection_ops(list(replacement_ts), targets, control_ios=ios)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    _, info = copy_with_input_replacements(ops, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)
    return info.transformed(target_ts, lambda tensor: tensor)
