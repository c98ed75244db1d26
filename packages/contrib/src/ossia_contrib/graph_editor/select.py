"""Operations and tensors chosen by name, by place, and by what leads to them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.graph_editor import listing
from ossia_contrib.graph_editor.listing import check_cios, make_list_of_op, make_list_of_t, of_editor, unique
from ossia_core.plugins.api_table import public


@public(*of_editor("select", "can_be_regex"))
def can_be_regex(obj: Any) -> bool:
    """Whether something is a pattern, compiled or as text."""
    return isinstance(obj, (str, re.Pattern))


@public(*of_editor("select", "make_regex"))
def make_regex(obj: Any) -> Any:
    """A compiled pattern.

    Raises:
      ValueError: it is no pattern.
    """
    if not can_be_regex(obj):
        raise ValueError(f"Expected a string or a regex, got: {type(obj)}")
    return re.compile(obj) if isinstance(obj, str) else obj


def _accepts(positive_filter: Any) -> Callable[[Any], bool]:
    if positive_filter is True:
        return lambda each: True
    if callable(positive_filter):
        return positive_filter
    raise TypeError(f"positive_filter must be True or a function, got: {type(positive_filter)}")


@public(*of_editor("select", "filter_ts"))
def filter_ts(ops: Any, positive_filter: Any) -> list[Any]:
    """Inputs and outputs of operations for which a function says so, all of them if it is True."""
    accepts, ops = _accepts(positive_filter), make_list_of_op(ops)
    taken = [tensor for op in ops for tensor in op.inputs if accepts(tensor)]
    return unique(taken + [tensor for op in ops for tensor in op.outputs if accepts(tensor)])


@public(*of_editor("select", "filter_ts_from_regex"))
def filter_ts_from_regex(ops: Any, regex: Any) -> list[Any]:
    """Tensors of operations whose names have a match of a pattern."""
    pattern = make_regex(regex)
    return filter_ts(ops, lambda tensor: pattern.search(tensor.name) is not None)


@public(*of_editor("select", "filter_ops"))
def filter_ops(ops: Any, positive_filter: Any) -> list[Any]:
    """Operations for which a function says so, all of them if it is True."""
    accepts = _accepts(positive_filter)
    return [op for op in make_list_of_op(ops) if accepts(op)]


@public(*of_editor("select", "filter_ops_from_regex"))
def filter_ops_from_regex(ops: Any, regex: Any) -> list[Any]:
    """Operations whose names have a match of a pattern."""
    pattern = make_regex(regex)
    return filter_ops(ops, lambda op: pattern.search(op.name) is not None)


@public(*of_editor("select", "get_name_scope_ops"))
def get_name_scope_ops(ops: Any, scope: str) -> list[Any]:
    """Operations of a scope and of those within it."""
    scope = scope.removesuffix("/")
    return filter_ops_from_regex(ops, f"^{re.escape(scope)}(/.*)?$")


@public(*of_editor("select", "compute_boundary_ts"))
def compute_boundary_ts(ops: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The tensors that operations take from outside, those that are taken outside or by none, and those that are
    taken inside."""
    ops = make_list_of_op(ops)
    inside = set(ops)
    taken = unique(tensor for op in ops for tensor in op.inputs)
    made = [tensor for op in ops for tensor in op.outputs]
    consumed = set(taken)
    outputs = [
        tensor for tensor in made
        if tensor not in consumed or any(op not in inside for op in tensor.consumers())
    ]
    return [t for t in taken if t.op not in inside], outputs, [t for t in made if t in consumed]


