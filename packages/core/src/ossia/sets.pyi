# Written by tools/api_stubs.py; do not edit.
from ossia_ops.array.sets import (
 set_difference as _difference, set_intersection as _intersection, set_difference as set_difference,
 set_intersection as set_intersection, set_size as set_size, set_union as set_union, set_size as _size,
 set_union as _union
)
difference = _difference
intersection = _intersection
size = _size
union = _union
