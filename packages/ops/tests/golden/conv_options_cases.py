"""Convolutions of all kinds with all their options: explicit padding, dilations, transposes, backprop ops, names, shapes, errors."""
import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(8)
X1, X2, X3 = R.randn(2, 9, 3).astype("f4"), R.randn(2, 7, 8, 3).astype("f4"), R.randn(2, 4, 5, 6, 2).astype("f4")
F1, F2, F3 = R.randn(3, 3, 4).astype("f4"), R.randn(3, 2, 3, 4).astype("f4"), R.randn(2, 3, 2, 2, 3).astype("f4")
EXPLICIT = [[0, 0], [1, 2], [0, 3], [0, 0]]


def _grads(tf, y, x, w, feeds, **kw):
    first = tf.gradients(y, [x, w], grad_ys=tf.cos(y))
    return Case([y, first], feeds=feeds, tolerance=1e-4, **kw)


def _two(tf, shape=(None, 7, 8, 3), w=F2, **kw):
    x, w_ = tf.placeholder(tf.float32, shape), tf.constant(w)
    return _grads(tf, tf.nn.conv2d(x, w_, **kw), x, w_, {x: X2})


def case_explicit(tf):
    return _two(tf, strides=[1, 1, 1, 1], padding=EXPLICIT)


def case_explicit_strides(tf):
    return _two(tf, strides=[1, 2, 3, 1], padding=EXPLICIT)


def case_explicit_dilations(tf):
    return Case(tf.nn.conv2d(tf.constant(X2), F2, 1, EXPLICIT, dilations=[1, 2, 1, 1]), tolerance=1e-4)


def case_explicit_unknown(tf):
    return _two(tf, (None, None, None, None), strides=1, padding=EXPLICIT)


def case_strides_forms(tf):
    x = tf.constant(X2)
    return Case([tf.nn.conv2d(x, F2, 2, "SAME"), tf.nn.conv2d(x, F2, [2], "SAME"), tf.nn.conv2d(x, F2, [2, 1], "VALID"), tf.nn.conv2d(x, F2, [1, 2, 1, 1], "VALID", dilations=1), tf.nn.conv2d(x, F2, 1, "SAME", dilations=[2, 3]),
                 tf.nn.conv2d(x, filters=F2, strides=1, padding="SAME", name="c"), tf.nn.conv2d(x, F2, 1, "SAME", use_cudnn_on_gpu=False, name="d")], tolerance=1e-4)