@public(*of_editor("select", "get_within_boundary_ops"))
def get_within_boundary_ops(
    ops: Any, seed_ops: Any, boundary_ops: Any = (), inclusive: bool = True, control_inputs: bool = False,
    control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:
    """Operations that are connected with some, not beyond a boundary.

    Args:
      ops: where to look.
      seed_ops: where to start.
      boundary_ops: where to stop.
      inclusive: whether the boundary belongs to the result.
      control_inputs, control_outputs, control_ios: which control edges count, as of `check_cios`.

    Raises:
      ValueError: one of `seed_ops` is at the boundary.
    """
    check_cios(control_inputs, control_outputs, control_ios)
    ops = make_list_of_op(ops)
    seeds, boundary = make_list_of_op(seed_ops, allow_graph=False), set(make_list_of_op(boundary_ops))
    found = set(seeds)
    if boundary & found:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = found
    while wave:
        new = set()
        for op in get_ops_ios(list(wave), control_inputs, control_outputs, control_ios):
            if op not in found and op not in boundary:
                new.add(op)
            elif op in boundary and inclusive:
                found.add(op)
        found, wave = found | new, new
    return [op for op in ops if op in found]


def _within(within_ops: Any, within_ops_fn: Callable | None) -> Callable[[Any], bool]:
    inside = None if within_ops is None else frozenset(make_list_of_op(within_ops, allow_graph=False))
    return lambda op: (inside is None or op in inside) and (within_ops_fn is None or within_ops_fn(op))


def _walk(seeds: list[Any], inclusive: bool, accepts: Callable, following: Callable) -> list[Any]:
    found, wave = dict.fromkeys(seeds), list(seeds)
    while wave:
        wave = unique(new for op in wave for new in following(op) if new not in found and accepts(new))
        found.update(dict.fromkeys(wave))
    return [op for op in found if inclusive or op not in set(seeds)]


def _seeds(seed_ops: Any, of_tensors: Callable) -> list[Any]:
    first = next(iter(seed_ops), None) if isinstance(seed_ops, (list, tuple, set, frozenset)) else seed_ops
    if isinstance(first, tf.Tensor):
        return of_tensors(make_list_of_t(seed_ops, allow_graph=False))
    return unique(make_list_of_op(seed_ops, allow_graph=False))


@public(*of_editor("select", "get_forward_walk_ops"))
def get_forward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None, within_ops_fn: Callable | None = None,
    stop_at_ts: Any = (), control_outputs: Any = None,
) -> list[Any]:
    """Operations to which some lead.

    Args:
      seed_ops: operations to start with, or tensors, for those that take them.
      inclusive: whether they belong to the result.
      within_ops: operations beyond which nothing is followed.
      within_ops_fn: a function that says whether to go to an operation.
      stop_at_ts: tensors that are not followed.
      control_outputs: a ControlOutputs whose edges count too.
    """
    _, control_outputs = check_cios(False, control_outputs)
    stops = frozenset(make_list_of_t(stop_at_ts))

    def following(op: Any) -> list[Any]:
        after = [new for tensor in op.outputs if tensor not in stops for new in tensor.consumers()]
        return after + (control_outputs.get(op) if control_outputs is not None else [])

    return _walk(_seeds(seed_ops, listing.get_consuming_ops), inclusive, _within(within_ops, within_ops_fn), following)


@public(*of_editor("select", "get_backward_walk_ops"))
def get_backward_walk_ops(
    seed_ops: Any, inclusive: bool = True, within_ops: Any = None, within_ops_fn: Callable | None = None,
    stop_at_ts: Any = (), control_inputs: bool = False,
) -> list[Any]:
    """Operations that lead to some; arguments as of `get_forward_walk_ops`.

    Args:
      seed_ops: operations to start with, or tensors, for those that make them.
      inclusive, within_ops, within_ops_fn, stop_at_ts: as there.
      control_inputs: whether control inputs count too.
    """
    stops = frozenset(make_list_of_t(stop_at_ts))

    def following(op: Any) -> list[Any]:
        before = [tensor.op for tensor in op.inputs if tensor not in stops]
        return before + (op.control_inputs if control_inputs else [])

    return _walk(_seeds(seed_ops, listing.get_generating_ops), inclusive, _within(within_ops, within_ops_fn), following)


def _both_walks(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool, backward_inclusive: bool, within_ops: Any,
    within_ops_fn: Callable | None, control_inputs: bool, control_outputs: Any, control_ios: Any,
) -> tuple[list[Any], list[Any]]:
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    return (
        get_forward_walk_ops(
            forward_seed_ops, forward_inclusive, within_ops, within_ops_fn, control_outputs=control_outputs
        ),
        get_backward_walk_ops(
            backward_seed_ops, backward_inclusive, within_ops, within_ops_fn, control_inputs=control_inputs
        ),
    )


