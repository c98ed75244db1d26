"""WAV files read and written."""
import struct

import numpy as np
from golden_case import Case, raises


def wav(code=1, channels=2, rate=8000, bits=16, format_size=16, per_second=None, per_frame=None, data=None, size=None, extra=b"", before=b"", after=b"", marks=(b"RIFF", b"WAVE", b"fmt ")):
    per_frame = channels * bits // 8 if per_frame is None else per_frame
    per_second = rate * per_frame & 0xFFFFFFFF if per_second is None else per_second
    data = np.arange(-4, 4, dtype="<i2").tobytes() if data is None else data
    head = struct.pack("<HHIIHH", code, channels, rate, per_second, per_frame, bits) + extra
    return b"".join([marks[0], struct.pack("<I", 36 + len(data)), marks[1], marks[2], struct.pack("<I", format_size), head, before, b"data", struct.pack("<I", len(data) if size is None else size), data, after])


def chunk(size, data):
    return b"LIST" + struct.pack("<I", size) + data


GOOD = {
    "plain": wav(), "long_format": wav(format_size=18, extra=b"\0\0"), "mono": wav(channels=1), "four": wav(channels=4), "chunk_before": wav(before=chunk(4, b"abcd")), "odd_chunk": wav(before=chunk(3, b"abc")),
    "chunk_after": wav(after=chunk(4, b"abcd")), "cut_chunk_after": wav(after=chunk(40, b"abcd")), "no_samples": wav(data=b""), "no_rate": wav(rate=0), "high_rate": wav(rate=3000000000),
    "extremes": wav(channels=1, data=np.array([-32768, 32767, 0, 1, -1], "<i2").tobytes()), "empty_chunk": wav(before=chunk(0, b"")),
}
BAD = {
    "format_size": wav(format_size=40, extra=b"\0" * 24), "encoding": wav(code=3), "bits_8": wav(bits=8), "bits_24": wav(bits=24), "bits_0": wav(bits=0), "per_second": wav(per_second=1), "per_frame": wav(per_frame=3), "two": wav(after=b"data\4\0\0\0abcd"),
    "short": wav()[:-1], "short_frame": wav()[:-4], "no_data": wav()[:36], "header": wav()[:20], "empty": b"", "riff": wav(marks=(b"RIFX", b"WAVE", b"fmt ")), "wave": wav(marks=(b"RIFF", b"WAVX", b"fmt ")),
    "format": wav(marks=(b"RIFF", b"WAVE", b"junk")), "large": wav(size=2 ** 31), "too_large": wav(size=2 ** 31 - 2), "largest": wav(size=2 ** 32 - 1), "no_channels": wav(channels=0), "odd_size": wav(size=15),
    "tail": wav(after=b"L"), "tail_size": wav(after=b"LISTa"), "half_frame": wav(data=b"\1\0\2\0\3\0"), "large_chunk": wav(before=b"LIST" + struct.pack("<I", 2 ** 31 + 5)), "chunk_to_end": wav(before=chunk(2 ** 31 - 5, b"abcd")), "text": b"hello, world" * 9,
}

for _name, _data in sorted(GOOD.items()):
    def _case(tf, data=_data):
        contents = tf.placeholder(tf.string)
        return Case([tf.audio.decode_wav(contents), tf.audio.decode_wav(contents, 1, 3), tf.audio.decode_wav(contents, desired_channels=3), tf.audio.decode_wav(contents, desired_samples=6, name="named")], feeds={contents: data}, tolerance=0)
    globals()["case_read_%s" % _name] = _case

for _name, _data in sorted(BAD.items()):
    def _case(tf, data=_data):
        contents = tf.placeholder(tf.string)
        return Case(tf.audio.decode_wav(contents), feeds={contents: data})
    globals()["case_refuses_%s" % _name] = _case


def case_sizes(tf):
    out = []
    for channels in (-1, 0, 1, 2, 5):
        for samples in (-1, 0, 1, 4, 9):
            out.append(tf.audio.decode_wav(wav(), channels, samples))
    return Case(out, tolerance=0)


def case_read_refused(tf):
    d = tf.audio.decode_wav
    return [raises(d, *c) for c in (([b"a"],), (wav(), -2), (wav(), -1, -2), (1,), (None,), (wav(), 1.5), (wav(), "x"), (tf.placeholder(tf.string, [None]),), (tf.placeholder(tf.int32),))]


def case_contents_of_rank_1(tf):
    contents = tf.placeholder(tf.string)
    return Case(tf.audio.decode_wav(contents), feeds={contents: [wav()]})


AUDIO = {"plain": ([[0., 1.], [-1., .5]], 8000), "clipped": ([[2.], [-2.], [np.nan], [np.inf], [-np.inf]], 44100), "halves": (np.arange(-9, 9).reshape(-1, 1) / 65536.0, 16000), "many": (np.zeros((3, 5)), 2 ** 31 - 1), "one": ([[0.25]], 1)}
for _name, _value in sorted(AUDIO.items()):
    def _case(tf, value=_value):
        x, rate = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
        y = tf.audio.encode_wav(x, rate, name="named")
        return Case([y, tf.audio.decode_wav(y)], feeds={x: value[0], rate: value[1]}, tolerance=0)
    globals()["case_write_%s" % _name] = _case

REFUSED = {"no_frames": (np.zeros((0, 2)), 8000), "no_channels": (np.zeros((2, 0)), 8000), "vector": ([1.], 8000), "no_rate": ([[1.]], 0), "negative_rate": ([[1.]], -1), "rates": ([[1.]], [8000]), "many_channels": (np.zeros((1, 65536)), 1)}
for _name, _value in sorted(REFUSED.items()):
    def _case(tf, value=_value):
        x, rate = tf.placeholder(tf.float32), tf.placeholder(tf.int32)
        return Case(tf.audio.encode_wav(x, rate), feeds={x: value[0], rate: value[1]})
    globals()["case_does_not_write_%s" % _name] = _case


def case_write_refused(tf):
    e, p = tf.audio.encode_wav, tf.placeholder
    return [raises(e, *c) for c in (([1.], 1), ([[1.]], [1]), ([[1]], 1), ([[1.]], 1.5), (None, 1), ([[1.]], None), (p(tf.float64, [1, 1]), 1), (p(tf.float32, [None]), 1), (p(tf.float32), p(tf.int64)))]


def case_no_gradient(tf):
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.audio.decode_wav(tf.audio.encode_wav(x, 8000))[0]
    return [raises(tf.gradients, y, x)]
