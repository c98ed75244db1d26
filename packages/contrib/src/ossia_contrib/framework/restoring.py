"""Variables filled from checkpoints or from values, as an op or as a function of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_contrib.framework.variables import assign_from_values, get_variable_full_name
from ossia_core.plugins.api_table import public, public_value

init_from_checkpoint = tf.train.init_from_checkpoint
list_variables = tf.train.list_variables
load_checkpoint = tf.train.load_checkpoint
load_variable = tf.train.load_variable
for _name in ("init_from_checkpoint", "list_variables", "load_checkpoint", "load_variable"):
    public_value(f"contrib.framework.{_name}", name=_name)


@public("contrib.framework.assign_from_values_fn", "contrib.slim.assign_from_values_fn")
def assign_from_values_fn(var_names_to_values: dict[str, Any]) -> Callable[[Any], None]:
    """A function of a session that gives the values to the variables of these names."""
    assign, feeds = assign_from_values(var_names_to_values)
    return lambda session: session.run(assign, feeds)


def _by_name(var_list: Any) -> dict[str, Any]:
    """Names in the checkpoint, each with a variable or a list of its parts."""
    if isinstance(var_list, dict):
        return dict(var_list)
    named: dict[str, Any] = {}
    for var in var_list:
        named.setdefault(get_variable_full_name(var), []).append(var)
    return named


@public("contrib.framework.assign_from_checkpoint", "contrib.slim.assign_from_checkpoint")
def assign_from_checkpoint(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False
) -> tuple[Any, dict[Any, Any]]:
    """An op that gives variables their values in a checkpoint, with the feeds it needs.

    Args:
      model_path: the checkpoint.
      var_list: variables, or a dict from names in the checkpoint to variables.
      ignore_missing_vars: whether variables that the checkpoint lacks are left as they are.

    Returns:
      The op, and a dict to feed when it runs.

    Raises:
      ValueError: the checkpoint lacks a variable, or has it with another number of elements.
    """
    reader = tf.train.load_checkpoint(model_path)
    feeds, assignments = {}, []
    for name, variables in _by_name(var_list).items():
        if not reader.has_tensor(name):
            if not ignore_missing_vars:
                raise ValueError(f"Checkpoint is missing variable [{name}]")
            tf.logging.warning("Checkpoint is missing variable [%s]", name)
            continue
        value = reader.get_tensor(name)
        for var in variables if isinstance(variables, list) else [variables]:
            part = var._save_slice_info
            given = value
            if part:
                given = value[tuple(slice(o, o + n) for o, n in zip(part.var_offset, part.var_shape))]
            if var.shape.num_elements() != given.size:
                raise ValueError(
                    f"Total size of new array must be unchanged for {name} lh_shape: [{given.shape}], "
                    f"rh_shape: [{var.shape.as_list()}]"
                )
            source = tf.placeholder(tf.as_dtype(given.dtype), shape=var.shape, name=f"placeholder/{var.op.name}")
            assignments.append(var.assign(source))
            feeds[source] = given.reshape(var.shape.as_list())
    return tf.group(*assignments), feeds


@public("contrib.framework.assign_from_checkpoint_fn", "contrib.slim.assign_from_checkpoint_fn")
def assign_from_checkpoint_fn(
    model_path: str, var_list: Any, ignore_missing_vars: bool = False, reshape_variables: bool = False
) -> Callable[[Any], None] | None:
    """A function of a session that restores variables from a checkpoint.

    Args:
      model_path: the checkpoint.
      var_list: variables, or a dict from names in the checkpoint to variables.
      ignore_missing_vars: whether variables that the checkpoint lacks are left as they are.
      reshape_variables: whether a value may have another shape with as many elements.

    Returns:
      The function; None if no variable is left to restore.

    Raises:
      ValueError: no variables are given.
    """
    if not var_list:
        raise ValueError("var_list cannot be empty")
    if ignore_missing_vars:
        reader = tf.train.load_checkpoint(model_path)
        named = _by_name(var_list)
        for name in [name for name in named if not reader.has_tensor(name)]:
            tf.logging.warning("Variable %s missing in checkpoint %s", name, model_path)
            del named[name]
        if not named:
            tf.logging.warning("No Variables to restore")
            return None
        var_list = named if isinstance(var_list, dict) else [var for parts in named.values() for var in parts]
    saver = tf.train.Saver(var_list, reshape=reshape_variables)
    return lambda session: saver.restore(session, model_path)
