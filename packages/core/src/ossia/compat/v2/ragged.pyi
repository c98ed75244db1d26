# Written by tools/api_stubs.py; do not edit.
from ossia.ragged import (
 boolean_mask as boolean_mask, constant as constant, map_flat_values as map_flat_values, range as range,
 row_splits_to_segment_ids as row_splits_to_segment_ids, segment_ids_to_row_splits as segment_ids_to_row_splits,
 stack as stack, stack_dynamic_partitions as stack_dynamic_partitions
)
