"""What a layer demands of its inputs: ranks, shapes and dtypes, checked before it is built and at every call."""
from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes, nest
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public


@public("layers.InputSpec")
class InputSpec:
    """The rank, shape and dtype that an input of a layer must have; None where anything goes.

    Args:
      dtype: its dtype.
      shape: its shape, with None for sizes that do not matter.
      ndim: its rank; the length of `shape` if that is given.
      max_ndim: its largest rank.
      min_ndim: its smallest rank.
      axes: dict of an axis to the size it must have there.
    """

    def __init__(
        self, dtype: Any = None, shape: Any = None, ndim: int | None = None, max_ndim: int | None = None,
        min_ndim: int | None = None, axes: dict | None = None,
    ) -> None:
        self.dtype = dtypes.as_dtype(dtype).name if dtype is not None else None
        self.shape = shape
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim, self.min_ndim = max_ndim, min_ndim
        try:
            self.axes = {int(axis): (axes or {})[axis] for axis in axes or {}}
        except (ValueError, TypeError):
            raise TypeError("The keys in axes must be integers.") from None
        if self.axes and (self.ndim is not None or self.max_ndim is not None):
            largest = (self.ndim or self.max_ndim) - 1  # type: ignore[operator]
            if max(self.axes) > largest:
                raise ValueError(f"Axis {max(self.axes)} is greater than the maximum allowed value: {largest}")

    def __repr__(self) -> str:
        fields = [
            ("dtype", self.dtype),
            ("shape", self.shape),
            ("ndim", self.ndim),
            ("max_ndim", self.max_ndim),
            ("min_ndim", self.min_ndim),
            ("axes", self.axes),
        ]
        return "InputSpec(" + ", ".join(f"{name}={value}" for name, value in fields if value) + ")"

    def get_config(self) -> dict[str, Any]:
        """The arguments that make a specification like this one."""
        return {
            "dtype": self.dtype,
            "shape": self.shape,
            "ndim": self.ndim,
            "max_ndim": self.max_ndim,
            "min_ndim": self.min_ndim,
            "axes": self.axes,
        }

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> InputSpec:
        """The specification that `get_config` describes."""
        return cls(**config)


def check_inputs(spec: Any, inputs: Any, layer_name: str) -> None:
    """Raises ValueError unless the inputs are what a layer's specification, one InputSpec or a list of them, asks
    for."""
    if not spec:
        return
    inputs = nest.flatten(inputs)
    specs = nest.flatten(spec)
    if len(inputs) != len(specs):
        raise ValueError(
            f"Layer {layer_name} expects {len(specs)} inputs, but it received {len(inputs)} input tensors. Inputs "
            f"received: {inputs}"
        )
    for index, (x, wanted) in enumerate(zip(inputs, specs, strict=True)):
        if wanted is not None:
            _check(
                x,
                wanted,
                f"Input {index} of layer {layer_name} is incompatible with the layer: ",
                f"Input {index} is incompatible with layer {layer_name}: ",
            )


def _check(x: Any, spec: InputSpec, failed: str, unlike: str) -> None:
    static = x.shape
    if static.ndims is None and (spec.ndim is not None or spec.min_ndim is not None or spec.max_ndim is not None):
        raise ValueError(f"{failed}its rank is undefined, but the layer requires a defined rank.")
    if spec.ndim is not None and static.ndims != spec.ndim:
        raise ValueError(
            f"{failed}expected ndim={spec.ndim}, found ndim={static.ndims}. Full shape received: {static.as_list()}"
        )
    if spec.max_ndim is not None and static.ndims is not None and static.ndims > spec.max_ndim:
        raise ValueError(f"{failed}expected max_ndim={spec.max_ndim}, found ndim={static.ndims}")
    if spec.min_ndim is not None and static.ndims is not None and static.ndims < spec.min_ndim:
        raise ValueError(
            f"{failed}: expected min_ndim={spec.min_ndim}, found ndim={static.ndims}. Full shape received: "
            f"{static.as_list()}"
        )
    if spec.dtype is not None and x.dtype.name != spec.dtype:
        raise ValueError(f"{failed}expected dtype={spec.dtype}, found dtype={x.dtype}")
    if static.ndims is None:
        if spec.axes:
            raise ValueError(f"{failed}its rank is undefined, but the layer requires a size of axes {list(spec.axes)}.")
        return
    dims = static.as_list()
    for axis, value in spec.axes.items():
        value = getattr(value, "value", value)
        if value is not None and dims[axis] not in (value, None):
            raise ValueError(
                f"{failed}expected axis {axis} of input shape to have value {value} but received input with shape "
                f"{dims}"
            )
    if spec.shape is not None:
        for wanted, size in zip(TensorShape(spec.shape).as_list(), dims, strict=True):
            if wanted is not None and size is not None and wanted != size:
                raise ValueError(f"{unlike}expected shape={spec.shape}, found shape={dims}")
