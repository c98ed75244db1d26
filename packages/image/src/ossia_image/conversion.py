"""Images of other dtypes: integers count from 0 to their largest value, floats from 0 to 1."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast, saturate_cast
from ossia_ops.math.division import div


@public("image.convert_image_dtype", "compat.v2.image.convert_image_dtype")
def convert_image_dtype(image: Any, dtype: Any, saturate: bool = False, name: str | None = None) -> Tensor:
    """Converts images to another dtype, and scales their values from the range of the one to that of the other.

    Args:
        image: Images, of any shape.
        dtype: The new dtype, an integer or a float type.
        saturate: Whether values out of range become the nearest value in it, instead of any value.
        name: A name for the op.

    Returns:
        A tensor of the same shape.
    """
    image = convert_to_tensor(image, name="image")
    dtype = dtypes.as_dtype(dtype)
    if dtype == image.dtype:
        return identity(image, name=name)
    with name_scope(name, "convert_image", [image]) as scope:
        if image.dtype.is_integer and dtype.is_integer:
            return _between_integers(image, dtype, saturate, scope)
        if image.dtype.is_floating and dtype.is_floating:
            return cast(image, dtype, name=scope)
        if image.dtype.is_integer:
            return multiply(cast(image, dtype), 1.0 / image.dtype.max, name=scope)
        scaled = multiply(image, dtype.max + 0.5)
        return saturate_cast(scaled, dtype, name=scope) if saturate else cast(scaled, dtype, name=scope)


def _between_integers(image: Tensor, dtype: Any, saturate: bool, scope: str) -> Tensor:
    old, new = image.dtype.max, dtype.max
    if old > new:
        scaled = div(image, (old + 1) // (new + 1))
        return saturate_cast(scaled, dtype, name=scope) if saturate else cast(scaled, dtype, name=scope)
    converted = saturate_cast(image, dtype) if saturate else cast(image, dtype)
    return multiply(converted, (new + 1) // (old + 1), name=scope)
