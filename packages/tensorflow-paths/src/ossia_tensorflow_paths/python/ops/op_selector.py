"""`op_selector`: lists of tensors and operations, and walks over their graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ossia as tf
from ossia_core.declare import opdef


def is_differentiable(op: Any) -> bool:
    """Whether something is known of the gradients of an operation."""
    try:
        return opdef.gradient_of(op.type) is not None
    except LookupError:
        return False


def is_iterable(obj: Any) -> bool:
    """Whether an object can be iterated over."""
    try:
        iter(obj)
    except Exception:
        return False
    return True


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Appends to a list what of another one it has not, and returns it."""
    known = set(la)
    for item in lb:
        if item not in known:
            known.add(item)
            la.append(item)
    return la


def get_tensors(graph: Any) -> list[Any]:
    """All tensors of a graph.

    Raises:
        TypeError: It is no graph.
    """
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Any:
    """The graph that all of the operations and tensors given are of.

    Raises:
        TypeError: There is something that is neither.
        ValueError: There is nothing, or there are several graphs.
    """
    if isinstance(tops, tf.Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    kinds = (tf.Operation, tf.Tensor) if check_types is None else check_types
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    found = None
    for item in tops:
        if not isinstance(item, kinds):
            raise TypeError(f"Expected a type in ({', '.join(map(str, kinds))}), got: {type(item)}")
        if found is None:
            found = item.graph
        elif item.graph is not found:
            raise ValueError(f"Operation {item} does not belong to given graph")
    if found is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return found


def check_graphs(*args: Any) -> None:
    """Checks that the arguments are of one graph.

    Raises:
        ValueError: They are not.
    """
    graph = None
    for i, item in enumerate(args):
        if graph is None:
            graph = item.graph
        elif item.graph is not None and item.graph is not graph:
            raise ValueError(f"Argument[{i}]: Wrong graph!")


def make_list_of_t(ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False) -> list[Any]:
    """The list of tensors that a tensor, an iterable of them, or a graph stands for.

    Raises:
        TypeError: There is something else.
        ValueError: They are of several graphs.
    """
    if isinstance(ts, tf.Graph) and allow_graph:
        return get_tensors(ts)
    return _listed(ts, tf.Tensor, tf.Tensor if check_graph and not ignore_ops else None, allow_graph)


def make_list_of_op(
    tops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False
) -> list[Any]:
    """The list of operations that an operation, an iterable of them, or a graph stands for.

    Raises:
        TypeError: There is something else.
        ValueError: They are of several graphs.
    """
    if isinstance(tops, tf.Graph) and allow_graph:
        return tops.get_operations()
    return _listed(tops, tf.Operation, tf.Operation if check_graph and not ignore_ts else None, allow_graph)


def _listed(items: Any, kind: Any, checked: Any, allow_graph: bool) -> list[Any]:
    if isinstance(items, tf.Graph) and not allow_graph:
        raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
    single = isinstance(items, (tf.Tensor, tf.Operation)) or not is_iterable(items)
    items = [items] if single else list(items)
    if items and checked is not None:
        get_unique_graph(items, check_types=checked)
    elif items:
        get_unique_graph(items)
    return [item for item in items if isinstance(item, kind)]


def get_generating_ops(ts: Any) -> list[Any]:
    """The operations that give the tensors, one for each."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Any]:
    """The operations that take any of the tensors, each once."""
    found: list[Any] = []
    for tensor in make_list_of_t(ts, allow_graph=False):
        concatenate_unique(found, tensor.consumers())
    return found


def get_backward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], bool] | None = None,
    stop_at_ts: Any = (),
    control_inputs: bool = False,
    only_differentiable: bool = False,
) -> list[Any]:
    """The operations that some depend on, breadth first.

    Args:
        seed_ops: Where to begin: operations, or tensors for those that give them.
        inclusive: Whether these are in the result.
        within_ops: The only operations to visit, if given.
        within_ops_fn: Says of an operation whether to visit it.
        stop_at_ts: Tensors that the walk does not pass.
        control_inputs: Whether it follows control inputs too.
        only_differentiable: Whether it passes only operations with gradients.

    Raises:
        TypeError: There is something else than operations or tensors.
    """
    if not isinstance(seed_ops, (tf.Operation, tf.Tensor)):
        seed_ops = list(seed_ops)
    first = seed_ops if isinstance(seed_ops, (tf.Operation, tf.Tensor)) else next(iter(seed_ops), None)
    seeds = (
        get_generating_ops(seed_ops) if isinstance(first, tf.Tensor) else make_list_of_op(seed_ops, allow_graph=False)
    )
    stops = frozenset(make_list_of_t(stop_at_ts))
    within = None if within_ops is None else frozenset(make_list_of_op(within_ops, allow_graph=False))

    def is_in(op: Any) -> bool:
        return (within is None or op in within) and (within_ops_fn is None or within_ops_fn(op))

    found = dict.fromkeys(seeds)
    wave = list(found)
    while wave:
        following: dict[Any, None] = {}
        for op in wave:
            if not is_in(op) or only_differentiable and not is_differentiable(op):
                continue
            inputs = [tensor.op for tensor in op.inputs if tensor not in stops]
            for source in [*inputs, *(op.control_inputs if control_inputs else ())]:
                if source not in found:
                    following[source] = None
        found.update(following)
        wave = list(following)
    ops = [op for op in found if is_in(op)]
    return ops if inclusive else [op for op in ops if op not in seeds]


def graph_inputs(op: Any) -> list[Any]:
    """The operations that an operation takes values of or follows."""
    return [*(tensor.op for tensor in op.inputs), *op.control_inputs]
