"""Fourier transforms: shapes, values, gradients and what is refused."""

import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(7)
X = R.randn(2, 3, 4, 5).astype("f4")
Z = (R.randn(2, 3, 4, 5) + 1j * R.randn(2, 3, 4, 5)).astype("c8")
COMPLEX = ["fft", "fft2d", "fft3d", "ifft", "ifft2d", "ifft3d"]
REAL = ["rfft", "rfft2d", "rfft3d"]
BACK = ["irfft", "irfft2d", "irfft3d"]
RANK = {name: int(name[-2]) if name.endswith("d") else 1 for name in COMPLEX + REAL + BACK}


def transform(tf, name):
    return getattr(tf.signal, name)


for _name in COMPLEX:
    def _case(tf, name=_name):
        f = transform(tf, name)
        rank = RANK[name]
        out = [f(Z[(0,) * (4 - r)]) for r in range(rank, 5)]
        out += [f(Z.astype("c16"), name="double"), f(np.zeros((0,) * rank, "c8")), f(np.zeros((3, 0) + (2,) * rank, "c16"))]
        return Case(out, tolerance=1e-4)
    globals()["case_%s" % _name] = _case

    def _case(tf, name=_name):
        f = transform(tf, name)
        rank = RANK[name]
        xs = [tf.placeholder(tf.complex64, shape) for shape in (None, [None] * rank, [None] * (rank + 1), [7] * rank, [None, 2] + [3] * rank)]
        return Case([f(x) for x in xs], graph_only=True)
    globals()["case_%s_shapes" % _name] = _case

    def _case(tf, name=_name):
        f = transform(tf, name)
        rank = RANK[name]
        one = Z[(0,) * (4 - rank)]
        x, y, z = tf.constant(one), tf.placeholder(tf.complex64, None), tf.placeholder(tf.complex128, [None] * 4)
        outs = [f(x), f(y), f(z)]
        return Case([outs, [tf.gradients(tf.abs(o), i) for o, i in zip(outs, [x, y, z])],
                     tf.gradients(outs[0], x, grad_ys=f(outs[0]))], feeds={y: Z, z: Z.astype("c16")}, tolerance=2e-4)
    globals()["case_%s_gradient" % _name] = _case

    def _case(tf, name=_name):
        f = transform(tf, name)
        rank = RANK[name]
        return [raises(f, np.zeros((2,) * (rank - 1), "c8")), raises(f, np.zeros((2,) * rank, "f4")), raises(f, "x"), raises(f, None),
                raises(f, np.zeros((2,) * rank, "i4")), raises(f, [[1.0, 2.0]] * 2), raises(f, tf.placeholder(tf.complex64, [None] * (rank - 1)))]
    globals()["case_%s_refused" % _name] = _case

    def _case(tf, name=_name):
        x = tf.placeholder(tf.complex64)
        return Case(transform(tf, name)(x), feeds={x: np.zeros((2,) * (RANK[name] - 1), "c8")})
    globals()["case_%s_low_rank" % _name] = _case

