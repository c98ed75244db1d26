"""Frames, windows, short-time and cosine transforms, and mel scales."""

import numpy as np
from golden_case import Case, raises

R = np.random.RandomState(3)
X = R.randn(2, 30).astype("f4")
LONG = R.randn(2, 64).astype("f4")
SPECTRA = (R.randn(2, 5, 9) + 1j * R.randn(2, 5, 9)).astype("c8")


def case_frame(tf):
    f = tf.signal.frame
    x = tf.constant(X)
    out = [f(x, *a) for a in ((6, 4), (4, 6), (5, 5), (1, 1), (30, 1), (31, 1), (7, 3), (30, 40))]
    out += [f(x, *a, pad_end=True) for a in ((6, 4), (4, 6), (31, 1), (7, 3), (40, 50))]
    return out + [f(x, 6, 4, pad_end=True, pad_value=-1, name="named"), f(x, 6, 4, True, 2.5, 1), f(x, 1, 1, axis=0), f(x, 2, 3, True, axis=-2)]


def case_frame_axes(tf):
    x = np.arange(120).reshape(2, 12, 5)
    return [tf.signal.frame(x, 4, 2, pad_end=p, axis=a) for a in (0, 1, 2, -1, -2, -3, tf.constant(1), np.int32(1)) for p in (False, True)]


def case_frame_dtypes(tf):
    values = [np.arange(10).astype(d) for d in ("i4", "i8", "f2", "f8", "c8", "u1", "?")] + [np.array(["a", "b", "c", "d", "e"])]
    out = [tf.signal.frame(x, 3, 2) for x in values] + [tf.signal.frame(x, 4, 3, pad_end=True) for x in values[:5]]
    out += [tf.signal.frame(values[0], 3, 2, pad_end=True, pad_value=9), tf.signal.frame([1, 2, 3, 4, 5], 2, 2), tf.signal.frame(values[7], 2, 2, True, "z")]
    return out


def case_frame_empty(tf):
    f = tf.signal.frame
    return [f(tf.zeros([0]), 3, 2), f(tf.zeros([0]), 3, 2, pad_end=True), f(tf.zeros([3, 0]), 2, 2), f(tf.zeros([0, 8]), 3, 2), f(tf.zeros([0, 8]), 3, 2, True)]


def _unknown(shape, pad_end, lengths):
    def case(tf):
        x = tf.placeholder(tf.float32, shape)
        n, m, a = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
        value = X if shape is None or len(shape) == 2 else X[0]
        feeds = {x: value}
        sizes = {"known": [6, 4], "constants": [tf.constant(6), tf.constant(4)], "length": [n, 4], "step": [6, m], "both": [n, m], "axis": [6, 4], "placeholder": [tf.placeholder_with_default(6, None), 4]}[lengths]
        feeds.update({n: 6, m: 4})
        y = tf.signal.frame(x, *sizes, pad_end=pad_end, **({"axis": a} if lengths == "axis" else {}))
        if lengths == "axis":
            feeds[a] = value.ndim - 1
        return Case([y, tf.gradients(tf.sin(y), x) if lengths in ("known", "both") else []], feeds=feeds)
    return case


for _name, _shape in (("unknown", None), ("vector", [None]), ("matrix", [None, None]), ("partly", [2, None]), ("rows", [None, 30]), ("full", [2, 30])):
    for _lengths in ("known", "constants", "length", "step", "both", "axis", "placeholder"):
        for _pad in (False, True):
            globals()["case_frame_%s_%s%s" % (_name, _lengths, "_padded" if _pad else "")] = _unknown(_shape, _pad, _lengths)


def case_frame_refused(tf):
    x = tf.placeholder(tf.float32, [2, 30])
    f = tf.signal.frame
    p = tf.placeholder
    calls = [(1.0, 1, 1), (x, [1], 1), (x, 1, [1]), (x, 1, 1, True, [0.0]), (x, 1, 1, False, 0, [0]), (x, 1.5, 1), (x, 2, 0), (x, 2, 0, True), (x, "a", 1), (x, None, 1), (None, 1, 1),
             (x, 2, 1, False, 0, 2), (x, 2, 1, False, 0, -3), (x, p(tf.int32, [None]), 1), (p(tf.float32, []), 1, 1), (x, -1, 1), (x, 2, -1), (x, np.int64(2), np.int64(1)),
             (x, 0, 1), (x, 2, 1, True, "x"), (x, 0, 0)]
    return [raises(f, *c) for c in calls]


