"""Special functions, with their gradients."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import table

POINTS = "[-7.3, -2.5, -1.2, -.5, -.1, 1e-3, .1, .5, .9, 1., 1.5, 2., 3.3, 7.9, 8.5, 12., 30.]"
POSITIVE = "[1e-3, .1, .5, .9, 1., 1.5, 2., 3.3, 7.9, 8.5, 12., 30.]"
table(globals(), "unary", [("%s_%s" % (name.replace("math.", ""), dt), "x = P(%d, dt='%s', value=%s); y = tf.%s(x); y; G(y, x)"
                            % (len(eval(points)), dt, points, name))
                           for dt in ("float32", "float64") for name, points in (
                               ("erf", POINTS), ("erfc", POINTS), ("lgamma", POINTS), ("digamma", POINTS.replace('-7.3, ', '')), ("math.bessel_i0e", POINTS),
                               ("math.bessel_i1e", POINTS), ("math.bessel_i0", POSITIVE), ("math.bessel_i1", POSITIVE))])
table(globals(), "binary", [
    "a = P(4, 1, dt='{0}', value=[[.3], [1.], [4.5], [20.]]); x = P(6, dt='{0}', value=[.01, .5, 1.7, 4., 15., 40.]); y = tf.{1}(a, x); y; G(y, [a, x])".format(dt, name)
    for dt in ("float32", "float64") for name in ("igamma", "igammac")])
table(globals(), "orders", [
    "a = P(4, 1, value=[[0.], [1.], [2.], [5.]]); x = P(5, value=[.3, 1., 2.5, 8., 20.]); y = tf.polygamma(a, x); y; G(y, x)",
    "s = P(4, 1, value=[[1.5], [2.], [3.], [6.5]]); q = P(5, value=[.3, 1., 2.5, 8., 20.]); y = tf.zeta(s, q); y; G(y, q)",
    "a = P(5, value=[.5, 1., 2., 8., 30.]); b = P(5, value=[2., .3, 2., 4., 20.]); x = P(5, value=[.1, .5, .9, .3, .6]); y = tf.betainc(a, b, x); y; G(y, [a, b, x]); "
    "y = tf.betainc(P(value=2.), b, x); y; G(y, x)",
    "tf.lbeta(P(2, 3, value=[[.5, 1., 2.], [3., 4., 5.]])); tf.math.polyval([1., 2., 3.], P(3)); tf.math.polyval([], P(2)); tf.math.polyval([P(2)], P(2)); "
    "raises(tf.betainc, P(2), P(3), P(3))",
    "tf.igamma([1., -1., 0., 2.], [0., 1., 1., -1.]); tf.lgamma([0., -1., 1., 2.]); tf.zeta([1., .5, 2.], [2., 2., 1.]); tf.betainc([1., 1.], [1., 1.], [0., 1.])",
])
