"""Pooling over one, two and three dimensions, and the gradients."""
import numpy as np
from golden_case import Case, raises

X = (np.arange(2 * 6 * 5 * 3) * 37 % 101).reshape(2, 6, 5, 3) / 8.0 - 5
TIES = (np.arange(2 * 6 * 5 * 3) * 37 % 3).reshape(2, 6, 5, 3)
WINDOWS = {"even": (2, 2), "overlap": (3, 2), "dense": (2, 1), "wide": ([1, 3, 4, 1], [1, 1, 3, 1]), "sparse": (2, 3), "tall": ([3, 1], [2, 1])}

for _kind in ("max_pool", "avg_pool"):
    for _name, (_ksize, _strides) in WINDOWS.items():
        for _padding in ("SAME", "VALID"):
            def _case(tf, kind=_kind, ksize=_ksize, strides=_strides, padding=_padding):
                x = tf.placeholder(tf.float32, [None, 6, 5, 3], name="x")
                y = getattr(tf.nn, kind)(x, ksize, strides, padding)
                grad = tf.gradients(y, x, grad_ys=y * y)
                return Case({"y": y, "grad": grad}, runs=[({"y": y, "grad": grad}, {x: X}), ({"y": y, "grad": grad}, {x: TIES})])
            globals()["case_%s_%s_%s" % (_kind, _name, _padding.lower())] = _case


def case_second(tf):
    x, g = tf.placeholder(tf.float32, [None, 6, 5, 3]), tf.placeholder(tf.float32, [None, 3, 3, 3])
    fetches = []
    for kind in (tf.nn.max_pool, tf.nn.avg_pool):
        y = kind(x, 2, 2, "SAME")
        first = tf.gradients(y, x, grad_ys=g)[0]
        fetches.append(tf.gradients(first * x, [x, g]))
    return Case(fetches, feeds={x: X, g: X[:, :3, :3]})


def case_third(tf):
    x, g = tf.placeholder(tf.float32, [None, 6, 5, 3]), tf.placeholder(tf.float32, [None, 3, 3, 3])
    y = tf.nn.max_pool(x, 2, 2, "SAME")
    second = tf.gradients(tf.gradients(y, x, grad_ys=g), g)[0]
    return Case(tf.gradients(second, x), feeds={x: X, g: X[:, :3, :3]})


