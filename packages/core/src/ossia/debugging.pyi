# Written by tools/api_stubs.py; do not edit.
from ossia_debugging.comparisons import (
 assert_equal as assert_equal, assert_greater as assert_greater, assert_greater_equal as assert_greater_equal,
 assert_less as assert_less, assert_less_equal as assert_less_equal, assert_near as assert_near,
 assert_negative as assert_negative, assert_non_negative as assert_non_negative,
 assert_non_positive as assert_non_positive, assert_none_equal as assert_none_equal, assert_positive as assert_positive
)
from ossia_debugging.kinds import (
 assert_integer as assert_integer, assert_proper_iterable as assert_proper_iterable,
 assert_same_float_dtype as assert_same_float_dtype, assert_type as assert_type, is_numeric_tensor as is_numeric_tensor
)
from ossia_debugging.numerics import verify_tensor_all_finite as _assert_all_finite, check_numerics as check_numerics
from ossia_debugging.order import (
 is_non_decreasing as is_non_decreasing, is_strictly_increasing as is_strictly_increasing
)
from ossia_debugging.placement import (
 get_log_device_placement as get_log_device_placement, set_log_device_placement as set_log_device_placement
)
from ossia_debugging.ranks import (
 assert_rank as assert_rank, assert_rank_at_least as assert_rank_at_least, assert_rank_in as assert_rank_in,
 assert_scalar as assert_scalar
)
from ossia_debugging.shapes import assert_shapes as assert_shapes
from ossia_ops.control.assertion import Assert as Assert
from ossia_ops.math.comparison import is_finite as is_finite, is_inf as is_inf, is_nan as is_nan
assert_all_finite = _assert_all_finite
