# Written by tools/api_stubs.py; do not edit.
from ossia.debugging import (
 is_finite as is_finite, is_inf as is_inf, is_nan as is_nan, is_non_decreasing as is_non_decreasing,
 is_strictly_increasing as is_strictly_increasing
)
from ossia.linalg import l2_normalize as l2_normalize
from ossia_ops.array.transposition import invert_permutation as invert_permutation
from ossia_ops.math.arithmetic import (
 add as add, maximum as maximum, minimum as minimum, multiply as multiply, multiply_no_nan as multiply_no_nan,
 nextafter as nextafter, pow as pow, scalar_mul as scalar_mul, squared_difference as squared_difference,
 subtract as subtract
)
from ossia_ops.math.comparison import (
 equal as equal, greater as greater, greater_equal as greater_equal, less as less, less_equal as less_equal,
 not_equal as not_equal
)
from ossia_ops.math.complex_numbers import angle as angle, conj as conj, imag as imag, real as real
from ossia_ops.math.cumulative import cumprod as cumprod, cumsum as cumsum, cumulative_logsumexp as cumulative_logsumexp
from ossia_ops.math.division import (
 divide as divide, div_no_nan as _divide_no_nan, floordiv as floordiv, floormod as floormod, floormod as _mod,
 reciprocal_no_nan as reciprocal_no_nan, truediv as truediv
)
from ossia_ops.math.elementwise import (
 abs as abs, ceil as ceil, floor as floor, negative as negative, reciprocal as reciprocal, rint as rint, round as round,
 rsqrt as rsqrt, sign as sign, sqrt as sqrt, square as square
)
from ossia_ops.math.euclidean_norm import reduce_euclidean_norm as reduce_euclidean_norm
from ossia_ops.math.exponential import (
 exp as exp, expm1 as expm1, log as log, log1p as log1p, log_sigmoid as log_sigmoid, sigmoid as sigmoid, xdivy as xdivy,
 xlogy as xlogy
)
from ossia_ops.math.histogram import bincount as bincount, confusion_matrix as confusion_matrix
from ossia_ops.math.logical import (
 logical_and as logical_and, logical_not as logical_not, logical_or as logical_or, logical_xor as logical_xor
)
from ossia_ops.math.reduction import (
 reduce_all as reduce_all, reduce_any as reduce_any, reduce_max as reduce_max, reduce_mean as reduce_mean,
 reduce_min as reduce_min, reduce_prod as reduce_prod, reduce_sum as reduce_sum
)
from ossia_ops.math.segment import (
 segment_max as segment_max, segment_mean as segment_mean, segment_min as segment_min, segment_prod as segment_prod,
 segment_sum as segment_sum, unsorted_segment_max as unsorted_segment_max,
 unsorted_segment_mean as unsorted_segment_mean, unsorted_segment_min as unsorted_segment_min,
 unsorted_segment_prod as unsorted_segment_prod, unsorted_segment_sqrt_n as unsorted_segment_sqrt_n,
 unsorted_segment_sum as unsorted_segment_sum
)
from ossia_ops.math.sort import in_top_k as in_top_k, top_k as top_k
from ossia_ops.math.special import (
 bessel_i0 as bessel_i0, bessel_i0e as bessel_i0e, bessel_i1 as bessel_i1, bessel_i1e as bessel_i1e, betainc as betainc,
 digamma as digamma, erf as erf, erfc as erfc, igamma as igamma, igammac as igammac, lbeta as lbeta, lgamma as lgamma,
 polygamma as polygamma, polyval as polyval, zeta as zeta
)
from ossia_ops.math.statistics import (
 argmax as argmax, argmin as argmin, count_nonzero as count_nonzero, reduce_logsumexp as reduce_logsumexp,
 reduce_std as reduce_std, reduce_variance as reduce_variance
)
from ossia_ops.math.sums import accumulate_n as accumulate_n, add_n as add_n
from ossia_ops.math.trigonometry import (
 acos as acos, acosh as acosh, asin as asin, asinh as asinh, atan as atan, atan2 as atan2, atanh as atanh, cos as cos,
 cosh as cosh, sin as sin, sinh as sinh, tan as tan, tanh as tanh
)
from ossia_ops.nn.activation import softplus as softplus, softsign as softsign
from ossia_ops.nn.normalization import zero_fraction as zero_fraction
from ossia_ops.nn.softmax import log_softmax as log_softmax, softmax as softmax
divide_no_nan = _divide_no_nan
mod = _mod
