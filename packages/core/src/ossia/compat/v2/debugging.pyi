# Written by tools/api_stubs.py; do not edit.
from ossia.compat.v2 import (
 assert_equal as assert_equal, assert_greater as assert_greater, assert_less as assert_less, assert_rank as assert_rank
)
from ossia.debugging import (
 assert_proper_iterable as assert_proper_iterable, assert_same_float_dtype as assert_same_float_dtype,
 assert_shapes as assert_shapes, check_numerics as check_numerics, get_log_device_placement as get_log_device_placement,
 is_numeric_tensor as is_numeric_tensor, set_log_device_placement as set_log_device_placement
)
from ossia_debugging.comparisons import (
 assert_greater_equal_v2 as _assert_greater_equal, assert_less_equal_v2 as _assert_less_equal,
 assert_near_v2 as _assert_near, assert_negative_v2 as _assert_negative, assert_non_negative_v2 as _assert_non_negative,
 assert_non_positive_v2 as _assert_non_positive, assert_none_equal_v2 as _assert_none_equal,
 assert_positive_v2 as _assert_positive
)
from ossia_debugging.kinds import assert_integer_v2 as _assert_integer, assert_type_v2 as _assert_type
from ossia_debugging.numerics import verify_tensor_all_finite_v2 as _assert_all_finite
from ossia_debugging.ranks import (
 assert_rank_at_least_v2 as _assert_rank_at_least, assert_rank_in_v2 as _assert_rank_in,
 assert_scalar_v2 as _assert_scalar
)
assert_all_finite = _assert_all_finite
assert_greater_equal = _assert_greater_equal
assert_integer = _assert_integer
assert_less_equal = _assert_less_equal
assert_near = _assert_near
assert_negative = _assert_negative
assert_non_negative = _assert_non_negative
assert_non_positive = _assert_non_positive
assert_none_equal = _assert_none_equal
assert_positive = _assert_positive
assert_rank_at_least = _assert_rank_at_least
assert_rank_in = _assert_rank_in
assert_scalar = _assert_scalar
assert_type = _assert_type