for _name in REAL + BACK:
    def _data(name):
        return X if name[0] == "r" else Z

    def _case(tf, name=_name):
        f, rank, data = transform(tf, name), RANK[name], _data(name)
        out = [f(data[(0,) * (4 - r)]) for r in range(rank, 5)]
        for n in (1, 2, 3, 4, 5, 8, 9):
            out.append(f(data, [n] * rank))
        out += [f(data, list(range(3, 3 + rank))), f(data, list(range(9, 9 + rank)), name="named"), f(data, np.array([4] * rank)), f(data, tf.constant([5] * rank))]
        return Case(out, tolerance=1e-4)
    globals()["case_%s" % _name] = _case

    def _case(tf, name=_name):
        f, rank, data = transform(tf, name), RANK[name], _data(name)
        dtype = tf.as_dtype(data.dtype)
        length = tf.placeholder(tf.int32, [rank])
        any_length = tf.placeholder(tf.int32, None)
        out, feeds = [], {length: [6] * rank, any_length: list(range(3, 3 + rank))}
        for shape in (None, [None] * rank, [None] * 4, [2, 3, None, None], [2, None, 4, 5], [None, 3, 4, 5], [2, 3, 4, 5]):
            x = tf.placeholder(dtype, shape)
            feeds[x] = data if shape is None else data[(0,) * (4 - len(shape))]
            out += [f(x), f(x, [4] * rank), f(x, [7] * rank), f(x, length), f(x, any_length)]
        return Case(out, feeds=feeds, tolerance=1e-4)
    globals()["case_%s_shapes" % _name] = _case

    if RANK[_name] < 3:
        SHAPES = {"unknown": None, "sizes": [None] * RANK[_name], "known": [2, 3, 4, 5], "partly": [2, 3, 4, None]}
        LENGTHS = {"all": None, "four": 4, "eight": 8, "nine": 9, "twelve": 12}
        for _shape_name, _shape in SHAPES.items():
            for _length_name, _length in LENGTHS.items():
                def _case(tf, name=_name, shape=_shape, length=_length):
                    f, rank, data = transform(tf, name), RANK[name], _data(name)
                    x = tf.placeholder(data.dtype, shape)
                    y = f(x, length and [length] * rank)
                    value = data if shape is None else data[(0,) * (4 - len(shape))]
                    return Case([tf.gradients(tf.abs(y) if name[0] == "r" else tf.sin(y), x)], feeds={x: value}, tolerance=5e-4)
                globals()["case_%s_gradient_%s_%s" % (_name, _shape_name, _length_name)] = _case

        def _case(tf, name=_name):
            f, rank, data = transform(tf, name), RANK[name], _data(name)
            x, n = tf.placeholder(data.dtype, [2, 3, 4, 5]), tf.placeholder(tf.int32, [rank])
            y = f(x, n)
            return Case([tf.gradients(tf.abs(y) if name[0] == "r" else tf.sin(y), x)], feeds={x: data, n: [4, 5 if name[0] == "r" else 9][2 - rank:]}, tolerance=5e-4)
        globals()["case_%s_gradient_fed_length" % _name] = _case
    else:
        def _case(tf, name=_name):
            x = tf.constant(_data(name))
            y = transform(tf, name)(x)
            return [raises(tf.gradients, y, x), tf.gradients(tf.zeros([2]), x) == [None]]
        globals()["case_%s_no_gradient" % _name] = _case

    def _case(tf, name=_name):
        f, rank, data = transform(tf, name), RANK[name], _data(name)
        kind = data.dtype
        p = tf.placeholder
        return [raises(f, np.zeros((2,) * (rank - 1), kind)), raises(f, np.zeros((2,) * rank, "f8")), raises(f, np.zeros((2,) * rank, "c16")),
                raises(f, np.zeros((2,) * rank, "i4")), raises(f, "x"), raises(f, None), raises(f, data, [1] * (rank + 1)), raises(f, data, 3), raises(f, data, [-1] * rank),
                raises(f, data, [0] * rank), raises(f, data, [2.5] * rank), raises(f, data, [[1] * rank]), raises(f, data, ["x"] * rank),
                raises(f, p(kind, [None] * (rank - 1))), raises(f, data, p(tf.int32, [rank + 1])), raises(f, data, p(tf.int64, [rank])),
                raises(f, p(kind, [None] * rank), p(tf.int32, [])), raises(f, data, p(tf.float32, [rank])), raises(f, p(kind, None), [4] * (rank + 1))]
    globals()["case_%s_refused" % _name] = _case

    for _kind, _shape, _length in [("low_rank", -1, None), ("low_rank_length", -1, 2), ("negative", 0, -1), ("long", 0, "long"), ("matrix", 0, "matrix")]:
        def _case(tf, name=_name, more=_shape, length=_length):
            f, rank, data = transform(tf, name), RANK[name], _data(name)
            x = tf.placeholder(data.dtype)
            feeds = {x: np.ones((3,) * (rank + more), data.dtype)}
            if length is None:
                return Case(f(x), feeds=feeds)
            n = tf.placeholder(tf.int32)
            feeds[n] = {"long": [2] * (rank + 1), "matrix": [[2] * rank]}.get(length, [length] * rank)
            return Case(f(x, n), feeds=feeds)
        globals()["case_%s_run_%s" % (_name, _kind)] = _case

    for _n in (0, 2):
        def _case(tf, name=_name, size=_n):
            f, rank, data = transform(tf, name), RANK[name], _data(name)
            return Case([f(np.zeros((2,) + (3,) * (rank - 1) + (size,), data.dtype)) if size else f(np.zeros((0,) + (3,) * rank, data.dtype))])
        globals()["case_%s_size_%d" % (_name, _n)] = _case

    def _case(tf, name=_name):
        f, rank, data = transform(tf, name), RANK[name], _data(name)
        x, n = tf.placeholder(data.dtype), tf.placeholder(tf.int32)
        return Case(f(x, n), feeds={x: np.zeros((0,) + (1,) * rank, data.dtype), n: [4] * rank})
    globals()["case_%s_empty_padded" % _name] = _case

    def _case(tf, name=_name):
        f, rank, data = transform(tf, name), RANK[name], _data(name)
        p, n = tf.placeholder, tf.placeholder(tf.int32, [])
        known, partly = p(data.dtype, [2, 3, 4, 5]), p(data.dtype, [2, None, 4, 5])
        lengths = [tf.constant([8] * rank), tf.stack([n] * rank), [n] * rank, [8] * (rank - 1) + [n], tf.TensorShape([7] * rank), [tf.Dimension(7)] * rank,
                   tf.shape(partly)[-rank:], tf.shape(known)[:rank], tf.constant([3] * rank) * 2, tf.concat([[8] * (rank - 1), [n]], 0), tf.fill([rank], 9), tf.cast([8] * rank, tf.int32)]
        return Case([f(x, l) for x in (known, partly) for l in lengths], graph_only=True)
    globals()["case_%s_length_forms" % _name] = _case
    def _case(tf, name=_name):
        rank, data = RANK[name], _data(name)
        op = getattr(tf.raw_ops, name.upper())
        x = tf.placeholder(data.dtype)
        return Case(op(input=x, fft_length=[12] * rank), feeds={x: data})
    globals()["case_%s_raw_too_long" % _name] = _case

    def _case(tf, name=_name):
        rank, data = RANK[name], _data(name)
        op = getattr(tf.raw_ops, name.upper())
        x, y = tf.placeholder(data.dtype, [2, 3, 4, 5]), tf.placeholder(data.dtype, None)
        n, m, k = tf.placeholder(tf.int32, [rank]), tf.placeholder(tf.int32), tf.placeholder(tf.int32, [None])
        out = [op(input=v, fft_length=l) for v in (x, y) for l in (n, m, k, [4] * rank, [2] * rank)]
        return Case(out, feeds={x: data, y: data, n: [2] * rank, m: [3] * rank, k: [4] * rank}, tolerance=1e-4)
    globals()["case_%s_raw" % _name] = _case


