"""AudioSpectrogram and Mfcc."""
import numpy as np
from golden_case import Case, raises

X = np.sin(np.arange(120.0).reshape(60, 2) ** 2 / 200).astype("f4")
P = np.abs(np.sin(np.arange(2 * 3 * 65.0)).reshape(2, 3, 65)).astype("f4") * 9


def case_spectrogram(tf):
    f = tf.raw_ops.AudioSpectrogram
    return Case([f(input=X[:, :1], window_size=w, stride=s, magnitude_squared=m) for w, s in ((8, 4), (2, 1), (3, 2), (7, 5), (60, 1), (61, 1), (16, 16), (33, 5), (5, 3)) for m in (False, True)]
                + [f(input=np.zeros((0, 2), "f4"), window_size=8, stride=4), f(input=np.zeros((20, 0), "f4"), window_size=8, stride=4)], tolerance=1e-4)


def case_spectrogram_shapes(tf):
    f = tf.raw_ops.AudioSpectrogram
    xs = [tf.placeholder(tf.float32, s) for s in ([100, 2], [None, 2], [100, None], [None, None], None, [5, 1], [8, 1], [0, 1])]
    return Case([f(input=x, window_size=w, stride=s) for x in xs for w, s in ((8, 4), (9, 1), (1, 1), (0, 2))], graph_only=True)


def case_spectrogram_refused(tf):
    f, p = tf.raw_ops.AudioSpectrogram, tf.placeholder
    return [raises(f, input=x, window_size=8, stride=4) for x in ([1.0], 1.0, X.astype("f8"), p(tf.float64), p(tf.float32, [None]), p(tf.float32, [1, 2, 3]), "x", None)] + [raises(f, input=X, window_size=8), raises(f, input=X, window_size="x", stride=1)]


for _name, _value, _window, _stride in (("vector", np.ones(9), 8, 4), ("cube", np.ones((2, 8, 1)), 8, 4), ("window", X, 1, 1), ("no_window", X, 0, 1), ("stride", X, 8, 0), ("negative_stride", X, 8, -2)):
    def _case(tf, value=_value, window=_window, stride=_stride):
        x = tf.placeholder(tf.float32)
        return Case(tf.raw_ops.AudioSpectrogram(input=x, window_size=window, stride=stride), feeds={x: value})
    globals()["case_spectrogram_run_%s" % _name] = _case


def case_mfcc(tf):
    f = tf.raw_ops.Mfcc
    options = [dict(), dict(upper_frequency_limit=3000.0), dict(lower_frequency_limit=0.0), dict(lower_frequency_limit=100.5, upper_frequency_limit=3999.5), dict(filterbank_channel_count=20), dict(dct_coefficient_count=40),
               dict(filterbank_channel_count=1, dct_coefficient_count=1), dict(filterbank_channel_count=5, dct_coefficient_count=3), dict(upper_frequency_limit=8000.0), dict(lower_frequency_limit=3900.0), dict(filterbank_channel_count=200)]
    return Case([f(spectrogram=P, sample_rate=rate, **o) for o in options for rate in (8000, 16000, 44100, 100)], tolerance=2e-4)


def case_mfcc_special(tf):
    f = tf.raw_ops.Mfcc
    values = [np.zeros((1, 1, 65)), np.ones((1, 2, 2)), np.zeros((0, 2, 65)), np.zeros((2, 0, 65)), np.full((1, 1, 65), 1e30), np.full((1, 1, 9), 1e-30)]
    return Case([f(spectrogram=v.astype("f4"), sample_rate=8000) for v in values], tolerance=2e-4)


def case_mfcc_shapes(tf):
    f, p = tf.raw_ops.Mfcc, tf.placeholder
    return Case([f(spectrogram=p(tf.float32, s), sample_rate=r, dct_coefficient_count=n) for s in ([2, 5, 129], [None, 5, 129], None, [None] * 3) for r in (1, p(tf.int32)) for n in (13, 0, -1, 1)], graph_only=True)


def case_mfcc_refused(tf):
    f, p = tf.raw_ops.Mfcc, tf.placeholder
    return [raises(f, spectrogram=x, sample_rate=r) for x, r in ((P[0], 1), (P, [1]), (P, 1.5), (p(tf.float64), 1), (p(tf.float32, [None]), 1), (P, None), (P, p(tf.int64)))]


RUNS = {"no_rate": (P, 0, {}), "negative_rate": (P, -1, {}), "rates": (P, [8000], {}), "matrix": (P[0], 8000, {}), "one_bin": (P[..., :1], 8000, {}), "no_bins": (P[..., :0], 8000, {}), "upper": (P, 8000, dict(upper_frequency_limit=10.0)),
        "equal": (P, 8000, dict(upper_frequency_limit=20.0)), "lower": (P, 8000, dict(lower_frequency_limit=-1.0)), "coefficients": (P, 8000, dict(dct_coefficient_count=41))}
for _name, _run in sorted(RUNS.items()):
    def _case(tf, run=_run):
        x, rate = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
        return Case(tf.raw_ops.Mfcc(spectrogram=x, sample_rate=rate, **run[2]), feeds={x: run[0], rate: run[1]})
    globals()["case_mfcc_run_%s" % _name] = _case


def case_pipeline(tf):
    x = tf.placeholder(tf.float32, [None, 1])
    spectrogram = tf.raw_ops.AudioSpectrogram(input=x, window_size=16, stride=8, magnitude_squared=True)
    return Case(tf.raw_ops.Mfcc(spectrogram=spectrogram, sample_rate=8000, dct_coefficient_count=5), feeds={x: X[:, :1]}, tolerance=2e-4)


def case_no_gradient(tf):
    x = tf.placeholder(tf.float32, [None, 1])
    y = tf.raw_ops.AudioSpectrogram(input=x, window_size=16, stride=8)
    return [raises(tf.gradients, y, x), raises(tf.gradients, tf.raw_ops.Mfcc(spectrogram=y, sample_rate=8000), x)]
