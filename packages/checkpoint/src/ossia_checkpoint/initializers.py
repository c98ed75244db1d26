"""Variables that take their first values from a checkpoint: `tf.train.init_from_checkpoint`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ossia_checkpoint.reader import CheckpointReader, checkpoint_filename, load_checkpoint
from ossia_checkpoint.saveables import saveable_objects
from ossia_core.declare import opdef
from ossia_core.graph.scopes import device
from ossia_core.plugins.api_table import public
from ossia_core.variables.scope import variable_store
from ossia_core.variables.variable import Variable


@public("train.init_from_checkpoint")
def init_from_checkpoint(ckpt_dir_or_file: str, assignment_map: Mapping[str, Any]) -> None:
    """Replaces the initializers of variables, so that they load values from a checkpoint.

    The values are read when the initializers run, as `tf.global_variables_initializer()` does. The shapes of variables
    that are named one by one are compared at once; those of whole scopes, and all dtypes, when the values are read.

    Args:
        ckpt_dir_or_file: A directory, whose newest checkpoint is read, or a checkpoint's prefix.
        assignment_map: What to load. Each key is

            - the name of a tensor in the checkpoint; the value is then a variable, a list of the parts of a partitioned
              one, or the name of a variable that `tf.get_variable` made (without `/part_0` if it is partitioned);
            - or a scope with a `/` at its end (`"/"` alone: the whole checkpoint); the value is then a scope of this
              graph, `"scope/"` or `"/"`, all of whose variables are loaded from the same names in the checkpoint's.

    Raises:
        ValueError: The directory has no checkpoint; a tensor is not in the checkpoint or has another shape than its
            variable; a value is neither the name of a variable nor a scope for a scope.
        NotFoundError: There is no such checkpoint.
        TypeError: A value is neither variable, nor list of variables, nor string.
    """
    reader = load_checkpoint(ckpt_dir_or_file)
    prefix = checkpoint_filename(ckpt_dir_or_file)
    shapes = reader.get_variable_to_shape_map()
    for source, target in sorted(assignment_map.items(), key=lambda item: item[0]):
        variable = target if _is_variable(target) or _are_variables(target) else _named(target)
        if variable is not None:
            _check(variable, source, shapes, ckpt_dir_or_file)
            set_initializers(variable, prefix, source)
        else:
            for name, found in _of_scope(source, target, reader, ckpt_dir_or_file):
                set_initializers(found, prefix, name)


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _are_variables(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_variable, value))


def _named(name: Any) -> Any:
    """The variable of that name, or the list of its parts; None if `tf.get_variable` made none."""
    if not isinstance(name, str):
        raise TypeError(f"Expected a variable, a list of variables, or the name of one or of a scope, got {name!r}")
    known = variable_store()._vars
    if name in known:
        return known[name]
    parts: list[Any] = []
    while f"{name}/part_{len(parts)}" in known:
        parts.append(known[f"{name}/part_{len(parts)}"])
    return parts or None


def _check(variable: Any, source: str, shapes: dict[str, list[int]], checkpoint: str) -> None:
    if source not in shapes:
        raise ValueError(f"Tensor {source} is not found in {checkpoint} checkpoint {shapes}")
    if _is_variable(variable) and not variable.shape.is_compatible_with(shapes[source]):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of tensor {source} "
            f"({shapes[source]}) from checkpoint reader."
        )


def _of_scope(source: str, target: str, reader: CheckpointReader, checkpoint: str) -> Iterator[tuple[str, Any]]:
    """Names in the checkpoint, and the variables of a scope that they are for, one after the other."""
    scope = target.rpartition("/")[0]
    if not source.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {scope} should map to scope only {source}. Should be 'scope/': "
            "'other_scope/'."
        )
    inside = {
        name.partition("/part_")[0] for name in variable_store()._vars if not scope or name.startswith(scope + "/")
    }
    for name in sorted(inside):
        # From the root, names begin right away; below a scope, after its slash.
        own = name[len(scope) :] if target == "/" else name[len(scope) + 1 :]
        full = (own if source == "/" else source + own).removesuffix("/")
        if not reader.has_tensor(full):
            shown = f"{full} ({name[len(scope) + 1 :]} in {source})"
            raise ValueError(f"Tensor {shown} is not found in {checkpoint} checkpoint")
        yield full, _named(name)


def set_initializers(variable: Any, prefix: str | None, name: str) -> None:
    """Makes a variable, or the parts of one, take their first values from a tensor of a checkpoint.

    Raises:
        AttributeError: One of several variables is not part of one.
    """
    if _is_variable(variable):
        _set_initializer(variable, prefix, name, "")
        return
    parts: Sequence[Any] = variable
    whole = None
    for part in parts:
        info = part._save_slice_info
        if info is None:
            raise AttributeError(f"{part.name} in a list of variables is not part of a partitioned variable")
        if whole is None:
            whole = info.full_name
        elif info.full_name != whole:
            raise ValueError(f"Slices must all be from the same tensor: {whole} != {info.full_name}")
        _set_initializer(part, prefix, name, info.spec)


def _set_initializer(variable: Any, prefix: str | None, name: str, spec: str) -> None:
    with device(variable.device), device("/cpu:0"):
        (value,) = opdef.lookup("RestoreV2")(
            prefix, [name], [spec], dtypes=[variable.dtype.base_dtype], name="checkpoint_initializer"
        )
    variable._initializer_op = saveable_objects([variable])[0].restore([value], None)
    value.set_shape(variable.shape)
    variable._initial_value = value