def _run(build, value):
    def case(tf):
        x = tf.placeholder(tf.float32)
        n, m = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
        return Case(build(tf, x, n, m), feeds={x: value[0], n: value[1], m: value[2]})
    return case


for _name, _value in (("scalar", (1.0, 2, 1)), ("zero_step", (X, 4, 0)), ("negative_length", (X, -2, 1)), ("negative_step", (X, 4, -1)), ("zero_length", (X, 0, 2))):
    globals()["case_frame_run_%s" % _name] = _run(lambda tf, x, n, m: tf.signal.frame(x, n, m), _value)
    globals()["case_frame_padded_run_%s" % _name] = _run(lambda tf, x, n, m: tf.signal.frame(x, n, m, pad_end=True), _value)
    globals()["case_add_run_%s" % _name] = _run(lambda tf, x, n, m: tf.signal.overlap_and_add(x, m), _value)


def case_add(tf):
    f = tf.signal.overlap_and_add
    x = np.arange(60.0).reshape(2, 5, 6).astype("f4")
    out = [f(x, n) for n in (1, 2, 3, 4, 5, 6, 7, 10)] + [f(x[0], 4, name="named"), f(x[None], 4), f(x.astype("i4"), 4), f(x.astype("c8"), 4), f(x.astype("f8"), np.int32(4))]
    return out + [f(x[:, :1], 2), f(x[:, :, :1], 1), f(x[:, :, :1], 3), f(np.zeros((0, 5, 6), "f4"), 4), f(x, tf.constant(4)), f([[1.0, 2.0], [3.0, 4.0]], 1)]


def case_add_unknown(tf):
    out, feeds = [], {}
    step = tf.placeholder(tf.int32, [])
    feeds[step] = 2
    any_step = tf.placeholder_with_default(3, None)
    for shape in (None, [None, None], [None, None, None], [2, None, 6], [None, 5, 6], [2, 5, None], [2, 5, 6]):
        x = tf.placeholder(tf.float32, shape)
        feeds[x] = np.arange(60.0).reshape(2, 5, 6) if shape is None or len(shape) == 3 else np.arange(30.0).reshape(5, 6)
        for s in (4, 6, step, any_step):
            out.append(tf.signal.overlap_and_add(x, s))
    return Case(out, feeds=feeds)


def case_add_gradient(tf):
    x, y = tf.placeholder(tf.float32, [2, 5, 6]), tf.placeholder(tf.float32)
    out = [tf.signal.overlap_and_add(v, s) for v in (x, y) for s in (2, 4, 6, 8)]
    return Case(tf.gradients([tf.sin(o) for o in out], [x, y]), feeds={x: np.arange(60.0).reshape(2, 5, 6), y: np.arange(60.0).reshape(2, 5, 6)})


def case_add_refused(tf):
    x = tf.placeholder(tf.float32, [2, 5, 6])
    f = tf.signal.overlap_and_add
    return [raises(f, *c) for c in ((1.0, 1), ([1.0], 1), (x, [1]), (x, 1.0), (x, "a"), (x, None), (x, tf.placeholder(tf.float32, [])), (x, np.int64(4)), (x, 0), (x, -1))]


for _name in ("hann_window", "hamming_window"):
    def _case(tf, name=_name):
        f = getattr(tf.signal, name)
        out = [f(n) for n in (0, 1, 2, 3, 4, 5, 8, 33)] + [f(n, periodic=False) for n in (0, 1, 2, 3, 4, 5, 8)]
        return out + [f(7, dtype=d) for d in (tf.float16, tf.float64)] + [f(4, name="named"), f(tf.constant(5)), f(4, tf.constant(False)), f(np.int32(6)), f(np.int64(6))]
    globals()["case_%s" % _name] = _case

    def _case(tf, name=_name):
        f = getattr(tf.signal, name)
        n, periodic = tf.placeholder(tf.int32, []), tf.placeholder(tf.bool, [])
        out = [f(n), f(n, False), f(n, periodic), f(4, periodic), f(n, dtype=tf.float64), f(tf.placeholder_with_default(5, None))]
        return Case(runs=[(out, {n: size, periodic: p}) for size, p in ((1, True), (2, True), (8, False), (5, True), (0, True))])
    globals()["case_%s_fed" % _name] = _case

    def _case(tf, name=_name):
        f = getattr(tf.signal, name)
        return [raises(f, *c) for c in (([1],), (4, [True]), (4, True, tf.int32), (4, True, tf.complex64), ("x",), (2.5,), (None,), (4, "x"), (4, 1), (-1,), (1, [True]), (4, True, "float32"), (4, True, None))]
    globals()["case_%s_refused" % _name] = _case


