"""Shapes, parts, joints and reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.plugins.api_table import provides
from ossia_lite.convert.lowering import LoweredModel, static_shape
from ossia_lite.convert.settings import ConverterError
from ossia_lite.operators import type_code

# Op type -> operator, table, fields of it that are attributes: field -> attribute.
_SIMPLE: dict[str, tuple[str, str, dict[str, str]]] = {
    "Slice": ("SLICE", "SliceOptions", {}),
    "Tile": ("TILE", "TileOptions", {}),
    "Fill": ("FILL", "FillOptions", {}),
    "Range": ("RANGE", "RangeOptions", {}),
    "ReverseV2": ("REVERSE_V2", "ReverseV2Options", {}),
    "GatherNd": ("GATHER_ND", "GatherNdOptions", {}),
    "ScatterNd": ("SCATTER_ND", "ScatterNdOptions", {}),
    "TopKV2": ("TOPK_V2", "TopKV2Options", {}),
    "Pad": ("PAD", "PadOptions", {}),
    "PadV2": ("PADV2", "PadV2Options", {}),
    "SpaceToBatchND": ("SPACE_TO_BATCH_ND", "SpaceToBatchNDOptions", {}),
    "BatchToSpaceND": ("BATCH_TO_SPACE_ND", "BatchToSpaceNDOptions", {}),
    "Rank": ("RANK", "RankOptions", {}),
    "Split": ("SPLIT", "SplitOptions", {"num_splits": "num_split"}),
    "SplitV": ("SPLIT_V", "SplitVOptions", {"num_splits": "num_split"}),
    "Pack": ("PACK", "PackOptions", {"values_count": "N", "axis": "axis"}),
    "Unpack": ("UNPACK", "UnpackOptions", {"num": "num", "axis": "axis"}),
    "OneHot": ("ONE_HOT", "OneHotOptions", {"axis": "axis"}),
    "SpaceToDepth": ("SPACE_TO_DEPTH", "SpaceToDepthOptions", {"block_size": "block_size"}),
    "DepthToSpace": ("DEPTH_TO_SPACE", "DepthToSpaceOptions", {"block_size": "block_size"}),
    "Cumsum": ("CUMSUM", "CumsumOptions", {"exclusive": "exclusive", "reverse": "reverse"}),
    "Mean": ("MEAN", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "Sum": ("SUM", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "Prod": ("REDUCE_PROD", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "Max": ("REDUCE_MAX", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "Min": ("REDUCE_MIN", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "Any": ("REDUCE_ANY", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "All": ("REDUCE_ALL", "ReducerOptions", {"keep_dims": "keep_dims"}),
    "StridedSlice": (
        "STRIDED_SLICE",
        "StridedSliceOptions",
        {name: name for name in ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")},
    ),
}
SIMPLE_TYPES = tuple(_SIMPLE)


@provides(
    "ossia_lite_lowerings",
    "Slice", "Tile", "Fill", "Range", "ReverseV2", "GatherNd", "ScatterNd", "TopKV2", "Pad", "PadV2",
    "SpaceToBatchND", "BatchToSpaceND", "Rank", "Split", "SplitV", "Pack", "Unpack", "OneHot", "SpaceToDepth",
    "DepthToSpace", "Cumsum", "Mean", "Sum", "Prod", "Max", "Min", "Any", "All", "StridedSlice",
)
def simple(operation: Any, model: LoweredModel) -> None:
    """An op that is one operator with the same inputs."""
    name, table, fields = _SIMPLE[operation.type]
    values = {field: operation.get_attr(attribute) for field, attribute in fields.items()}
    model.add(name, operation, [index_of(model, tensor) for tensor in operation.inputs], table, **values)


def index_of(model: LoweredModel, tensor: Any) -> int:
    """Indices are int32 in a model where they are constant, as old runtimes know no other."""
    value = model.value_of(tensor)
    if value is not None and value.dtype == np.int64:
        return model.constant(model.unique(f"{tensor.op.name}/int32"), value.astype(np.int32))
    return model.index(tensor)


@provides("ossia_lite_lowerings", "Reshape")
def reshape(operation: Any, model: LoweredModel) -> None:
    """Reshape."""
    wanted = model.value_of(operation.inputs[1])
    if wanted is None and operation.outputs[0].shape.is_fully_defined():
        wanted = np.array(static_shape(operation.outputs[0]))
    inputs = [model.index(operation.inputs[0])]
    if wanted is None:
        inputs.append(model.index(operation.inputs[1]))
        model.add("RESHAPE", operation, inputs)
        return
    inputs.append(model.shape_constant(operation, wanted))
    model.add("RESHAPE", operation, inputs, "ReshapeOptions", new_shape=[int(size) for size in wanted])


@provides("ossia_lite_lowerings", "Squeeze")
def squeeze(operation: Any, model: LoweredModel) -> None:
    """Squeeze."""
    dims = list(operation.get_attr("squeeze_dims"))
    model.add("SQUEEZE", operation, [model.index(operation.inputs[0])], "SqueezeOptions", squeeze_dims=dims)


@provides("ossia_lite_lowerings", "ExpandDims")
def expand_dims(operation: Any, model: LoweredModel) -> None:
    """ExpandDims."""
    model.add(
        "EXPAND_DIMS",
        operation,
        [model.index(operation.inputs[0]), index_of(model, operation.inputs[1])],
        "ExpandDimsOptions",
    )


@provides("ossia_lite_lowerings", "Transpose")
def transpose(operation: Any, model: LoweredModel) -> None:
    """Transpose."""
    model.add(
        "TRANSPOSE",
        operation,
        [model.index(operation.inputs[0]), index_of(model, operation.inputs[1])],
        "TransposeOptions",
    )


@provides("ossia_lite_lowerings", "ConcatV2")
def concat(operation: Any, model: LoweredModel) -> None:
    """ConcatV2."""
    axis = model.value_of(operation.inputs[-1])
    if axis is None:
        raise ConverterError("its axis is not constant")
    inputs = [model.index(tensor) for tensor in list(operation.inputs)[:-1]]
    place = int(axis) % max(len(static_shape(operation.outputs[0])), 1)
    model.add("CONCATENATION", operation, inputs, "ConcatenationOptions", axis=place)


@provides("ossia_lite_lowerings", "Gather", "GatherV2")
def gather(operation: Any, model: LoweredModel) -> None:
    """Gather and GatherV2."""
    axis = model.value_of(operation.inputs[2]) if len(operation.inputs) > 2 else 0
    if axis is None:
        raise ConverterError("its axis is not constant")
    batch = int(operation.get_attr("batch_dims")) if operation.type == "GatherV2" else 0
    inputs = [model.index(operation.inputs[0]), index_of(model, operation.inputs[1])]
    model.add("GATHER", operation, inputs, "GatherOptions", axis=int(axis), batch_dims=batch)


@provides("ossia_lite_lowerings", "MirrorPad")
def mirror_pad(operation: Any, model: LoweredModel) -> None:
    """MirrorPad."""
    mode = int(operation.get_attr("mode") == b"SYMMETRIC")
    inputs = [model.index(operation.inputs[0]), index_of(model, operation.inputs[1])]
    model.add("MIRROR_PAD", operation, inputs, "MirrorPadOptions", mode=mode)


@provides("ossia_lite_lowerings", "Shape")
def shape(operation: Any, model: LoweredModel) -> None:
    """Shape, where it is not known before the model runs."""
    kind = type_code(operation.outputs[0].dtype.as_numpy_dtype)
    model.add("SHAPE", operation, [model.index(operation.inputs[0])], "ShapeOptions", out_type=kind)


@provides("ossia_lite_lowerings", "ArgMax", "ArgMin")
def arg_extreme(operation: Any, model: LoweredModel) -> None:
    """ArgMax and ArgMin."""
    name, table = ("ARG_MAX", "ArgMaxOptions") if operation.type == "ArgMax" else ("ARG_MIN", "ArgMinOptions")
    kind = type_code(operation.outputs[0].dtype.as_numpy_dtype)
    model.add(
        name,
        operation,
        [model.index(operation.inputs[0]), index_of(model, operation.inputs[1])],
        table,
        output_type=kind,
    )