for _padding in ("SAME", "VALID"):
    for _name, _kw in {"plain": {"strides": [1, 1, 1, 1]}, "strides": {"strides": [1, 3, 2, 1]}, "dilated": {"strides": [1, 1, 1, 1], "dilations": [1, 2, 3, 1]}}.items():
        def _case(tf, padding=_padding, kw=_kw):
            if "dilations" in kw:  # whose gradients the original refuses on a CPU
                return Case(tf.nn.conv2d(tf.constant(X2), F2, padding=padding, **kw), tolerance=1e-4)
            return _two(tf, padding=padding, **kw)
        globals()["case_two_%s_%s" % (_padding.lower(), _name)] = _case

        def _case(tf, padding=_padding, kw=_kw):
            x, w = tf.placeholder(tf.float32, [None, 7, 8, 3]), tf.constant(F2[..., :2])
            y = tf.nn.depthwise_conv2d(x, w, [1, kw["strides"][2], kw["strides"][2], 1], padding, rate=kw.get("dilations", [1, 1, 1, 1])[1:3] if kw["strides"][2] == 1 else None)
            return _grads(tf, y, x, w, {x: X2})
        globals()["case_depthwise_%s_%s" % (_padding.lower(), _name)] = _case

    for _stride in (1, 2, 3):
        def _case(tf, padding=_padding, stride=_stride):
            x, w = tf.placeholder(tf.float32, [None, 9, 3]), tf.constant(F1)
            return _grads(tf, tf.nn.conv1d(x, w, stride, padding), x, w, {x: X1})
        globals()["case_one_%s_%d" % (_padding.lower(), _stride)] = _case

        def _case(tf, padding=_padding, stride=_stride):
            x, w = tf.placeholder(tf.float32, [None, 4, 5, 6, 2]), tf.constant(F3)
            return _grads(tf, tf.nn.conv3d(x, w, [1, 1, stride, stride, 1], padding), x, w, {x: X3})
        globals()["case_three_%s_%d" % (_padding.lower(), _stride)] = _case

        def _case(tf, padding=_padding, stride=_stride):
            x, w = tf.placeholder(tf.float32, [2, 7, 8, 4]), tf.constant(F2)
            rows, cols = (7 * stride, 8 * stride) if padding == "SAME" else (6 * stride + 3, 7 * stride + max(2, stride))
            case = _grads(tf, tf.nn.conv2d_transpose(x, w, [2, rows, cols, 3], [1, stride, stride, 1], padding), x, w, {x: np.arange(448).reshape(2, 7, 8, 4) % 9})
            case.tolerance = 2e-3  # sums of tens of thousands that all but cancel
            return case
        globals()["case_transposed_%s_%d" % (_padding.lower(), _stride)] = _case

        def _case(tf, padding=_padding, stride=_stride):
            x, w = tf.placeholder(tf.float32, [2, 9, 4]), tf.constant(F1)
            size = 9 * stride if padding == "SAME" else 8 * stride + max(3, stride)
            return _grads(tf, tf.nn.conv1d_transpose(x, w, [2, size, 3], stride, padding), x, w, {x: np.arange(72).reshape(2, 9, 4) % 7})
        globals()["case_one_transposed_%s_%d" % (_padding.lower(), _stride)] = _case

        def _case(tf, padding=_padding, stride=_stride):
            x, w = tf.placeholder(tf.float32, [2, 2, 3, 2, 3]), tf.constant(F3)
            dims = [d * stride if padding == "SAME" else (d - 1) * stride + max(k, stride) for d, k in zip((2, 3, 2), (2, 3, 2))]
            return _grads(tf, tf.nn.conv3d_transpose(x, w, [2] + dims + [2], [1, stride, stride, stride, 1], padding), x, w, {x: np.arange(72).reshape(2, 2, 3, 2, 3) % 7})
        globals()["case_three_transposed_%s_%d" % (_padding.lower(), _stride)] = _case


def case_three_dilated(tf):
    x, w = tf.placeholder(tf.float32, [None, 4, 5, 6, 2]), tf.constant(F3)
    return Case([tf.nn.conv3d(x, w, [1] * 5, "SAME", name="t"), tf.nn.convolution(x, w, "VALID", dilation_rate=[2, 1, 2])], feeds={x: X3}, tolerance=1e-4)


def case_one_forms(tf):
    x = tf.constant(X1)
    return Case([tf.nn.conv1d(x, F1, [2], "SAME"), tf.nn.conv1d(x, F1, [1, 2, 1], "SAME", name="o"), tf.nn.conv1d(input=x, filters=F1, stride=1, padding="VALID"), tf.nn.conv1d(x, F1, 1, "SAME", dilations=2),
                 tf.nn.conv1d(tf.zeros([2, 3, 9]), F1, 1, "SAME", data_format="NCW").shape], tolerance=1e-4, graph=False)


def case_backprops(tf):
    x, w, g = tf.constant(X2), tf.constant(F2), tf.constant((np.arange(448).reshape(2, 7, 8, 4) % 5).astype("f4"))
    f = tf.nn
    return Case([f.conv2d_backprop_input([2, 7, 8, 3], w, g, [1, 1, 1, 1], "SAME"), f.conv2d_backprop_filter(x, [3, 2, 3, 4], g, [1, 1, 1, 1], "SAME", name="f"), f.conv2d_backprop_input([2, 6, 6, 3], w, g, [1, 1, 1, 1], EXPLICIT),
                 f.conv2d_backprop_filter(tf.zeros([2, 6, 6, 3]) + 1, [3, 2, 3, 4], g, [1, 1, 1, 1], EXPLICIT), f.conv3d_backprop_filter_v2(tf.constant(X3), [2, 3, 2, 2, 3], tf.ones([2, 4, 5, 6, 3]), [1] * 5, "SAME"),
                 f.depthwise_conv2d_native_backprop_input([2, 7, 8, 3], w, tf.ones([2, 7, 8, 12]), [1, 1, 1, 1], "SAME"), f.depthwise_conv2d_native_backprop_filter(x, [3, 2, 3, 4], tf.ones([2, 7, 8, 12]), [1, 1, 1, 1], "SAME")], tolerance=1e-4)


