"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.ragged.constants import ragged_constant as _constant, ragged_constant_value as _constant_value
from ossia_ops.ragged.dynamic_partition import stack_dynamic_partitions as stack_dynamic_partitions
from ossia_ops.ragged.joining import stack as stack
from ossia_ops.ragged.mapping import map_flat_values as map_flat_values
from ossia_ops.ragged.partitions import (
 row_splits_to_segment_ids as row_splits_to_segment_ids, segment_ids_to_row_splits as segment_ids_to_row_splits
)
from ossia_ops.ragged.placeholders import ragged_placeholder as _placeholder
from ossia_ops.ragged.ranges import ragged_range as _range
from ossia_ops.ragged.selection import boolean_mask as boolean_mask
from ossia_ops.ragged.value import RaggedTensorValue as RaggedTensorValue
constant = _constant
constant_value = _constant_value
placeholder = _placeholder
range = _range