def case_v2_op(tf):
    x, g = tf.placeholder(tf.float32, [None, 6, 5, 3]), tf.placeholder(tf.float32, [None, 3, 3, 3])
    y = tf.raw_ops.MaxPoolV2(input=x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    first = tf.gradients(y, x, grad_ys=g)[0]
    return Case([y, first, tf.gradients(first, g)], feeds={x: X, g: X[:, :3, :3]})


def case_v2_op_unknown(tf):
    x, k = tf.placeholder(tf.float32, [None, 6, 5, 3]), tf.placeholder(tf.int32, [4])
    y = tf.raw_ops.MaxPoolV2(input=x, ksize=k, strides=[1, 2, 2, 1], padding="SAME")
    return Case([y, tf.gradients(y, x)], feeds={x: X, k: [1, 2, 2, 1]})


def case_depth(tf):
    x = tf.placeholder(tf.float32, [None, 6, 5, 3])
    return Case(tf.nn.max_pool(x, [1, 1, 1, 3], [1, 1, 1, 3], "SAME"), feeds={x: X})


def case_dtypes(tf):
    return [tf.nn.max_pool(tf.constant(TIES, kind), 2, 2, "SAME") for kind in (tf.int32, tf.int64, tf.uint8, tf.float64, tf.float16)] + [
        tf.nn.avg_pool(tf.constant(TIES, kind), 2, 2, "SAME") for kind in (tf.float64, tf.float16)]


def case_names(tf):
    x = tf.zeros([1, 4, 4, 1])
    return [tf.nn.max_pool(x, 2, 2, "SAME", name="m"), tf.nn.avg_pool(x, 2, 2, "SAME", name="m"), tf.nn.max_pool2d(x, 2, 2, "SAME"), tf.nn.avg_pool2d(x, 2, 2, "SAME"),
            tf.nn.max_pool(input=x, value=None, ksize=[2], strides=[2, 1], padding="SAME"), tf.nn.max_pool_v2(x, 2, 2, "SAME"), tf.nn.avg_pool_v2(x, 2, 2, "SAME"),
            tf.nn.max_pool([[[[1.0]]]], None, None, "SAME", data_format=None)]


def case_one(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    return Case([tf.nn.max_pool1d(x, 2, 2, "SAME"), tf.nn.avg_pool1d(x, 2, 2, "VALID", name="q"), tf.nn.max_pool_v2(x, 2, 1, "SAME"), tf.nn.avg_pool_v2(x, 2, 1, "SAME")],
                feeds={x: X[0]})


def case_one_first(tf):
    x = tf.placeholder(tf.float32, [None, 5, 3])
    return Case([tf.nn.max_pool1d(x, 2, 2, "SAME", data_format="NCW"), tf.nn.avg_pool_v2(x, 2, 2, "SAME", data_format="NCW")], graph_only=True)


def case_first(tf):
    x = tf.placeholder(tf.float32, [None, 3, 6, 5])
    y = [tf.nn.max_pool(x, 2, 2, "SAME", data_format="NCHW"), tf.nn.avg_pool(x, 2, 2, "VALID", data_format="NCHW")]
    return Case([y, tf.gradients(y, x)], graph_only=True)


def case_static(tf):
    x = [tf.placeholder(tf.float32, s) for s in (None, [None] * 4, [None, None, None, 3])]
    return Case([[tf.nn.max_pool(v, 2, 2, p), tf.nn.avg_pool(v, 2, 2, p)] for v in x for p in ("SAME", "VALID")], graph_only=True)


def case_argmax(tf):
    x = tf.placeholder(tf.float32, [None, 6, 5, 3])
    a, i = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    b, j = tf.nn.max_pool_with_argmax(x, [1, 3, 2, 1], [1, 1, 2, 1], "VALID", output_dtype=tf.int64, include_batch_in_index=True)
    return Case([a, i, b, j], runs=[([a, i, b, j], {x: X}), ([a, i, b, j], {x: TIES})])


def case_argmax_gradient(tf):
    x = tf.placeholder(tf.float32, [None, 6, 5, 3])
    a, i = tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", include_batch_in_index=True)
    return Case(tf.gradients(a, x, grad_ys=a), feeds={x: X})


def case_empty(tf):
    x = tf.zeros([0, 4, 4, 2])
    return [tf.nn.max_pool(x, 2, 2, "SAME"), tf.nn.avg_pool(x, 2, 2, "SAME")]


def case_refused(tf):
    x = tf.zeros([1, 2, 2, 1])
    return [raises(tf.nn.max_pool, x, 3, 1, "VALID"), raises(tf.nn.max_pool, tf.zeros([1, 2, 2]), 2, 1, "VALID"), raises(tf.nn.max_pool, x, [1, 2, 3], 1, "VALID"),
            raises(tf.nn.max_pool, x, 2, 1, "FOO"), raises(tf.nn.max_pool, x, 2, 1, "SAME", data_format="NHCW"), raises(tf.nn.max_pool, x, 2, 1, "SAME", input=x),
            raises(tf.nn.avg_pool, tf.zeros([1, 2, 2, 1], tf.int32), 2, 1, "SAME"), raises(tf.nn.max_pool_v2, tf.zeros([1, 2]), 2, 2, "SAME"),
            raises(tf.nn.max_pool_v2, tf.placeholder(tf.float32), 2, 2, "SAME"), raises(tf.nn.max_pool1d, tf.zeros([1, 2, 3]), [2, 2], 1, "SAME"),
            raises(tf.nn.max_pool_with_argmax, x, 2, 2, "SAME"), raises(tf.nn.max_pool_with_argmax, x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME", data_format="NCHW")]


def case_batch_refused(tf):
    return tf.nn.max_pool(tf.zeros([4, 2, 2, 1]), [2, 1, 1, 1], [2, 1, 1, 1], "SAME")


def case_both_refused(tf):
    return tf.nn.max_pool(tf.zeros([4, 2, 2, 2]), [1, 2, 2, 2], [1, 1, 1, 2], "SAME")


def case_avg_depth_refused(tf):
    return tf.nn.avg_pool(tf.zeros([4, 2, 2, 2]), [1, 1, 1, 2], [1, 1, 1, 2], "SAME")
