"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.control.assertion import Assert as Assert
from ossia_debugging.numerics import verify_tensor_all_finite as _assert_all_finite
assert_all_finite = _assert_all_finite
from ossia_debugging.comparisons import assert_equal as assert_equal
from ossia_debugging.comparisons import assert_greater as assert_greater
from ossia_debugging.comparisons import assert_greater_equal as assert_greater_equal
from ossia_debugging.kinds import assert_integer as assert_integer
from ossia_debugging.comparisons import assert_less as assert_less
from ossia_debugging.comparisons import assert_less_equal as assert_less_equal
from ossia_debugging.comparisons import assert_near as assert_near
from ossia_debugging.comparisons import assert_negative as assert_negative
from ossia_debugging.comparisons import assert_non_negative as assert_non_negative
from ossia_debugging.comparisons import assert_non_positive as assert_non_positive
from ossia_debugging.comparisons import assert_none_equal as assert_none_equal
from ossia_debugging.comparisons import assert_positive as assert_positive
from ossia_debugging.kinds import assert_proper_iterable as assert_proper_iterable
from ossia_debugging.ranks import assert_rank as assert_rank
from ossia_debugging.ranks import assert_rank_at_least as assert_rank_at_least
from ossia_debugging.ranks import assert_rank_in as assert_rank_in
from ossia_debugging.kinds import assert_same_float_dtype as assert_same_float_dtype
from ossia_debugging.ranks import assert_scalar as assert_scalar
from ossia_debugging.shapes import assert_shapes as assert_shapes
from ossia_debugging.kinds import assert_type as assert_type
from ossia_debugging.numerics import check_numerics as check_numerics
from ossia_debugging.placement import get_log_device_placement as get_log_device_placement
from ossia_ops.comparison import is_finite as is_finite
from ossia_ops.comparison import is_inf as is_inf
from ossia_ops.comparison import is_nan as is_nan
from ossia_debugging.order import is_non_decreasing as is_non_decreasing
from ossia_debugging.kinds import is_numeric_tensor as is_numeric_tensor
from ossia_debugging.order import is_strictly_increasing as is_strictly_increasing
from ossia_debugging.placement import set_log_device_placement as set_log_device_placement
