"""Public names and ops of ossia_debugging. Written by `python -m ossia_core.api_table packages/debugging`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_debugging", """
.comparisons: assert_equal assert_greater assert_greater_equal assert_less assert_less_equal assert_near assert_negative
 assert_non_negative assert_non_positive assert_none_equal assert_positive compat.v2.assert_equal=assert_equal_v2
 compat.v2.assert_greater=assert_greater_v2 compat.v2.assert_less=assert_less_v2
 compat.v2.debugging.assert_equal=assert_equal_v2 compat.v2.debugging.assert_greater=assert_greater_v2
 compat.v2.debugging.assert_greater_equal=assert_greater_equal_v2 compat.v2.debugging.assert_less=assert_less_v2
 compat.v2.debugging.assert_less_equal=assert_less_equal_v2 compat.v2.debugging.assert_near=assert_near_v2
 compat.v2.debugging.assert_negative=assert_negative_v2 compat.v2.debugging.assert_non_negative=assert_non_negative_v2
 compat.v2.debugging.assert_non_positive=assert_non_positive_v2
 compat.v2.debugging.assert_none_equal=assert_none_equal_v2 compat.v2.debugging.assert_positive=assert_positive_v2
 debugging.assert_equal debugging.assert_greater debugging.assert_greater_equal debugging.assert_less
 debugging.assert_less_equal debugging.assert_near debugging.assert_negative debugging.assert_non_negative
 debugging.assert_non_positive debugging.assert_none_equal debugging.assert_positive
.kinds: assert_integer assert_proper_iterable assert_same_float_dtype assert_type
 compat.v2.debugging.assert_integer=assert_integer_v2 compat.v2.debugging.assert_proper_iterable
 compat.v2.debugging.assert_same_float_dtype compat.v2.debugging.assert_type=assert_type_v2
 compat.v2.debugging.is_numeric_tensor debugging.assert_integer debugging.assert_proper_iterable
 debugging.assert_same_float_dtype debugging.assert_type debugging.is_numeric_tensor is_numeric_tensor
.numerics: add_check_numerics_ops check_numerics compat.v2.debugging.assert_all_finite=verify_tensor_all_finite_v2
 compat.v2.debugging.check_numerics debugging.assert_all_finite=verify_tensor_all_finite debugging.check_numerics
 verify_tensor_all_finite +CheckNumerics
.order: compat.v2.math.is_non_decreasing compat.v2.math.is_strictly_increasing debugging.is_non_decreasing
 debugging.is_strictly_increasing is_non_decreasing is_strictly_increasing math.is_non_decreasing
 math.is_strictly_increasing
.placement: compat.v2.debugging.get_log_device_placement compat.v2.debugging.set_log_device_placement
 debugging.get_log_device_placement debugging.set_log_device_placement
.ranks: assert_rank assert_rank_at_least assert_rank_in assert_scalar compat.v2.assert_rank=assert_rank_v2
 compat.v2.debugging.assert_rank=assert_rank_v2 compat.v2.debugging.assert_rank_at_least=assert_rank_at_least_v2
 compat.v2.debugging.assert_rank_in=assert_rank_in_v2 compat.v2.debugging.assert_scalar=assert_scalar_v2
 debugging.assert_rank debugging.assert_rank_at_least debugging.assert_rank_in debugging.assert_scalar
.shapes: compat.v2.debugging.assert_shapes debugging.assert_shapes
.watches: +Copy +CopyHost +DebugGradientIdentity +DebugGradientRefIdentity +DebugIdentity +DebugNanCount
 +DebugNumericSummary
""")