@public(*of_editor("select", "get_walks_intersection_ops"))
def get_walks_intersection_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True, backward_inclusive: bool = True,
    within_ops: Any = None, within_ops_fn: Callable | None = None, control_inputs: bool = False,
    control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:
    """Operations between some and others: to which the first lead, and which lead to the second."""
    forward, backward = _both_walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        control_inputs, control_outputs, control_ios,
    )
    other = set(backward)
    return [op for op in forward if op in other]


@public(*of_editor("select", "get_walks_union_ops"))
def get_walks_union_ops(
    forward_seed_ops: Any, backward_seed_ops: Any, forward_inclusive: bool = True, backward_inclusive: bool = True,
    within_ops: Any = None, within_ops_fn: Callable | None = None, control_inputs: bool = False,
    control_outputs: Any = None, control_ios: Any = None,
) -> list[Any]:
    """Operations to which the first lead, and those which lead to the second."""
    forward, backward = _both_walks(
        forward_seed_ops, backward_seed_ops, forward_inclusive, backward_inclusive, within_ops, within_ops_fn,
        control_inputs, control_outputs, control_ios,
    )
    return unique([*forward, *backward])


@public(*of_editor("select", "get_ops_ios"))
def get_ops_ios(
    ops: Any, control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None
) -> list[Any]:
    """Operations next to some: those whose outputs they take, and those that take theirs."""
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    found: list[Any] = []
    for op in make_list_of_op(ops):
        found += [tensor.op for tensor in op.inputs]
        found += [new for tensor in op.outputs for new in tensor.consumers()]
        if control_inputs:
            found += op.control_inputs
        if control_outputs is not None:
            found += control_outputs.get(op)
    return unique(found)


def _selected(args: tuple[Any, ...], options: dict[str, Any], tensors: bool) -> list[Any]:
    """What patterns, operations and tensors choose."""
    restrict = options.pop("restrict_ts_regex" if tensors else "restrict_ops_regex", False)
    graph, positive = options.pop("graph", None), options.pop("positive_filter", None)
    if options:
        raise ValueError(f"Wrong keywords argument: {next(iter(options))}.")
    if isinstance(graph, tf.Graph) is False and graph is not None:
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    own, other = ("(?#ts)", "(?#ops)") if tensors else ("(?#ops)", "(?#ts)")
    found: list[Any] = []
    for arg in args:
        if can_be_regex(arg):
            if graph is None:
                raise ValueError("Use the keyword argument 'graph' to use regex.")
            pattern = make_regex(arg)
            if pattern.pattern.startswith(other) or (restrict and not pattern.pattern.startswith(own)):
                continue
            found += (filter_ts_from_regex if tensors else filter_ops_from_regex)(graph, pattern)
        elif isinstance(arg, tf.Graph):
            found += listing.get_tensors(arg) if tensors else arg.get_operations()
        else:
            kind = tf.Tensor if tensors else tf.Operation
            found += [each for each in listing.flattened(arg, tf.Operation, tf.Tensor) if isinstance(each, kind)]
    return [each for each in unique(found) if positive is None or positive(each)]


@public(*of_editor("select", "select_ops"))
def select_ops(*args: Any, **kwargs: Any) -> list[Any]:
    """Operations chosen by patterns of names, and those given.

    Args:
      *args: patterns, of which one that starts with `(?#ts)` is for tensors; operations, lists of them, graphs.
      **kwargs: `graph`, for patterns; `positive_filter`, a function that says what to keep; `restrict_ops_regex`,
          whether only patterns that start with `(?#ops)` count.

    Raises:
      TypeError: something is none of these.
      ValueError: there is a pattern and no graph, or an argument that there is not.
    """
    return _selected(args, kwargs, tensors=False)


@public(*of_editor("select", "select_ts"))
def select_ts(*args: Any, **kwargs: Any) -> list[Any]:
    """Tensors chosen by patterns of names, and those given; arguments as of `select_ops`, with `restrict_ts_regex`."""
    return _selected(args, kwargs, tensors=True)


@public(*of_editor("select", "select_ops_and_ts"))
def select_ops_and_ts(*args: Any, **kwargs: Any) -> tuple[list[Any], list[Any]]:
    """Operations as of `select_ops`, and tensors by patterns that start with `(?#ts)`."""
    return select_ops(*args, restrict_ops_regex=False, **kwargs), select_ts(*args, restrict_ts_regex=True, **kwargs)