def case_window_negative_run(tf):
    n = tf.placeholder(tf.int32, [])
    return Case(tf.signal.hann_window(n), feeds={n: -1})


def case_stft(tf):
    s = tf.signal.stft
    return Case([s(X, 6, 4), s(X, 6, 4, fft_length=16), s(X, 8, 3, window_fn=None), s(X, 6, 4, pad_end=True), s(X, 7, 2, 7, tf.signal.hamming_window, name="named"), s(X[0], 5, 5),
                 s(X, 9, 8, fft_length=9), s(X, 30, 1), s(X, 31, 1, pad_end=True), s(X[None], 1, 7, 4)], tolerance=1e-4)


def case_stft_unknown(tf):
    n, m, k = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    out, feeds = [], {n: 6, m: 4, k: 16}
    for shape in (None, [None], [None, None], [2, None], [2, 30]):
        x = tf.placeholder(tf.float32, shape)
        feeds[x] = X[0] if shape == [None] else X
        for c in ((6, 4), (n, 4), (6, m), (n, m, k), (6, 4, k)):
            out.append(tf.signal.stft(x, *c))
    return Case(out, feeds=feeds, tolerance=1e-4)


def case_stft_lengths(tf):
    x = tf.placeholder(tf.float32, [None])
    return Case([tf.signal.stft(x, n, 4) for n in [1, 2, 3, 4, 5, 8, 9, 511, 512, 513] + [2 ** k for k in range(10, 30, 3)]] + [tf.signal.inverse_stft(tf.placeholder(tf.complex64, [None, n // 2 + 1]), n, 3) for n in (1, 4, 7, 8, 2 ** 15)],
                graph_only=True)


def case_stft_gradient(tf):
    x, y = tf.placeholder(tf.float32, [2, 30]), tf.placeholder(tf.float32)
    return Case([tf.gradients([tf.abs(tf.signal.stft(x, 6, 4)), tf.abs(tf.signal.stft(y, 7, 3, 9, pad_end=True)[..., :3])], [x, y])], feeds={x: X, y: X}, tolerance=1e-3)


def case_stft_refused(tf):
    s = tf.signal.stft
    return [raises(s, *c) for c in ((1.0, 1, 1), (X, [6], 4), (X, 6, [4]), (X, 6, 4, [8]), (X.astype("f8"), 6, 4), (X.astype("i4"), 6, 4), (X, 6.0, 4), (X, 0, 4), (X, 6, 0), (X, 6, 4, 8, 5), (None, 6, 4))]


def case_inverse(tf):
    s = tf.signal.inverse_stft
    z = SPECTRA
    return Case([s(z, 16, 8), s(z, 12, 4), s(z, 6, 4, fft_length=16), s(z, 20, 8, fft_length=16), s(z, 16, 8, window_fn=None), s(z, 16, 16, window_fn=tf.signal.inverse_stft_window_fn(16)), s(z[0], 16, 5, name="named"),
                 s(z, 16, 8, 17), s(z, 9, 4, 12), s(z, 30, 7), s(z, 16, 20)], tolerance=1e-4)


def case_inverse_unknown(tf):
    z = (np.arange(90.0).reshape(2, 5, 9) * (1 + 0.5j)).astype("c8")
    n, m, k = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    out, feeds = [], {n: 12, m: 4, k: 16}
    for shape in (None, [None, None], [None, None, None], [2, None, 9], [2, 5, None], [2, 5, 9]):
        x = tf.placeholder(tf.complex64, shape)
        feeds[x] = z[0] if shape == [None, None] else z
        for c in ((12, 4), (n, 4), (12, m), (n, m, k), (12, 4, k), (20, 4, 16)):
            out.append(tf.signal.inverse_stft(x, *c))
    return Case(out, feeds=feeds, tolerance=1e-4)


def case_inverse_gradient(tf):
    z = (np.arange(90.0).reshape(2, 5, 9) * (0.01 + 0.05j)).astype("c8")
    x = tf.placeholder(tf.complex64, [2, 5, 9])
    return Case(tf.gradients(tf.sin(tf.signal.inverse_stft(x, 16, 8)), x), feeds={x: z}, tolerance=1e-3)


def case_inverse_refused(tf):
    s = tf.signal.inverse_stft
    z = np.zeros((5, 9), "c8")
    return [raises(s, *c) for c in ((z[0], 16, 8), (z, [16], 8), (z, 16, [8]), (z, 16, 8, [16]), (z.astype("c16"), 16, 8), (z.real, 16, 8), (z, 16.0, 8), (z, 16, 8.0), (None, 16, 8), (z, "x", 8), (z, 16, 8, 16, 7))]


def case_inverse_window(tf):
    w = tf.signal.inverse_stft_window_fn
    return [w(4)(6, dtype=tf.float32), w(4)(8, tf.float64), w(4, tf.signal.hamming_window)(9, tf.float32), w(8)(4, tf.float32), w(5, name="named")(16, tf.float32), w(tf.constant(4))(tf.constant(16), tf.float32), w(1)(1, tf.float32)]


def case_inverse_window_fed(tf):
    n, m = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32, [])
    w = tf.signal.inverse_stft_window_fn(m)
    return Case([w(n, tf.float32), w(6, tf.float64)], feeds={n: 8, m: 3})


def case_inverse_window_refused(tf):
    w = tf.signal.inverse_stft_window_fn
    return [raises(w, [4]), raises(w, None), raises(w(4), [6], tf.float32), raises(w(4), 6, tf.int32), raises(w(4), 6)]


def case_round_trip(tf):
    x = tf.placeholder(tf.float32, [None, 64])
    s = tf.signal.stft(x, 16, 4, pad_end=True)
    y = tf.signal.inverse_stft(s, 16, 4, window_fn=tf.signal.inverse_stft_window_fn(4))
    return Case([y, tf.abs(s)], feeds={x: LONG}, tolerance=1e-4)


for _name in ("dct", "idct"):
    for _kind in (1, 2, 3):
        for _norm in (None, "ortho"):
            def _case(tf, name=_name, kind=_kind, norm=_norm):
                f = getattr(tf.signal, name)
                x = X[:, :6]
                return Case([f(x, kind, norm=norm), f(x[0], kind, norm=norm, name="named"), f(x[:, :5], kind, norm=norm), f(x[:, :2], kind, norm=norm), f(x, kind, n=6, norm=norm)] + ([f(x, kind, n=n, norm=norm) for n in (2, 4, 9)] if name == "dct" else []), tolerance=1e-4)
            if (_kind, _norm) != (1, "ortho"):
                globals()["case_%s_%d%s" % (_name, _kind, "_ortho" if _norm else "")] = _case

            def _case(tf, name=_name, kind=_kind, norm=_norm):
                f = getattr(tf.signal, name)
                out, feeds = [], {}
                for shape in (None, [None], [None, None], [None, 6], [2, None], [2, 6]):
                    x = tf.placeholder(tf.float32, shape)
                    feeds[x] = X[0, :6] if shape == [None] else X[:, :6]
                    y = f(x, kind, norm=norm)
                    out += [y, tf.gradients(tf.sin(y), x)]
                return Case(out, feeds=feeds, tolerance=1e-3)
            if (_kind, _norm) != (1, "ortho"):
                globals()["case_%s_%d%s_unknown" % (_name, _kind, "_ortho" if _norm else "")] = _case

    def _case(tf, name=_name):
        f = getattr(tf.signal, name)
        x, p = X[:, :6], tf.placeholder
        calls = [(x, 4), (x, 0), (x, 5), (x, "2"), (x, 2, 0), (x, 2, -1), (x, 2, None, 0), (x, 2, None, 1), (x, 2, None, -1, "x"), (x, 1, None, -1, "ortho"), (x[:, :1], 1), (x[:, :1], 2), (x.astype("f8"),), (x.astype("i4"),),
                 (x.astype("c8"),), (1.0,), ("x",), (None,), (x, 2, 3), (x, 2, 2.5), (p(tf.float32, [None, None]), 2, 4), (p(tf.float32), 2, 4), (p(tf.float32, [2, None]), 2, 4), (x, 1, 1), (x[:, :1], 1, 3), (x, 4, None, 0), (p(tf.float32, [3, 0]),),
                 (x, None), (x, 2.0), (x, 2, tf.constant(3))]
        return [raises(f, *c) for c in calls]
    globals()["case_%s_refused" % _name] = _case


def case_mel(tf):
    f = tf.signal.linear_to_mel_weight_matrix
    return Case([f(), f(5, 33, 16000, 80.0, 7600.0), f(num_mel_bins=10, dtype=tf.float64, name="named"), f(3, 9, 8000.0, 0.0, 4000.0), f(4, tf.constant(17)), f(4, 17, tf.constant(8000)), f(4, 17, tf.constant(8000.0)), f(1, 5), f(4, 17, np.float32(8000)),
                 f(2, 9, 8000, 100, 3000), f(4, 17, 8000, np.float64(20), 3800)], tolerance=1e-4)


def case_mel_fed(tf):
    n = tf.placeholder(tf.int32, [])
    return Case(tf.signal.linear_to_mel_weight_matrix(5, n), feeds={n: 17}, tolerance=1e-4)


def case_mel_float16(tf):
    return [raises(tf.signal.linear_to_mel_weight_matrix, 5, 17, dtype=tf.float16)]


def case_mel_refused(tf):
    f = tf.signal.linear_to_mel_weight_matrix
    p = tf.placeholder
    calls = [dict(num_mel_bins=0), dict(num_mel_bins=-1), dict(num_spectrogram_bins=0), dict(num_spectrogram_bins=-1), dict(sample_rate=0), dict(sample_rate=-1.0), dict(lower_edge_hertz=-1.0), dict(lower_edge_hertz=100, upper_edge_hertz=10),
             dict(lower_edge_hertz=100, upper_edge_hertz=100), dict(upper_edge_hertz=4001.0), dict(dtype=tf.int32), dict(dtype=tf.complex64), dict(num_spectrogram_bins=p(tf.float32, [])), dict(sample_rate=p(tf.float32, [])), dict(num_mel_bins=2.5),
             dict(num_spectrogram_bins=[3]), dict(num_mel_bins=tf.constant(3)), dict(lower_edge_hertz=tf.constant(3.0)), dict(sample_rate="x"), dict(num_spectrogram_bins=None), dict(num_spectrogram_bins=1), dict(num_spectrogram_bins=2.5)]
    return [raises(f, **c) for c in calls]


def case_mfcc(tf):
    f = tf.signal.mfccs_from_log_mel_spectrograms
    x = tf.placeholder(tf.float32)
    y, z = tf.placeholder(tf.float32, [None, 30]), tf.placeholder(tf.float32, [2, None])
    return Case([f(X), f(X[0], name="named"), f(X[:, :1]), f(x), f(y), f(z), tf.gradients(f(x), x), tf.gradients(f(y), y)], feeds={x: X, y: X, z: X}, tolerance=1e-3)


def case_mfcc_refused(tf):
    f = tf.signal.mfccs_from_log_mel_spectrograms
    return [raises(f, x) for x in (np.zeros((2, 0), "f4"), 1.0, X.astype("f8"), X.astype("i4"), "x", None, X.astype("c8"))]


def case_pipeline(tf):
    x = tf.placeholder(tf.float32, [None, None], name="pcm")
    stfts = tf.signal.stft(x, frame_length=16, frame_step=8, fft_length=16)
    spectrograms = tf.abs(stfts)
    matrix = tf.signal.linear_to_mel_weight_matrix(5, stfts.shape[-1].value, 8000.0, 80.0, 3900.0)
    mel = tf.tensordot(spectrograms, matrix, 1)
    mel.set_shape(spectrograms.shape[:-1].concatenate(matrix.shape[-1:]))
    return Case([tf.signal.mfccs_from_log_mel_spectrograms(tf.log(mel + 1e-6))[..., :3]], feeds={x: LONG}, tolerance=1e-3)
