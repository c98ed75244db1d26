"""`tf.case`, as conditionals inside of conditionals, and `tf.switch_case`: one of several functions."""
from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.declare.builders import builder, functional
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_ops.control.assertion import Assert

Branch = Callable[[], Any]


@public("case")
def case(
    pred_fn_pairs: Any, default: Branch | None = None, exclusive: bool = False, strict: bool = False, name: str = "case"
) -> Any:
    """The result of the first function whose predicate is true in a run.

    Args:
      pred_fn_pairs: pairs (boolean scalar tensor, function), in a list, or in a dict, which is taken in the order of
          the tensors' names.
      default: the function for when no predicate is true; without one, such a run raises InvalidArgumentError.
      exclusive: whether a run in which several predicates are true raises InvalidArgumentError.
      strict: whether a list of one result stays a list.
      name: name scope of the ops made.

    Raises:
      TypeError: pairs or functions of another form.
    """
    predicates, functions = _pairs(pred_fn_pairs)
    with name_scope(name, "case", [predicates]):
        if default is None:
            default, predicates, functions = _default(predicates, functions)
        chosen: Branch = default
        for predicate, function in reversed(list(zip(predicates, functions))):
            chosen = functools.partial(cond, predicate, true_fn=function, false_fn=chosen, strict=strict)
        if exclusive:
            with control_dependencies([_at_most(1, predicates, "Input error: exclusive=True")]):
                return chosen()
        return chosen()


def _pairs(pred_fn_pairs: Any) -> tuple[list[Tensor], list[Branch]]:
    if isinstance(pred_fn_pairs, Mapping):
        items = list(pred_fn_pairs.items())
        if not isinstance(pred_fn_pairs, OrderedDict):
            items.sort(key=lambda item: item[0].name)
    elif isinstance(pred_fn_pairs, (list, tuple)):
        items = list(pred_fn_pairs)
    else:
        raise TypeError("fns must be a list, tuple, or dict")
    if not items:
        raise ValueError("not enough values to unpack (expected 2, got 0)")
    for item in items:
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        predicate, function = item
        if not isinstance(predicate, Tensor):
            raise TypeError(f"pred must be a Tensor, got: {predicate}")
        if predicate.dtype is not dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {predicate.name}")
        if not callable(function):
            raise TypeError(f"fn for pred {predicate.name} must be callable.")
    return [item[0] for item in items], [item[1] for item in items]


def _at_most(count: int, predicates: list[Tensor], problem: str) -> Any:
    """An assertion that no more than `count` predicates are true."""
    names = ", ".join(p.name for p in predicates)
    together = builder("stack")(predicates, name="preds_c")
    true = builder("reduce_sum")(builder("cast")(together, dtypes.int32), name="num_true_conds")
    few = builder("less_equal")(true, builder("constant")(count, name="n_true_conds"))
    text = f"{problem}: more than {count} conditions ({names}) evaluated as True:"
    return Assert(few, [text, together], summarize=len(predicates))


def _default(predicates: list[Tensor], functions: list[Branch]) -> tuple[Branch, list[Tensor], list[Branch]]:
    """Without a default the last function takes its place, behind checks that it is wanted."""
    last, function = predicates[-1], functions[-1]

    def default() -> Any:
        together = builder("stack")(predicates, name="preds_c")
        others = _at_most(
            0,
            predicates[:-1],
            f"Implementation error: selected default action #{len(predicates) - 1} was called, but some of "
            "other predicates are True: ",
        )
        some = Assert(last, ["Input error: None of conditions evaluated as True:", together])
        with control_dependencies([others, some]):
            return function()
    return default, predicates[:-1], functions[:-1]


@public("switch_case")
def switch_case(branch_index: Any, branch_fns: Any, default: Branch | None = None, name: str = "switch_case") -> Any:
    """The result of the function at `branch_index`, or of `default` (the last function if None) if there is none.

    Args:
      branch_index: an integer scalar tensor.
      branch_fns: functions in a list, or by index: a dict or a list of pairs (index, function).
      default: the function for every other index.
      name: name scope of the ops made.

    Raises:
      TypeError: an index that is no integer tensor, or functions of another form.
      ValueError: no functions, or indices that are not 0 to n - 1.
    """
    functions = _indexed(branch_index, branch_fns)
    if default is not None:
        functions.append(default)
    with name_scope(name, "switch_case", [branch_index]), name_scope("indexed_case") as scope:
        return functional("case")(branch_index, functions, scope)


def _indexed(branch_index: Any, branch_fns: Any) -> list[Branch]:
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {branch_index.dtype}")
    if not branch_fns:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    if isinstance(branch_fns, dict):
        branch_fns = list(branch_fns.items())
    if all(callable(fn) for fn in branch_fns):
        branch_fns = list(enumerate(branch_fns))
    for entry in branch_fns:
        if not isinstance(entry, tuple) or len(entry) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        index, function = entry
        if not isinstance(index, int):
            raise TypeError(f"key must be a Python `int`, got {type(index)}")
        if not callable(function):
            raise TypeError(f"fn for key {index} must be callable.")
    indices = [index for index, _ in branch_fns]
    if sorted(indices) != list(range(len(indices))):
        raise ValueError(f"branch indices (keys) must form contiguous range of [0 to {len(indices)}) but found "
                         f"{{{','.join(map(str, sorted(indices)))}}}")
    return [function for _, function in sorted(branch_fns, key=lambda entry: entry[0])]
