"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.ragged.value import RaggedTensorValue as RaggedTensorValue
from ossia_ops.ragged.selection import boolean_mask as boolean_mask
from ossia_ops.ragged.constants import ragged_constant as _constant
constant = _constant
from ossia_ops.ragged.constants import ragged_constant_value as _constant_value
constant_value = _constant_value
from ossia_ops.ragged.mapping import map_flat_values as map_flat_values
from ossia_ops.ragged.placeholders import ragged_placeholder as _placeholder
placeholder = _placeholder
from ossia_ops.ragged.ranges import ragged_range as _range
range = _range
from ossia_ops.ragged.partitions import row_splits_to_segment_ids as row_splits_to_segment_ids
from ossia_ops.ragged.partitions import segment_ids_to_row_splits as segment_ids_to_row_splits
from ossia_ops.ragged.joining import stack as stack
from ossia_ops.ragged.dynamic_partition import stack_dynamic_partitions as stack_dynamic_partitions
