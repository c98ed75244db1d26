"""Elementwise arithmetic, comparison, selection, shapes, fills and casts, with their gradients."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from expressions import table

UNARY = ("negative abs sign square sqrt exp expm1 log log1p reciprocal sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh floor ceil "
         "rint round sigmoid math.rsqrt math.log_sigmoid math.reciprocal_no_nan").split()
table(globals(), "unary", [("unary_" + name.replace(".", "_"), "x = P(2, 3); y = tf.%s(x); y; G(y, x)" % name) for name in UNARY])
table(globals(), "unary_double", [("double_" + name.replace(".", "_"), "x = P(None, dt='float64'); y = tf.%s(x); y; G(y, x); tf.%s(x, name='n')"
                                   % (name, name)) for name in UNARY])
COMPLEX = "sqrt exp square reciprocal tanh sigmoid log sin cos tan cosh sinh conj real imag angle abs log1p expm1 math.rsqrt sign".split()
table(globals(), "complex", [("complex_" + name.replace(".", "_"), "x = P(3, dt='complex64'); y = tf.%s(x); y; G(y, x, P(3, dt=y.dtype))" % name)
                             for name in COMPLEX])
table(globals(), "second", ["x = P(3, value=[.5, 1.5, 2.]); G(G(tf.%s(x), x), x)" % name
                            for name in "sqrt tanh sigmoid math.rsqrt reciprocal exp log square".split()])
table(globals(), "inner_grad", ["x = P(2, 3); y = P(2, 3); z = R.%s(y=x, dy=y); z; G(z, [x, y])" % name
                                for name in "SigmoidGrad TanhGrad SqrtGrad RsqrtGrad ReciprocalGrad InvGrad".split()])
BINARY = ["tf.add(x, y)", "x + y", "tf.subtract(x, y)", "tf.multiply(x, y)", "x * y", "x / y", "tf.realdiv(x, y)", "R.Div(x=x, y=y)", "tf.floordiv(x, y)",
          "tf.floormod(x, y)", "tf.div_no_nan(x, y)", "tf.maximum(x, y)", "tf.minimum(x, y)", "tf.squared_difference(x, y)",
          "tf.math.multiply_no_nan(x, y)", "tf.math.nextafter(x, y)", "R.Add(x=x, y=y)"]
SHAPES = {"same": ("P(2, 3)", "P(2, 3)"), "row": ("P(2, 3)", "P(3)"), "scalar": ("P(2, 3)", "P()"), "outer": ("P(1, 3)", "P(2, 1)"),
          "unknown": ("P(None, 3)", "P(3)"), "rankless": ("U(2, 3)", "U(3)"), "double": ("P(2, 3, dt='float64')", "P(2, 3, dt='float64')")}
table(globals(), "binary", [("binary_%02d_%s" % (i, kind), "x = %s; y = %s; z = %s; z; G(z, [x, y])" % (a, b, text))
                            for i, text in enumerate(BINARY) for kind, (a, b) in SHAPES.items()])
table(globals(), "power", ["x = P(2, 3, value=[[.5, 1., 2.], [3., .1, 0.]]); y = %s; z = x ** y; z; G(z, [x, y])" % b
                           for b in ("P(2, 3)", "P(3)", "P()", "U(3)", "tf.constant(2.)")])
table(globals(), "entropy", ["x = P(2, 3, value=[[.5, 0., 2.], [3., .1, 0.]]); y = P(3, value=[.5, 1., 2.]); z = tf.math.%s(x, y); z; G(z, [x, y])" % name
                             for name in ("xlogy", "xdivy")])
table(globals(), "complex_binary", ["x = P(2, 3, dt='complex64'); y = P(3, dt='complex64'); z = %s; z; G(z, [x, y], P(2, 3, dt='complex64'))" % text
                                    for text in ("x + y", "x - y", "x * y", "x / y", "x ** y", "tf.div_no_nan(x, y)", "R.Div(x=x, y=y)")])
table(globals(), "integers", ["x = tf.constant([-7, 7, -7, 7, 0], '%s'); y = tf.constant([2, -2, -2, 2, 3], '%s'); x + y; x - y; x * y; x // y; x %% y; "
                              "tf.maximum(x, y); tf.minimum(x, y)" % (t, t) for t in ("int32", "int64")])
table(globals(), "integers_small", ["x = P(3, dt='%s', value=[100, 3, 0]); y = P(3, dt='%s', value=[100, 2, 5]); x + y; x * y; x - y; x // y" % (t, t)
                                    for t in ("uint8", "int8", "int16")])
table(globals(), "misc", [
    "x = P(3, value=[-1., .5, 2.]); y = P(3, value=[1., -.5, 2.]); z = tf.atan2(x, y); z; G(z, [x, y])",
    "x = P(2, 3); tf.truncatemod(x, 2.); tf.truncatediv(tf.constant([-7, 7]), 2); tf.truncatemod(tf.constant([-7, 7]), 2); R.Mod(x=[7, -7], y=[3, 3])",
    "x = P(2, 3); x + 1.; 1. + x; x - 1.; 1 - x; x * 2.; 2 * x; x / 2.; 2. / x; x // 2.; 2. // x; x % 2.; 2. % x; -x; abs(x); x < 1.; x <= 1; x > 1; x >= 1.",
    "x = P(2, 3, dt='int32'); x + 1; x / 2; 2 / (x + 1); x // 2; 2 // (x + 1); x % 2; x ** 2; -x; abs(x); x < 1",
    "x = P(2, 3, dt='bool'); x & x; x | True; True ^ x; ~x; tf.logical_xor(x, x); tf.logical_and(x, [True, False, True])",
    "x = P(2, 3, dt='string'); x + 'a'; 'a' + x; tf.add(x, x); tf.equal(x, 'a'); tf.not_equal(x, x)",
    "x = P(2, 3); tf.multiply(x, 2.); tf.subtract(2., x); tf.divide(x, 2.); tf.truediv(x, 2.); tf.div(x, 2.); tf.floordiv(x, 2.); tf.floor_div(x, 2.); "
    "tf.mod(x, 2.); tf.pow(x, 2.); tf.pow(2., x); tf.scalar_mul(2., x); tf.multiply(2., x, name='foo'); tf.realdiv(x, 2.); tf.math.divide_no_nan(x, 0.)",
    "x = P(2, 3, dt='int32'); tf.divide(x, 2); tf.truediv(x, 2); tf.div(x, 2); tf.floordiv(x, 2); tf.truncatediv(x, 2)",
    "tf.divide(3, 2); tf.divide(3., tf.constant(2.)); tf.truediv(3, 2); tf.floordiv(3, 2); tf.multiply(3, 2); tf.divide(3, 2, name='d')",
    "x = P(2, 3); tf.equal(x, 1.); tf.not_equal(x, 1.); tf.less(x, 1.); tf.greater_equal(1., x); tf.greater(x, [1., 0., -1.]); tf.less_equal(x, x)",
    "x = P(4, value=[1., np.nan, np.inf, -np.inf]); tf.is_nan(x); tf.is_inf(x); tf.is_finite(x); tf.sign(x); x < 1.; tf.equal(x, x); tf.not_equal(x, x)",
    "R.ApproximateEqual(x=[1., 2.], y=[1., 2.1], tolerance=0.2); R.Inv(x=[2., 4.]); R.Equal(x=P(2), y=P(3), incompatible_shape_error=False)",
    "x = P(2, 3); y = P(2, 3); c = P(2, 3, dt='bool'); z = tf.where(c, x, y); z; G(z, [x, y]); tf.where(c); tf.where(x > 0, 1., 2.) if False else c",
    "x = P(2, 3); y = P(2, 3); c = P(2, dt='bool'); z = tf.where(c, x, y); z; G(z, [x, y]); tf.where(True, x, y)",
    "x = P(2, 3); y = P(3); c = P(2, 1, dt='bool'); z = tf.where_v2(c, x, y); z; G(z, [x, y]); tf.where_v2(c, 1., 0.)",
    "x = U(2, 3); y = U(3); c = U(2, 1, dt='bool'); z = tf.where_v2(c, x, y); z; G(z, [x, y])",
    "tf.where(P(2, 3, dt='int32')); tf.where(U(3)); tf.where([True, False])",
    "x = P(2); y = P(2); z = tf.add_n([x, y, x]); z; G(z, [x, y]); tf.add_n([x]); tf.add_n([x], name='one'); z = tf.accumulate_n([x, y]); z; G(z, x); "
    "tf.accumulate_n([P(None), x]); tf.accumulate_n([x]); tf.accumulate_n([P(None), P(None)], shape=[2])",
    "x = P(3); y = tf.complex(x, P(3)); y; G(tf.real(y * y), x); tf.complex(P(2, dt='float64'), P(dt='float64'))",
    "x = P(2, 3); y = P(3); z = tf.complex(x, y); z; G(z, [x, y], P(2, 3, dt='complex64'))",
    "a = P(2, 3); b = P(2, 3); c = tf.cross(a, b); c; G(c, [a, b])",
    "x = P(2, 3); tf.real(x); tf.imag(x); tf.angle(x); tf.conj(x); tf.round(P(2, dt='int32'))",
    "tf.abs(-3); tf.negative(3.); tf.sigmoid(2.); tf.tanh(2.); tf.sign(2.); tf.abs([-2 ** 31])",
])
table(globals(), "shape", [
    "x = P(2, 3); y = P(None, 3); z = U(2); tf.shape(x); tf.size(x); tf.rank(x); tf.shape_n([x, y]); tf.shape(y); tf.size(y); tf.rank(y); tf.shape(z); "
    "tf.size(z); tf.rank(z); tf.shape(x, out_type=tf.int64); tf.size(y, out_type=tf.int64); tf.shape(x, name='s'); tf.size([1, 2, 3]); tf.rank(3.)",
    "x = P(None, 6); tf.reshape(x, [tf.shape(x)[0], 2, 3]); tf.reshape(x, [-1, tf.shape(x)[1]]); tf.reshape(x, [-1, 2]); tf.reshape(x, [2, -1])",
    "x = P(2, 3); y = tf.reshape(x, [6]); G(y, x); tf.reshape(x, P(2, dt='int32', value=[3, 2])); tf.reshape(x, U(1, dt='int64', value=[6])); "
    "tf.reshape([1, 2], [2, 1]); tf.reshape(P(0, 3), [-1, 3]); tf.reshape(U(4), [2, 2]); tf.reshape(P(1), [])",
    "x = P(None, 3, 4); tf.reshape(x, [-1, 12]); tf.reshape(x, tf.shape(x)); tf.reshape(x, tf.concat([tf.shape(x)[:1], [4, 3]], 0))",
    "x = P(2, 3); [raises(tf.reshape, x, [4]), raises(tf.reshape, x, [-1, 4]), raises(tf.reshape, x, [[6]])]",
    "x = P(2, 3); tf.expand_dims(x, -1); tf.expand_dims(x, axis=1); tf.expand_dims(x, dim=0); y = P(None, 3); G(tf.expand_dims(y, 1), y); tf.expand_dims(U(2), 0)",
    "x = P(1, 2, 1); tf.squeeze(x); tf.squeeze(x, [0]); tf.squeeze(x, -1); tf.squeeze(x, squeeze_dims=[2]); y = P(None, 1); G(tf.squeeze(y, 1), y); "
    "tf.squeeze(U(1, 2)); tf.squeeze(P(None, 1))",
    "x = P(None, 3); tf.ensure_shape(x, [2, 3]); y = tf.ensure_shape(x, [None, 3]); G(y, x)",
    "[raises(tf.expand_dims, P(2), 4), raises(tf.squeeze, P(2, 1), [0]), raises(tf.squeeze, P(2, 1), [5]), raises(tf.expand_dims, P(2))]",
    "x = P(); y = tf.fill([2, 3], x); y; G(y, x); tf.fill([2], 0); tf.fill(P(2, dt='int32', value=[2, 1]), 'a'); tf.fill([0], 1.5); raises(tf.fill, [2], [1.])",
    "tf.zeros([2, 3]); tf.ones([2, 3], tf.int32); tf.zeros([2000]); tf.zeros(P(2, dt='int32', value=[1, 2])); tf.zeros([P(dt='int32', value=2), 3]); "
    "tf.zeros([], tf.string); tf.ones([], tf.bool); tf.zeros([2], tf.bool); tf.zeros(3); tf.ones((2, 1), 'float64', name='o'); tf.zeros([0, 2]); "
    "tf.zeros(tf.TensorShape([2])); tf.ones(P(dt='int32', value=3)); tf.zeros(np.array([2, 2]))",
    "x = P(2, 3); y = P(None, 3); tf.zeros_like(x); tf.ones_like(x); tf.zeros_like(y); tf.ones_like(y); tf.zeros_like(y, tf.int32); tf.ones_like(y, tf.int32); "
    "tf.zeros_like(x, optimize=False); tf.ones_like(x, optimize=False); tf.zeros_like([1, 2]); tf.zeros_like(x, dtype=tf.string); tf.zeros_like(P(1001)); "
    "R.ZerosLike(x=['a']); R.OnesLike(x=x)",
    "x = P(3); y = tf.broadcast_to(x, [2, 3]); y; G(y, x); tf.broadcast_dynamic_shape([2, 1], [3]); tf.broadcast_to(1, [2]); "
    "tf.broadcast_dynamic_shape(tf.shape(P(None, 1)), [3]); str(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])))",
    "R.BroadcastGradientArgs(s0=P(2, dt='int32', value=[1, 3]), s1=P(2, dt='int32', value=[1, 1])); R.BroadcastGradientArgs(s0=[5, 1], s1=[5, 1]); "
    "R.BroadcastGradientArgs(s0=P(None, dt='int32', value=[2, 1, 3]), s1=[1, 3])",
])
table(globals(), "cast", [
    "x = P(2, 3); tf.cast(x, tf.float32); y = tf.cast(x, tf.float64); y; G(y, x); tf.cast(x, tf.int32); tf.to_float(x); tf.to_int32(x); tf.to_double(x); "
    "tf.to_int64(x); tf.cast(3, tf.float32); tf.cast(x, tf.int32, name='c'); tf.cast([1, 2], 'float32'); G(tf.cast(x, tf.int32), x)",
    "x = P(2, 3); tf.saturate_cast(x * 100, tf.int8); tf.saturate_cast(P(2, dt='int32', value=[-1, 300]), tf.uint8); tf.saturate_cast(x, tf.float64)",
    "x = P(5, value=[300., -1., 1e10, np.nan, np.inf]); tf.cast(x, 'int32'); tf.cast(x, 'int64'); tf.cast(x, 'bool'); tf.cast(x, 'float16')",
    "x = P(4, value=[300.5, -1.5, .5, 100.]); [tf.cast(x, t) for t in ('uint8', 'int8', 'uint16', 'int16', 'bfloat16', 'complex64', 'bool')]",
    "x = P(2, dt='complex64'); tf.cast(x, 'float32'); tf.cast(x, 'complex128'); tf.cast(P(2, dt='int32'), 'complex64'); tf.cast(P(2, dt='bool'), 'int32')",
    "x = P(2); tf.bitcast(x, tf.int32); tf.bitcast(x, tf.uint8); tf.bitcast(P(3, 2), tf.float64); tf.bitcast(P(2, 4, dt='uint8'), 'int32')",
    "R.Cast(x=[1.00390625, 1.0117], DstT=tf.bfloat16, Truncate=True); R.Cast(x=[1.00090625, 1.0117], DstT=tf.half, Truncate=True); "
    "tf.cast([1.00390625, 1.0117], tf.bfloat16)",
])
table(globals(), "refused", [
    "x = P(2, dt='int32'); [raises(lambda: x + 1.5), raises(tf.add, x, 1.5), raises(tf.add, 1.5, P(2, dt='float64')), raises(tf.truediv, P(2), x), "
    "raises(tf.truediv, P(2, dt='bool'), P(2, dt='bool')), raises(tf.add, P(2), P(3)), raises(tf.add, P(2, dt='bool'), True), raises(tf.add_n, []), "
    "raises(tf.add_n, [P(2), P(3)]), raises(tf.scalar_mul, P(2), P(2)), raises(tf.complex, 1, 2), raises(tf.where, True, 1), raises(tf.cast, 1, 'x'), "
    "raises(tf.conj, P(1, dt='string')), raises(tf.logical_and, 1, 2), raises(tf.accumulate_n, [P(2), P(3)]), raises(tf.less, 'a', 'b')]",
])
