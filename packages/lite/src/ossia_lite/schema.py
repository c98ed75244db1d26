"""The tables of a `.tflite` file, by their published names, field numbers and defaults, as classes with plain
attributes.

A line of `_TABLES` is a table and its fields in the order of their numbers: `name:kind` or `name:kind=default`. A
kind is a scalar, `string`, the name of a table, one of these in brackets for a vector, or `A|B|...` for a union,
which takes two field numbers.
Source: schema.fbs, file identifier TFL3 (https://github.com/google-ai-edge/LiteRT, `tflite/converter/schema`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

SCALARS = {
    "bool": "?",
    "byte": "b",
    "ubyte": "B",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "long": "q",
    "ulong": "Q",
    "float": "f",
}
SIZES = {"bool": 1, "byte": 1, "ubyte": 1, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8, "float": 4}

_TABLES = """
Model version:uint operator_codes:[OperatorCode] subgraphs:[SubGraph] description:string buffers:[Buffer] \
metadata_buffer:[int] metadata:[Metadata] signature_defs:[SignatureDef]
OperatorCode deprecated_builtin_code:byte custom_code:string version:int=1 builtin_code:int
SubGraph tensors:[Tensor] inputs:[int] outputs:[int] operators:[Operator] name:string
Tensor shape:[int] type:byte buffer:uint name:string quantization:QuantizationParameters is_variable:bool \
sparsity:SparsityParameters shape_signature:[int] has_rank:bool variant_tensors:[VariantSubType]
VariantSubType shape:[int] type:byte has_rank:bool
QuantizationParameters min:[float] max:[float] scale:[float] zero_point:[long] \
details:CustomQuantization|BlockwiseQuantization quantized_dimension:int
CustomQuantization custom:[ubyte]
BlockwiseQuantization scales:int zero_points:int block_size:int
SparsityParameters traversal_order:[int] block_map:[int] dim_metadata:[DimensionMetadata]
DimensionMetadata format:byte dense_size:int array_segments:Int32Vector|Uint16Vector|Uint8Vector \
array_indices:Int32Vector|Uint16Vector|Uint8Vector
Int32Vector values:[int]
Uint16Vector values:[ushort]
Uint8Vector values:[ubyte]
Operator opcode_index:uint inputs:[int] outputs:[int] builtin_options:OPTIONS custom_options:[ubyte] \
custom_options_format:byte mutating_variable_inputs:[bool] intermediates:[int] large_custom_options_offset:ulong \
large_custom_options_size:ulong
Buffer data:[ubyte] offset:ulong size:ulong
Metadata name:string buffer:uint
SignatureDef inputs:[TensorMap] outputs:[TensorMap] signature_key:string deprecated_tag:string subgraph_index:uint
TensorMap name:string tensor_index:uint
"""

# The tables of the union of operators' options, in the order of their numbers.
_OPTIONS = """
Conv2DOptions padding:byte stride_w:int stride_h:int fused_activation_function:byte dilation_w_factor:int=1 \
dilation_h_factor:int=1 quantized_bias_type:byte
DepthwiseConv2DOptions padding:byte stride_w:int stride_h:int depth_multiplier:int fused_activation_function:byte \
dilation_w_factor:int=1 dilation_h_factor:int=1
ConcatEmbeddingsOptions num_channels:int num_columns_per_channel:[int] embedding_dim_per_channel:[int]
LSHProjectionOptions type:byte
Pool2DOptions padding:byte stride_w:int stride_h:int filter_width:int filter_height:int \
fused_activation_function:byte
SVDFOptions rank:int fused_activation_function:byte asymmetric_quantize_inputs:bool
RNNOptions fused_activation_function:byte asymmetric_quantize_inputs:bool
FullyConnectedOptions fused_activation_function:byte weights_format:byte keep_num_dims:bool \
asymmetric_quantize_inputs:bool quantized_bias_type:byte
SoftmaxOptions beta:float
ConcatenationOptions axis:int fused_activation_function:byte
AddOptions fused_activation_function:byte pot_scale_int16:bool=1
L2NormOptions fused_activation_function:byte
LocalResponseNormalizationOptions radius:int bias:float alpha:float beta:float
LSTMOptions fused_activation_function:byte cell_clip:float proj_clip:float kernel_type:byte \
asymmetric_quantize_inputs:bool
ResizeBilinearOptions new_height:int new_width:int align_corners:bool half_pixel_centers:bool
CallOptions subgraph:uint
ReshapeOptions new_shape:[int]
SkipGramOptions ngram_size:int max_skip_size:int include_all_ngrams:bool
SpaceToDepthOptions block_size:int
EmbeddingLookupSparseOptions combiner:byte
MulOptions fused_activation_function:byte
PadOptions
GatherOptions axis:int batch_dims:int
BatchToSpaceNDOptions
SpaceToBatchNDOptions
TransposeOptions
ReducerOptions keep_dims:bool
SubOptions fused_activation_function:byte pot_scale_int16:bool=1
DivOptions fused_activation_function:byte
SqueezeOptions squeeze_dims:[int]
SequenceRNNOptions time_major:bool fused_activation_function:byte asymmetric_quantize_inputs:bool
StridedSliceOptions begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int shrink_axis_mask:int offset:bool
ExpOptions
TopKV2Options
SplitOptions num_splits:int
LogSoftmaxOptions
CastOptions in_data_type:byte out_data_type:byte
DequantizeOptions
MaximumMinimumOptions
ArgMaxOptions output_type:byte
LessOptions
NegOptions
PadV2Options
GreaterOptions
GreaterEqualOptions
LessEqualOptions
SelectOptions
SliceOptions
TransposeConvOptions padding:byte stride_w:int stride_h:int fused_activation_function:byte quantized_bias_type:byte
SparseToDenseOptions validate_indices:bool
TileOptions
ExpandDimsOptions
EqualOptions
NotEqualOptions
ShapeOptions out_type:byte
PowOptions
ArgMinOptions output_type:byte
FakeQuantOptions min:float max:float num_bits:int narrow_range:bool
PackOptions values_count:int axis:int
LogicalOrOptions
OneHotOptions axis:int
LogicalAndOptions
LogicalNotOptions
UnpackOptions num:int axis:int
FloorDivOptions
SquareOptions
ZerosLikeOptions
FillOptions
BidirectionalSequenceLSTMOptions fused_activation_function:byte cell_clip:float proj_clip:float merge_outputs:bool \
time_major:bool=1 asymmetric_quantize_inputs:bool
BidirectionalSequenceRNNOptions time_major:bool fused_activation_function:byte merge_outputs:bool \
asymmetric_quantize_inputs:bool
UnidirectionalSequenceLSTMOptions fused_activation_function:byte cell_clip:float proj_clip:float time_major:bool \
asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool
FloorModOptions
RangeOptions
ResizeNearestNeighborOptions align_corners:bool half_pixel_centers:bool
LeakyReluOptions alpha:float
SquaredDifferenceOptions
MirrorPadOptions mode:byte
AbsOptions
SplitVOptions num_splits:int
UniqueOptions idx_out_type:byte=2
ReverseV2Options
AddNOptions
GatherNdOptions
CosOptions
WhereOptions
RankOptions
ReverseSequenceOptions seq_dim:int batch_dim:int
MatrixDiagOptions
QuantizeOptions
MatrixSetDiagOptions
HardSwishOptions
IfOptions then_subgraph_index:int else_subgraph_index:int
WhileOptions cond_subgraph_index:int body_subgraph_index:int
DepthToSpaceOptions block_size:int
NonMaxSuppressionV4Options
NonMaxSuppressionV5Options
ScatterNdOptions
SelectV2Options
DensifyOptions
SegmentSumOptions
BatchMatMulOptions adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool
CumsumOptions exclusive:bool reverse:bool
CallOnceOptions init_subgraph_index:int
BroadcastToOptions
Rfft2dOptions
Conv3DOptions padding:byte stride_d:int stride_w:int stride_h:int fused_activation_function:byte \
dilation_d_factor:int=1 dilation_w_factor:int=1 dilation_h_factor:int=1
HashtableOptions table_id:int key_dtype:byte value_dtype:byte
HashtableFindOptions
HashtableImportOptions
HashtableSizeOptions
VarHandleOptions container:string shared_name:string
ReadVariableOptions
AssignVariableOptions
RandomOptions seed:long seed2:long
BucketizeOptions boundaries:[float]
GeluOptions approximate:bool
DynamicUpdateSliceOptions
UnsortedSegmentProdOptions
UnsortedSegmentMaxOptions
UnsortedSegmentMinOptions
UnsortedSegmentSumOptions
ATan2Options
SignOptions
BitcastOptions
BitwiseXorOptions
RightShiftOptions
"""


class Field(NamedTuple):
    """A field of a table: its number, what it holds, and its value where a file leaves it out."""

    number: int
    name: str
    kind: str
    """A scalar, `string`, `table` or `union`."""
    vector: bool
    tables: tuple[str, ...]
    """The table, or the members of the union."""
    default: Any


class Record:
    """A table as an object: each field is an attribute. A vector that a file leaves out is None, as is a table.

    Args:
        **values: Fields, by name; the others get their defaults.
    """

    table = ""
    fields: tuple[Field, ...] = ()

    def __init__(self, **values: Any) -> None:
        for field in self.fields:
            setattr(self, field.name, values.pop(field.name, field.default))
        if values:
            raise TypeError(f"{self.table} has no field {', '.join(values)}.")

    def __getattr__(self, name: str) -> Any:  # fields that are set are found before this is asked
        raise AttributeError(f"{self.table} has no field {name}.")

    def __setattr__(self, name: str, value: Any) -> None:  # any field may be set
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{f.name}={getattr(self, f.name)!r}" for f in self.fields if getattr(self, f.name) != f.default
        )
        return f"{self.table}({shown})"


def _parse() -> tuple[dict[str, type[Record]], tuple[str, ...]]:
    options = tuple(line.split(None, 1)[0] for line in _joined(_OPTIONS))
    tables = {}
    for line in _joined(_TABLES) + _joined(_OPTIONS):
        table, *declared = line.split()
        fields, number = [], 0
        for text in declared:
            name, _, kind = text.partition(":")
            kind, _, default = kind.partition("=")
            vector = kind.startswith("[")
            kind = kind.strip("[]")
            if kind in SCALARS or kind == "string":
                members: tuple[str, ...] = ()
            else:
                members = options if kind == "OPTIONS" else tuple(kind.split("|"))
                kind = "union" if len(members) > 1 else "table"
            value = (
                None if vector or kind not in SCALARS else float(default or 0) if kind == "float" else int(default or 0)
            )
            if kind == "bool" and not vector:
                value = bool(value)
            number += kind == "union"  # the number before it holds which member it is
            fields.append(Field(number, name, kind, vector, members, value))
            number += 1
        tables[table] = type(
            table, (Record,), {"table": table, "fields": tuple(fields), "__doc__": f"The table {table}."}
        )
    return tables, options


def _joined(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


TABLES, OPTION_TABLES = _parse()


def record(table: str, **values: Any) -> Record:
    """A new record.

    Args:
        table: The name of the table, such as `"Tensor"`.
        **values: Fields, by name; the others get their defaults.

    Raises:
        KeyError: There is no such table.
        TypeError: It has no such field.
    """
    return TABLES[table](**values)
