# Written by tools/api_stubs.py; do not edit.
from ossia_ragged.constants import ragged_constant as _constant, ragged_constant_value as _constant_value
from ossia_ragged.dynamic_partition import stack_dynamic_partitions as stack_dynamic_partitions
from ossia_ragged.joining import stack as stack
from ossia_ragged.mapping import map_flat_values as map_flat_values
from ossia_ragged.partitions import (
 row_splits_to_segment_ids as row_splits_to_segment_ids, segment_ids_to_row_splits as segment_ids_to_row_splits
)
from ossia_ragged.placeholders import ragged_placeholder as _placeholder
from ossia_ragged.ranges import ragged_range as _range
from ossia_ragged.selection import boolean_mask as boolean_mask
from ossia_ragged.value import RaggedTensorValue as RaggedTensorValue
constant = _constant
constant_value = _constant_value
placeholder = _placeholder
range = _range