def case_backprop_refused(tf):
    w, g, f = tf.constant(F2), tf.zeros([2, 7, 8, 4]), tf.nn
    return Case([raises(f.conv2d_backprop_input, [2, 7, 8], w, g, [1, 1, 1, 1], "SAME"), raises(f.conv2d_backprop_input, [2, 7, 8, 3], w, g, [1, 1, 1, 1], "FOO"),
                 raises(f.conv2d_backprop_filter, tf.constant(X2), [3, 2, 3], g, [1, 1, 1, 1], "SAME")], graph=False)


def case_native_depthwise(tf):
    x, w = tf.placeholder(tf.float32, [None, None, None, 3]), tf.constant(F2)
    y = tf.nn.depthwise_conv2d_native(x, w, [1, 2, 2, 1], "VALID", name="n")
    return _grads(tf, y, x, w, {x: X2})


def case_depthwise_unknown(tf):
    x, w = tf.placeholder(tf.float32, [None, None, None, 3]), tf.constant(F2)
    return _grads(tf, tf.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME", rate=[2, 2], name="u"), x, w, {x: X2})


def case_depthwise_refused(tf):
    x, w, f = tf.constant(X2), tf.constant(F2), tf.nn.depthwise_conv2d
    return Case([raises(f, x, w, [1, 2, 2, 1], "SAME", rate=[2, 2]), raises(f, x, w, [1, 1, 1], "SAME"), raises(f, x, tf.zeros([3, 2, 2, 4]), [1, 1, 1, 1], "SAME"), raises(f, x[0], w, [1, 1, 1, 1], "SAME"), raises(f, x, w, [1, 1, 1, 1], "BAR")], graph=False)


def case_separable(tf):
    x, d, p = tf.placeholder(tf.float32, [None, 7, 8, 3]), tf.constant(F2), tf.constant((np.arange(24).reshape(1, 1, 12, 2) % 5 - 2).astype("f4"))
    y = [tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "SAME"), tf.nn.separable_conv2d(x, d, p, [1, 2, 2, 1], "VALID", name="s"), tf.nn.separable_conv2d(x, d, p, [1, 1, 1, 1], "VALID", rate=[2, 2])]
    return Case([y, tf.gradients(y, [x, d, p])], feeds={x: X2}, tolerance=1e-3)


def case_separable_refused(tf):
    x, d, f = tf.constant(X2), tf.constant(F2), tf.nn.separable_conv2d
    return Case([raises(f, x, d, tf.zeros([2, 1, 12, 2]), [1, 1, 1, 1], "SAME"), raises(f, x, d, tf.zeros([1, 1, 11, 2]), [1, 1, 1, 1], "SAME"), raises(f, x, d, tf.zeros([12, 2]), [1, 1, 1, 1], "SAME")], graph=False)


def case_atrous(tf):
    x, w = tf.placeholder(tf.float32, [None, 7, 8, 3]), tf.constant(F2)
    y = [tf.nn.atrous_conv2d(x, w, 2, "SAME"), tf.nn.atrous_conv2d(x, w, 2, "VALID", name="a"), tf.nn.atrous_conv2d(x, w, 1, "SAME")]
    return Case([y, tf.gradients(y, [x, w])], feeds={x: X2}, tolerance=1e-4)


