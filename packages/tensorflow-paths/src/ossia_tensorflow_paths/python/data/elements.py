"""`python.data.util`: options, shapes, sparse parts and specs of elements, as the original's modules have them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import SparseTensorSpec, spec_of
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_data import structure
from ossia_data.padding import partial_shape
from ossia_data.seeds import seed_tensors


def optional_param_to_tensor(
    argument_name: str, argument_value: Any, argument_default: Any = 0, argument_dtype: Any = dtypes.int64
) -> Tensor:
    """A value, or a default in the place of None, as a tensor."""
    if argument_value is None:
        return constant(argument_default, argument_dtype, name=argument_name)
    return convert_to_tensor(argument_value, dtype=argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like: Any) -> Tensor:
    """A shape as an int64 vector, with -1 for what is not known.

    Raises:
        ValueError: A tensor has another rank.
        TypeError: It has another dtype.
    """
    if isinstance(shape_like, Tensor):
        if shape_like.shape.ndims not in (None, 1):
            raise ValueError(f"The given shape {shape_like} must be a 1-D tensor of `tf.int64` values.")
        if shape_like.dtype != dtypes.int64:
            raise TypeError(f"The given shape {shape_like} must be a 1-D tensor of `tf.int64` values.")
        return shape_like
    return partial_shape(TensorShape(shape_like))


def get_seed(seed: Any) -> tuple[Tensor, Tensor]:
    """The two seeds of a dataset."""
    return seed_tensors(seed)


def type_spec_from_value(element: Any, use_fallback: bool = True) -> Any:
    """The specs of an element, in its structure."""
    leaves = structure.flatten(element)
    return structure.packed(element, [
        spec_of(leaf if _has_spec(leaf) else convert_to_tensor(leaf)) for leaf in leaves
    ])


def _has_spec(leaf: Any) -> bool:
    return hasattr(leaf, "_type_spec") or hasattr(leaf, "dense_shape") or isinstance(leaf, Tensor)


def normalize_element(element: Any) -> Any:
    """An element whose leaves are tensors, sparse tensors or datasets."""
    return structure.normalized(element)[0]


def convert_legacy_structure(output_types: Any, output_shapes: Any, output_classes: Any) -> Any:
    """The specs of elements of these dtypes, shapes and classes."""
    return structure.spec_from(output_types, output_shapes, output_classes)


def get_flat_tensor_specs(element_spec: Any) -> list[Any]:
    """The specs of the tensors in which an element travels."""
    return structure.flat_specs(element_spec)


def get_flat_tensor_shapes(element_spec: Any) -> list[Any]:
    """The shapes of the tensors in which an element travels."""
    return [spec.shape for spec in structure.flat_specs(element_spec)]


def get_flat_tensor_types(element_spec: Any) -> list[Any]:
    """The dtypes of the tensors in which an element travels."""
    return [spec.dtype for spec in structure.flat_specs(element_spec)]


def to_tensor_list(element_spec: Any, element: Any) -> list[Tensor]:
    """The tensors in which an element travels."""
    return structure.tensor_list(element_spec, element)


def to_batched_tensor_list(element_spec: Any, element: Any) -> list[Tensor]:
    """The tensors in which a batch travels."""
    return structure.batched_tensor_list(element_spec, element)


def from_tensor_list(element_spec: Any, tensor_list: Any) -> Any:
    """The element that travelled in these tensors.

    Raises:
        ValueError: They are not what the specs say.
    """
    specs = structure.flat_specs(element_spec)
    if len(specs) != len(tensor_list):
        raise ValueError(f"Expected {len(specs)} tensors but got {len(tensor_list)}.")
    for spec, tensor in zip(specs, tensor_list, strict=True):
        if not spec.is_compatible_with(tensor):
            raise ValueError(f"Incompatible input: {tensor} is incompatible with {spec}")
    return structure.from_tensor_list(element_spec, tensor_list)


def from_compatible_tensor_list(element_spec: Any, tensor_list: Any) -> Any:
    """The element that travelled in these tensors."""
    return structure.from_tensor_list(element_spec, tensor_list)


def are_compatible(spec1: Any, spec2: Any) -> bool:
    """Whether the specs of one structure go with those of another."""
    try:
        others = structure.leaves_up_to(spec1, spec2)
    except (TypeError, ValueError):
        return False
    return all(a.is_compatible_with(b) for a, b in zip(structure.flatten(spec1), others, strict=True))


def any_sparse(classes: Any) -> bool:
    """Whether a class is that of sparse tensors."""
    return any(kind is SparseTensor for kind in structure.flatten(classes))


def as_dense_shapes(shapes: Any, classes: Any) -> Any:
    """The shapes, unknown ones for sparse tensors."""
    return _dense(shapes, classes, TensorShape(None))


def as_dense_types(types: Any, classes: Any) -> Any:
    """The dtypes, variant for sparse tensors."""
    return _dense(types, classes, dtypes.variant)


def _dense(told: Any, classes: Any, sparse: Any) -> Any:
    return structure.packed(told, [
        sparse if kind is SparseTensor else one
        for one, kind in zip(structure.flatten(told), structure.flatten(classes), strict=True)
    ])


def get_classes(tensors: Any) -> Any:
    """The classes of the leaves: sparse tensors or tensors."""
    return structure.mapped(lambda leaf: SparseTensor if isinstance(leaf, SparseTensor) else Tensor, tensors)


def serialize_sparse_tensors(tensors: Any) -> Any:
    """The leaves, sparse tensors as variants."""
    return structure.mapped(
        lambda leaf: tf.io.serialize_sparse(leaf, out_type=tf.variant) if isinstance(leaf, SparseTensor) else leaf,
        tensors,
    )


def deserialize_sparse_tensors(tensors: Any, types: Any, shapes: Any, classes: Any) -> Any:
    """The leaves, variants of sparse tensors as those."""
    made = [
        SparseTensorSpec(shape, dtype)._from_compatible_tensor_list([leaf]) if kind is SparseTensor else leaf
        for leaf, dtype, shape, kind in zip(
            *[structure.flatten(given) for given in (tensors, types, shapes, classes)], strict=True
        )
    ]
    return structure.packed(tensors, made)


def create_option(name: str, ty: Any, docstring: str, default_factory: Callable = lambda: None) -> property:
    """A property of a class of options, of the type given."""
    def get(options: Any) -> Any:
        if name not in vars(options).setdefault("_options", {}):
            options._options[name] = default_factory()
        return options._options[name]

    def put(options: Any, value: Any) -> None:
        if not isinstance(value, ty):
            raise TypeError(f'Property "{name}" must be of type {ty}, got: {value!r} (type: {type(value)!r})')
        vars(options).setdefault("_options", {})[name] = value

    return property(get, put, None, docstring)
