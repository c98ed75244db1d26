"""Public names and ops of ossia_ragged. Written by `python -m ossia_core.api_table packages/ragged`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_ragged", """
.constants: compat.v2.ragged.constant=ragged_constant ragged.constant=ragged_constant
 ragged.constant_value=ragged_constant_value
.dynamic_partition: compat.v2.ragged.stack_dynamic_partitions ragged.stack_dynamic_partitions
.gather_op: +RaggedGather
.joining: compat.v2.ragged.stack ragged.stack
.mapping: compat.v2.ragged.map_flat_values ragged.map_flat_values
.ngrams: compat.v2.strings.ngrams strings.ngrams +StringNGrams
.partitions: compat.v2.ragged.row_splits_to_segment_ids compat.v2.ragged.segment_ids_to_row_splits
 ragged.row_splits_to_segment_ids ragged.segment_ids_to_row_splits
.placeholders: ragged.placeholder=ragged_placeholder
.range_op: +RaggedRange
.ranges: compat.v2.ragged.range=ragged_range ragged.range=ragged_range
.selection: compat.v2.ragged.boolean_mask ragged.boolean_mask
.spec: RaggedTensorSpec compat.v2.RaggedTensorSpec
.string_split: compat.v2.strings.bytes_split compat.v2.strings.split=split_v2 strings.bytes_split strings.split
.tensor: RaggedTensor compat.v2.RaggedTensor
.to_sparse_op: +RaggedTensorToSparse
.to_tensor_op: +RaggedTensorToTensor
.unicode: compat.v2.strings.unicode_decode compat.v2.strings.unicode_decode_with_offsets
 compat.v2.strings.unicode_encode compat.v2.strings.unicode_split compat.v2.strings.unicode_split_with_offsets
 strings.unicode_decode strings.unicode_decode_with_offsets strings.unicode_encode strings.unicode_split
 strings.unicode_split_with_offsets +UnicodeDecode +UnicodeDecodeWithOffsets +UnicodeEncode
.value: ragged.RaggedTensorValue
.variant_ops: +RaggedTensorFromVariant +RaggedTensorToVariant
""")
