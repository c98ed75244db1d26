"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_ops.sets import set_difference as _difference
difference = _difference
from ossia_ops.sets import set_intersection as _intersection
intersection = _intersection
from ossia_ops.sets import set_difference as set_difference
from ossia_ops.sets import set_intersection as set_intersection
from ossia_ops.sets import set_size as set_size
from ossia_ops.sets import set_union as set_union
from ossia_ops.sets import set_size as _size
size = _size
from ossia_ops.sets import set_union as _union
union = _union