def case_atrous_transposed(tf):
    x, w = tf.constant((np.arange(448).reshape(2, 7, 8, 4) % 7).astype("f4")), tf.constant(F2)
    return Case([tf.nn.atrous_conv2d_transpose(x, w, [2, 7, 8, 3], 2, "SAME"), tf.nn.atrous_conv2d_transpose(x, w, [2, 11, 10, 3], 2, "VALID", name="t"), tf.nn.atrous_conv2d_transpose(x, w, [2, 7, 8, 3], 1, "SAME")], tolerance=1e-4)


def case_atrous_refused(tf):
    x, w = tf.constant(X2), tf.constant(F2)
    return Case([raises(tf.nn.atrous_conv2d, x, w, 2, "OTHER"), raises(tf.nn.atrous_conv2d_transpose, tf.zeros([2, 7, 8, 4]), w, [2, 7, 8, 3], 2, "OTHER"), raises(tf.nn.atrous_conv2d_transpose, tf.zeros([2, 7, 8, 3]), w, [2, 7, 8, 3], 2, "SAME"),
                 raises(tf.nn.atrous_conv2d_transpose, tf.zeros([2, 7, 8, 4]), w, [2, 7, 8, 3], 0, "SAME")], graph=False)


def case_transposed_refused(tf):
    x, w, f = tf.zeros([2, 7, 8, 4]), tf.constant(F2), tf.nn.conv2d_transpose
    return Case([raises(f, x, w, [2, 7, 8, 3], [1, 1, 1, 1], "OTHER"), raises(f, x, w, [2, 7, 8, 5], [1, 1, 1, 1], "SAME"), raises(f, x, w, [2, 9, 9, 3], [1, 1, 1, 1], "SAME"), raises(f, x, w, [7, 8, 3], [1, 1, 1, 1], "SAME"),
                 raises(f, tf.zeros([2, 7, 8, 5]), w, [2, 7, 8, 3], [1, 1, 1, 1], "SAME"), raises(f, x, w, [2, 7, 8, 3], [1, 1, 1, 1], "SAME", data_format="NHC"), raises(f, x, w, None, [1, 1, 1, 1], "SAME")], graph=False)


def case_transposed_forms(tf):
    x, w = tf.constant((np.arange(448).reshape(2, 7, 8, 4) % 7).astype("f4")), tf.constant(F2)
    n = tf.placeholder_with_default([2, 14, 16, 3], [4])
    return Case([tf.nn.conv2d_transpose(x, w, n, 2), tf.nn.conv2d_transpose(x, w, [2, 14, 16, 3], [2, 2], name="z"), tf.nn.conv2d_transpose(input=x, filters=w, output_shape=[2, 7, 8, 3], strides=1), tf.nn.conv_transpose(x, w, n, 2),
                 tf.nn.conv2d_transpose(value=x, filter=w, output_shape=tf.stack([tf.shape(x)[0], 7, 8, 3]), strides=[1, 1, 1, 1])], tolerance=1e-4)


def case_two_refused(tf):
    x, w, f = tf.constant(X2), tf.constant(F2), tf.nn.conv2d
    return Case([raises(f, x, w, [1, 1, 1, 1], "OTHER"), raises(f, x, w, [1, 1, 1, 1], [[0, 0], [1, 1]]), raises(f, x, w, [1, 1, 1, 1], [[1, 0], [1, 1], [1, 1], [0, 0]]), raises(f, x, w, [1, 1, 1, 1], [[0, 0], [-1, 1], [1, 1], [0, 0]]),
                 raises(f, x, w, [1, 1, 1], "SAME"), raises(f, x, w, 0, "SAME"), raises(f, x, w, 1, "SAME", dilations=0), raises(f, x, tf.zeros([3, 2, 5, 4]), 1, "SAME"), raises(f, x[0], w, 1, "SAME"), raises(f, x, w[0], 1, "SAME"),
                 raises(f, x, w, 1, "SAME", data_format="NHCW"), raises(f, x, tf.zeros([9, 9, 3, 4]), 1, "VALID"), raises(f, x, w, 1, "SAME", filters=w), raises(f, x, tf.zeros([3, 2, 3, 4], tf.float64), 1, "SAME"), raises(f, x, w, None, "SAME"), raises(f, x, w, 1),
                 raises(tf.nn.conv1d, X1, F1, 1, "OTHER"), raises(tf.nn.conv1d, X2, F1, 1, "SAME"), raises(tf.nn.conv3d, X2, F3, [1] * 5, "SAME"), raises(tf.nn.conv3d, X3, F3, [1] * 4, "SAME"), raises(tf.nn.conv3d, X3, F3, [1, 1, 1, 1, 2], "SAME")], graph=False)


