"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_debugging.comparisons import (
 assert_equal_v2 as _assert_equal, assert_greater_v2 as _assert_greater,
 assert_greater_equal_v2 as _assert_greater_equal, assert_less_v2 as _assert_less,
 assert_less_equal_v2 as _assert_less_equal, assert_near_v2 as _assert_near, assert_negative_v2 as _assert_negative,
 assert_non_negative_v2 as _assert_non_negative, assert_non_positive_v2 as _assert_non_positive,
 assert_none_equal_v2 as _assert_none_equal, assert_positive_v2 as _assert_positive
)
from ossia_debugging.kinds import (
 assert_integer_v2 as _assert_integer, assert_proper_iterable as assert_proper_iterable,
 assert_same_float_dtype as assert_same_float_dtype, assert_type_v2 as _assert_type,
 is_numeric_tensor as is_numeric_tensor
)
from ossia_debugging.numerics import verify_tensor_all_finite_v2 as _assert_all_finite, check_numerics as check_numerics
from ossia_debugging.placement import (
 get_log_device_placement as get_log_device_placement, set_log_device_placement as set_log_device_placement
)
from ossia_debugging.ranks import (
 assert_rank_v2 as _assert_rank, assert_rank_at_least_v2 as _assert_rank_at_least, assert_rank_in_v2 as _assert_rank_in,
 assert_scalar_v2 as _assert_scalar
)
from ossia_debugging.shapes import assert_shapes as assert_shapes
assert_all_finite = _assert_all_finite
assert_equal = _assert_equal
assert_greater = _assert_greater
assert_greater_equal = _assert_greater_equal
assert_integer = _assert_integer
assert_less = _assert_less
assert_less_equal = _assert_less_equal
assert_near = _assert_near
assert_negative = _assert_negative
assert_non_negative = _assert_non_negative
assert_non_positive = _assert_non_positive
assert_none_equal = _assert_none_equal
assert_positive = _assert_positive
assert_rank = _assert_rank
assert_rank_at_least = _assert_rank_at_least
assert_rank_in = _assert_rank_in
assert_scalar = _assert_scalar
assert_type = _assert_type