def case_aliases(tf):
    pairs = [(tf.fft, tf.signal.fft), (tf.fft2d, tf.signal.fft2d), (tf.fft3d, tf.signal.fft3d), (tf.ifft, tf.signal.ifft), (tf.ifft2d, tf.signal.ifft2d),
             (tf.ifft3d, tf.signal.ifft3d)]
    pairs += [(getattr(tf.spectral, n), getattr(tf.signal, n)) for n in COMPLEX + REAL + BACK + ["dct", "idct"]]
    pairs += [(getattr(tf.compat.v1.signal, n), getattr(tf.signal, n)) for n in COMPLEX]
    pairs += [(getattr(tf.compat.v2.signal, n), getattr(tf.signal, n)) for n in COMPLEX]
    return [a is b for a, b in pairs]


def case_special_values(tf):
    x = np.array([[np.inf, 1, 2, 3], [np.nan, 1, 2, 3], [0, 0, 0, 0]], "f4")
    return [tf.signal.rfft(x[2:]), tf.is_nan(tf.real(tf.signal.rfft(x[1:2]))), tf.is_nan(tf.abs(tf.signal.fft(tf.cast(x[1:], tf.complex64))))]


def case_shapes_named(tf):
    with tf.name_scope("outer"):
        x = tf.placeholder(tf.float32, [None, 8], name="x")
        y = tf.signal.rfft(x, fft_length=[16], name="spectrum")
        z = tf.signal.irfft(y, fft_length=[16])
        w = tf.signal.irfft2d(y[tf.newaxis], name="two")
    return Case([y, z, w], feeds={x: X[0, 0, :5, :2].repeat(4, 1)}, tolerance=1e-4)


def case_shift(tf):
    x = np.arange(24).reshape(2, 3, 4)
    p = tf.placeholder(tf.float32, [None, 3])
    out = []
    for shift in (tf.signal.fftshift, tf.signal.ifftshift):
        out += [shift(x), shift(x, 0), shift(x, axes=1, name="s"), shift(x, [0, 2]), shift(x, (1, 2)), shift(x, -1), shift(x, [-1, 0]), shift(x, np.array([1])),
                shift([1, 2, 3, 4, 5]), shift(["a", "b", "c"]), shift(p, 1), shift(p, [-1]), shift(x, [1, 1])]
    return Case(out, feeds={p: np.arange(6.).reshape(2, 3)})


def case_shift_gradient(tf):
    x = tf.placeholder(tf.float32, [3, 5])
    out = [f(x, a) for f in (tf.signal.fftshift, tf.signal.ifftshift) for a in (None, 1, [0, 1])]
    return Case(tf.gradients([tf.sin(o) for o in out], x), feeds={x: X[0, 0, :3, :5]})


def case_shift_of_unknown(tf):
    sides = tf.placeholder(tf.float32, [None, 3]), tf.placeholder(tf.float32)
    return [raises(f, x, a) for f in (tf.signal.fftshift, tf.signal.ifftshift) for x in sides for a in (None, 0, [0, 1], tf.constant(1), tf.constant([0, 1]))]


def case_shift_refused(tf):
    x = np.arange(6.).reshape(2, 3)
    return [raises(f, v, a) for f in (tf.signal.fftshift, tf.signal.ifftshift) for v in (x, 1.0) for a in (None, 2, -3, [0, 5], "x", 1.5, [[0]])]


def case_compositions(tf):
    x = tf.placeholder(tf.float32, [None, 10])
    s = tf.signal.rfft(x)
    power = tf.square(tf.abs(s))
    filtered = tf.signal.irfft(s * tf.cast([1, 1, 1, 0, 0, 0], tf.complex64))
    loss = tf.reduce_sum(power) + tf.reduce_sum(tf.square(filtered))
    return Case([power, filtered, tf.gradients(loss, x), tf.gradients(tf.gradients(loss, x)[0], x)],
                feeds={x: R.randn(3, 10)}, tolerance=1e-3)
