"""What a saver saves: for each object, the tensors that hold its state, and the ops that put restored values back."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_core.declare import opdef
from ossia_core.graph.convert import convert
from ossia_core.graph.operation import Operation
from ossia_core.graph.scopes import device
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.primitives.identity import identity

_REFERENCES = ("Variable", "VariableV2", "AutoReloadVariable")
_VARIABLE_OPS = (*_REFERENCES, "VarHandleOp", "ReadVariableOp")


class SaveSpec:
    """One tensor of a saveable object.

    Attributes:
        name: The name under which checkpoints hold it.
        slice_spec: Where it lies in the tensor of that name, as `"5 4 0,2:-"`; empty for all of it.
        dtype: Its element type.
        device: Where it is made.
    """

    def __init__(
        self,
        tensor: Tensor | Callable[[], Tensor],
        slice_spec: str,
        name: str,
        dtype: Any = None,
        device: str | None = None,
    ) -> None:
        """Describes a tensor, or with a function and a dtype and device one that is made each time it is needed."""
        if callable(tensor) and (dtype is None or device is None):
            raise ValueError("When passed a callable, `dtype` and `device` must be given.")
        self._tensor = tensor
        self.slice_spec = slice_spec
        self.name = name
        self.dtype = tensor.dtype if dtype is None else dtypes.as_dtype(dtype)  # type: ignore[union-attr]
        self.device = tensor.device if device is None else device  # type: ignore[union-attr]

    @property
    def tensor(self) -> Tensor:
        """The tensor."""
        return self._tensor() if callable(self._tensor) else self._tensor


class SaveableObject:
    """Something with state that a `Saver` saves; objects of any class with these attributes and `restore` will do.

    Attributes:
        op: What it belongs to; no object may be saved twice.
        specs: Its tensors.
        name: The name under which checkpoints hold it, by which savers order their objects.
    """

    def __init__(self, op: Any, specs: Sequence[SaveSpec], name: str) -> None:
        """Makes a saveable object of an operation or tensor, its specs and its name."""
        self.op = op
        self.specs = specs
        self.name = name

    optional_restore = False
    """Whether a checkpoint that lacks it restores the rest all the same."""

    @property
    def device(self) -> str:
        """The device of the first tensor."""
        return self.specs[0].device

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Operation | Tensor:
        """Builds the ops that take the values from a checkpoint.

        Args:
            restored_tensors: One tensor per spec.
            restored_shapes: Shapes that they are to be given, one per spec, or None.

        Returns:
            What has run when the object is restored.
        """
        raise ValueError("Calling an abstract method.")


class ReferenceVariableSaveable(SaveableObject):
    """A reference variable, or one part of a partitioned one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        """Describes the variable or its reference tensor."""
        super().__init__(var, [SaveSpec(var, slice_spec, name, dtype=var.dtype)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Tensor:
        """Assigns the value."""
        tensor = _reshaped(restored_tensors[0], restored_shapes)
        target = convert(self.op, as_ref=True)
        return opdef.lookup("Assign")(
            target,
            tensor,
            validate_shape=restored_shapes is None and target.shape.is_fully_defined(),
            use_locking=True,
            name="Assign",
        )


class ResourceVariableSaveable(SaveableObject):
    """A resource variable, or one part of a partitioned one."""

    def __init__(self, var: Any, slice_spec: str, name: str) -> None:
        """Describes the variable, or the tensor that reads it."""
        self._device = var.device
        self._shape = var.shape
        if isinstance(var, Tensor):
            self.handle = var.op.inputs[0]
            tensor: Any = var
        else:
            self.handle = var.handle
            tensor = lambda: _read(var)
        super().__init__(var, [SaveSpec(tensor, slice_spec, name, dtype=var.dtype.base_dtype, device=var.device)], name)

    def restore(self, restored_tensors: list[Tensor], restored_shapes: list[Any] | None) -> Operation:
        """Assigns the value.

        Raises:
            ValueError: The value has another shape than the variable.
        """
        tensor = _reshaped(restored_tensors[0], restored_shapes)
        with device(self._device):
            tensor = identity(tensor)
            self._shape.assert_is_compatible_with(tensor.shape)
            return opdef.lookup("AssignVariableOp")(self.handle, tensor, name="AssignVariableOp")


def _read(variable: Any) -> Tensor:
    with device(variable.device):
        value = variable.read_value()
        with device("/device:CPU:0"):
            return identity(value)


def _reshaped(tensor: Tensor, shapes: list[Any] | None) -> Tensor:
    return tensor if shapes is None else opdef.lookup("Reshape")(tensor, shapes[0], name="Reshape")


def _is_saveable(value: Any) -> bool:
    return hasattr(value, "specs") and hasattr(value, "restore")


def _is_partitioned(value: Any) -> bool:
    return hasattr(value, "_get_variable_list")


def _is_variable(value: Any) -> bool:
    return hasattr(value, "_save_slice_info") and not _is_partitioned(value)


def names_to_saveables(var_list: Any) -> dict[str, Any]:
    """What to save by name, from a dict or list of variables, their tensors, partitioned variables, saveable objects.

    Raises:
        TypeError: `var_list` is no dict, list, tuple or set, or holds something else.
        ValueError: Two of the objects have the same name.
    """
    if isinstance(var_list, dict):
        return var_list
    if not isinstance(var_list, (list, tuple, set, frozenset)):
        raise TypeError(f"Variables to save should be passed in a dict or a list: {var_list}")
    found: dict[str, Any] = collections.OrderedDict()
    for var in sorted(var_list, key=lambda var: var.name) if isinstance(var_list, (set, frozenset)) else var_list:
        if _is_saveable(var) or _is_partitioned(var):
            _place(found, var.name, var)
        elif _is_variable(var) and var._save_slice_info:
            name = var._save_slice_info.full_name
            parts = found.setdefault(name, [])
            if not isinstance(parts, list):
                raise ValueError(f"Mixing slices and non-slices with the same name: {name}")
            parts.append(var)
        else:
            name = var.name  # what has no name is no variable
            tensor = _tensor_of(var)
            if not _is_of_variable(tensor):
                raise TypeError(f"Variable to save is not a Variable: {var}")
            name = tensor.op.inputs[0].op.name if tensor.op.type == "ReadVariableOp" else tensor.op.name
            _place(found, name, var if _is_variable(var) else tensor)
    return found


def _place(found: dict[str, Any], name: str, value: Any) -> None:
    if name in found:
        raise ValueError(f"At least two variables have the same name: {name}")
    found[name] = value


def _tensor_of(value: Any) -> Any:
    return value._as_graph_element() if _is_variable(value) else convert(value, as_ref=True)


def _is_of_variable(tensor: Any) -> bool:
    return isinstance(tensor, Tensor) and tensor.op.type in _VARIABLE_OPS


def saveable_objects(var_list: Any) -> list[SaveableObject]:
    """The saveable objects of what `names_to_saveables` takes, ordered by name.

    Raises:
        TypeError: Something is neither a variable nor saveable.
        ValueError: Names collide, an object has two names, or parts are not parts of the same variable.
    """
    made: list[SaveableObject] = []
    seen: set[Any] = set()
    for name, value in sorted(names_to_saveables(var_list).items(), key=lambda item: item[0]):
        for saveable in saveables_of_one(value, name):
            key = id(saveable.op)
            if key in seen:
                raise ValueError(f"The same saveable will be restored with two names: {saveable.name}")
            seen.add(key)
            made.append(saveable)
    return made


def saveables_of_one(value: Any, name: str) -> Iterator[SaveableObject]:
    """The saveable objects of one variable, list of parts or object, which checkpoints hold under `name`."""
    if not isinstance(name, str):
        raise TypeError(
            "names_to_saveables must be a dict mapping string names to trackable operations. "
            f"Name is not a string: {name}"
        )
    if _is_saveable(value):
        yield value
    elif isinstance(value, (list, tuple)) or _is_partitioned(value):
        yield from _parts(list(value), name)
    else:
        tensor = _tensor_of(value)
        if not _is_of_variable(tensor):
            raise TypeError(
                f"names_to_saveables must be a dict mapping string names to Tensors/Variables. Not a variable: {tensor}"
            )
        yield (ReferenceVariableSaveable if tensor.op.type in _REFERENCES else ResourceVariableSaveable)(
            tensor, "", name
        )


def _parts(variables: list[Any], name: str) -> Iterator[SaveableObject]:
    full_name = None
    for variable in variables:
        if not _is_variable(variable):
            raise ValueError(f"Slices must all be Variables: {variable}")
        info = variable._save_slice_info
        if not info:
            raise ValueError(f"Slices must all be slices: {variable}")
        if full_name is None:
            full_name = info.full_name
        elif full_name != info.full_name:
            raise ValueError(f"Slices must all be from the same tensor: {full_name} != {info.full_name}")
        is_reference = variable.op.type in _REFERENCES
        yield (ReferenceVariableSaveable if is_reference else ResourceVariableSaveable)(variable, info.spec, name)
