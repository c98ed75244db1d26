"""Variables of models: how layers make them, and how programs find them and fill them from checkpoints."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.framework.arg_scope import add_arg_scope
from ossia_core.plugins.api_table import public, public_value

assert_global_step = tf.train.assert_global_step
create_global_step = tf.train.create_global_step
get_global_step = tf.train.get_global_step
get_or_create_global_step = tf.train.get_or_create_global_step
for _name in ("assert_global_step", "create_global_step", "get_global_step", "get_or_create_global_step"):
    public_value(f"contrib.framework.{_name}", f"contrib.slim.{_name}", name=_name)


@public("contrib.framework.assert_or_get_global_step", "contrib.slim.assert_or_get_global_step")
def assert_or_get_global_step(graph: Any = None, global_step_tensor: Any = None) -> Any:
    """The given global step, checked; that of the graph if None."""
    if global_step_tensor is None:
        return get_global_step(graph)
    assert_global_step(global_step_tensor)
    return global_step_tensor


@public("contrib.framework.variable", "contrib.slim.variable")
@add_arg_scope
def variable(
    name: str, shape: Any = None, dtype: Any = None, initializer: Any = None, regularizer: Any = None,
    trainable: bool | None = True, collections: Sequence[str] | None = None, caching_device: Any = None,
    device: Any = None, partitioner: Any = None, custom_getter: Any = None, use_resource: bool | None = None,
    synchronization: Any = tf.VariableSynchronization.AUTO, aggregation: Any = tf.VariableAggregation.NONE,
) -> Any:
    """A variable of the current scope, as `tf.get_variable` makes it.

    Args:
      name, shape, dtype, initializer, regularizer, trainable, caching_device, partitioner, use_resource,
          synchronization, aggregation: as for `tf.get_variable`.
      collections: names of the collections it joins; GLOBAL_VARIABLES by default.
      device: where it is; a name or a function of the operation.
      custom_getter: what makes it in place of `tf.get_variable`.

    Returns:
      The variable.
    """
    getter: Callable = tf.get_variable
    if custom_getter is not None:
        getter = functools.partial(custom_getter, reuse=tf.get_variable_scope().reuse)
    with tf.device(device or ""):
        return getter(
            name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
            collections=list(dict.fromkeys(collections or [tf.GraphKeys.GLOBAL_VARIABLES])),
            caching_device=caching_device, partitioner=partitioner, use_resource=use_resource,
            synchronization=synchronization, aggregation=aggregation,
        )


@public("contrib.framework.model_variable", "contrib.slim.model_variable")
@add_arg_scope
def model_variable(
    name: str, shape: Any = None, dtype: Any = tf.float32, initializer: Any = None, regularizer: Any = None,
    trainable: bool | None = True, collections: Sequence[str] | None = None, caching_device: Any = None,
    device: Any = None, partitioner: Any = None, custom_getter: Any = None, use_resource: bool | None = None,
    synchronization: Any = tf.VariableSynchronization.AUTO, aggregation: Any = tf.VariableAggregation.NONE,
) -> Any:
    """A `variable` that is part of the model: it joins MODEL_VARIABLES too."""
    keys = [*(collections or []), tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.MODEL_VARIABLES]
    return variable(
        name, shape=shape, dtype=dtype, initializer=initializer, regularizer=regularizer, trainable=trainable,
        collections=keys, caching_device=caching_device, device=device, partitioner=partitioner,
        custom_getter=custom_getter, use_resource=use_resource, synchronization=synchronization,
        aggregation=aggregation,
    )


@public("contrib.framework.local_variable", "contrib.slim.local_variable")
def local_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is not trained and not saved, in LOCAL_VARIABLES."""
    return tf.Variable(
        initial_value, trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES], validate_shape=validate_shape,
        name=name, use_resource=use_resource,
    )


@public("contrib.framework.global_variable", "contrib.slim.global_variable")
def global_variable(
    initial_value: Any, validate_shape: bool = True, name: str | None = None, use_resource: bool | None = None
) -> Any:
    """A variable that is not trained, in GLOBAL_VARIABLES."""
    return tf.Variable(
        initial_value, trainable=False, collections=[tf.GraphKeys.GLOBAL_VARIABLES], validate_shape=validate_shape,
        name=name, use_resource=use_resource,
    )


@public("contrib.framework.add_model_variable", "contrib.slim.add_model_variable")
def add_model_variable(var: Any) -> None:
    """Puts a variable into MODEL_VARIABLES, once."""
    if not any(var is other for other in tf.get_collection(tf.GraphKeys.MODEL_VARIABLES)):
        tf.add_to_collection(tf.GraphKeys.MODEL_VARIABLES, var)


@public("contrib.framework.get_variables", "contrib.slim.get_variables")
def get_variables(
    scope: Any = None, suffix: str | None = None, collection: str = tf.GraphKeys.GLOBAL_VARIABLES
) -> list[Any]:
    """The variables of a collection whose names begin with a scope and end with a suffix.

    Args:
      scope: a regular expression that names match from their start, or a variable scope; all by default.
      suffix: how names end, before the colon.
      collection: the collection.
    """
    if isinstance(scope, tf.VariableScope):
        scope = scope.name
    if suffix is not None:
        scope = f"{scope or ''}.*{suffix}{'' if ':' in suffix else ':'}"
    return tf.get_collection(collection, scope)