def case_convolution(tf):
    x = tf.constant(X2)
    f = tf.nn.convolution
    return Case([f(x, F2, "SAME"), f(x, F2, "VALID", strides=[2, 1]), f(x, F2, "SAME", dilation_rate=[2, 2], name="c"), f(tf.constant(X1), F1, "SAME", dilation_rate=[2]), f(tf.constant(X3), F3, "VALID")], tolerance=1e-4)


def case_double_half(tf):
    return Case([tf.nn.conv2d(tf.constant(X2, kind), tf.constant(F2, kind), 1, "SAME") for kind in (tf.float64, tf.float16)] + [tf.nn.conv3d(tf.constant(X3, tf.float64), tf.constant(F3, tf.float64), [1] * 5, "SAME")], tolerance=3e-2)


def case_empty(tf):
    x, w = tf.zeros([0, 7, 8, 3]), tf.constant(F2)
    y = tf.nn.conv2d(x, w, 1, "SAME")
    return [y, tf.gradients(y, [x, w])]


def _morph(tf, kind, strides, rates, padding):
    x, w = tf.placeholder(tf.float32, [None, 7, 8, 3]), tf.constant(F2[..., 0])
    y = getattr(tf.nn, kind)(x, w, strides, rates, padding)
    return _grads(tf, y, x, w, {x: X2})


for _kind in ("dilation2d", "erosion2d"):
    for _padding in ("SAME", "VALID"):
        for _name, _strides, _rates in (("plain", [1, 1, 1, 1], [1, 1, 1, 1]), ("strides", [1, 2, 3, 1], [1, 1, 1, 1]), ("rates", [1, 1, 1, 1], [1, 2, 2, 1])):
            def _case(tf, kind=_kind, strides=_strides, rates=_rates, padding=_padding):
                return _morph(tf, kind, strides, rates, padding)
            globals()["case_%s_%s_%s" % (_kind, _padding.lower(), _name)] = _case


def case_morph_more(tf):
    x, w = tf.constant(np.floor(X2)), tf.constant(np.floor(F2[..., 0]))
    y = tf.nn.dilation2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME", name="d")
    return [y, tf.gradients(y, [x, w]), tf.nn.dilation2d(tf.cast(x, tf.int32), tf.cast(w, tf.int32), [1, 1, 1, 1], [1, 1, 1, 1], "VALID"), tf.nn.erosion2d(x, w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), tf.nn.dilation2d(input=x, filter=w, strides=[1, 1, 1, 1], rates=[1, 1, 1, 1], padding="SAME")]


def case_morph_refused(tf):
    x, w, f = tf.constant(X2), tf.constant(F2[..., 0]), tf.nn.dilation2d
    return Case([raises(f, x, w, [1, 1, 1], [1, 1, 1, 1], "SAME"), raises(f, x, w, [1, 1, 1, 1], [1, 1, 1], "SAME"), raises(f, x, tf.zeros([3, 2, 2]), [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), raises(f, x, tf.zeros([9, 9, 3]), [1, 1, 1, 1], [1, 1, 1, 1], "VALID"),
                 raises(f, x, w, [2, 1, 1, 1], [1, 1, 1, 1], "SAME"), raises(f, x[0], w, [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), raises(f, x, w, [1, 1, 1, 1], [1, 1, 1, 1], "OTHER")], graph=False)