@public("contrib.framework.get_model_variables", "contrib.slim.get_model_variables")
def get_model_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of MODEL_VARIABLES."""
    return get_variables(scope, suffix, tf.GraphKeys.MODEL_VARIABLES)


@public("contrib.framework.get_local_variables", "contrib.slim.get_local_variables")
def get_local_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of LOCAL_VARIABLES."""
    return get_variables(scope, suffix, tf.GraphKeys.LOCAL_VARIABLES)


@public("contrib.framework.get_trainable_variables", "contrib.slim.get_trainable_variables")
def get_trainable_variables(scope: Any = None, suffix: str | None = None) -> list[Any]:
    """`get_variables` of TRAINABLE_VARIABLES."""
    return get_variables(scope, suffix, tf.GraphKeys.TRAINABLE_VARIABLES)


@public("contrib.framework.get_variables_by_suffix", "contrib.slim.get_variables_by_suffix")
def get_variables_by_suffix(suffix: str, scope: Any = None) -> list[Any]:
    """The global variables whose names end with `suffix`."""
    return get_variables(scope=scope, suffix=suffix)


@public("contrib.framework.get_variables_by_name", "contrib.slim.get_variables_by_name")
def get_variables_by_name(given_name: str, scope: Any = None) -> list[Any]:
    """The global variables with this name, in any scope."""
    return get_variables(scope=scope, suffix=f"/{given_name}:|^{given_name}:")


@public("contrib.framework.get_unique_variable", "contrib.slim.get_unique_variable")
def get_unique_variable(var_op_name: str) -> Any:
    """The global variable of this full name.

    Raises:
      ValueError: there is none, or only others whose names begin so.
    """
    candidates = get_variables(scope=var_op_name)
    if not candidates:
        raise ValueError(f"Couldn't find variable {var_op_name}")
    for candidate in candidates:
        if candidate.op.name == var_op_name:
            return candidate
    raise ValueError(f"Variable {var_op_name} does not uniquely identify a variable")


@public("contrib.framework.get_variable_full_name", "contrib.slim.get_variable_full_name")
def get_variable_full_name(var: Any) -> str:
    """The name of a variable in checkpoints: for a part of a partitioned one that of the whole."""
    return var._save_slice_info.full_name if var._save_slice_info else var.op.name


@public("contrib.framework.get_variables_to_restore", "contrib.slim.get_variables_to_restore")
def get_variables_to_restore(include: Sequence[str] | None = None, exclude: Sequence[str] | None = None) -> list[Any]:
    """The global variables of some scopes, less those of others.

    Args:
      include: scopes; all variables if None.
      exclude: scopes whose variables are left out.

    Raises:
      TypeError: an argument is no list or tuple.
    """
    if include is not None and not isinstance(include, (list, tuple)):
        raise TypeError("include is provided but is not a list or a tuple.")
    if exclude is not None and not isinstance(exclude, (list, tuple)):
        raise TypeError("exclude is provided but is not a list or a tuple.")
    found = get_variables() if include is None else [var for scope in include for var in get_variables(scope)]
    left_out = {id(var) for scope in exclude or () for var in get_variables(scope)}
    return [var for var in found if id(var) not in left_out]


@public("contrib.framework.filter_variables", "contrib.slim.filter_variables")
def filter_variables(
    var_list: Sequence[Any], include_patterns: Sequence[str] | None = None,
    exclude_patterns: Sequence[str] | None = None, reg_search: bool = True,
) -> list[Any]:
    """The variables whose names match one of the patterns to include and none of those to exclude.

    Args:
      var_list: variables.
      include_patterns: regular expressions; all match if None.
      exclude_patterns: regular expressions.
      reg_search: whether a pattern may match anywhere in a name; else from its start.
    """
    match = re.search if reg_search else re.match

    def one_of(patterns: Sequence[str], var: Any) -> bool:
        return any(match(pattern, var.op.name) for pattern in patterns)

    found = [var for var in var_list if not include_patterns or one_of(include_patterns, var)]
    return [var for var in found if not one_of(exclude_patterns or (), var)]


@public("contrib.framework.assign_from_values", "contrib.slim.assign_from_values")
def assign_from_values(var_names_to_values: dict[str, Any]) -> tuple[Any, dict[Any, Any]]:
    """An op that gives values to variables, with the feeds it needs.

    Args:
      var_names_to_values: full names of variables, each with its value.

    Returns:
      The op, and a dict to feed when it runs.

    Raises:
      ValueError: there is no such variable, or more than one.
    """
    feeds, assignments = {}, []
    for name, value in var_names_to_values.items():
        found = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, name)
        if len(found) != 1:
            raise ValueError(f"Variable {name} {'found more than once' if found else 'not found'}")
        var, given = found[0], np.asarray(value)
        source = tf.placeholder(tf.as_dtype(given.dtype), shape=given.shape, name=f"placeholder/{var.op.name}")
        assignments.append(var.assign(source))
        feeds[source] = given
    return tf.group(*assignments), feeds
