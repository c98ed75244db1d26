"""Scripts of code points, and strings in other encodings."""

import numpy as np
from golden_case import Case, raises

TEXTS = [b"", b"ab", "aé€𐀀".encode("utf-8"), b"x\xffy", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80z", b"\xf4\x90\x80\x80", b"a\x00\x1fb",
         b"\xef\xbb\xbfq", b"\xd8\x00\xdc\x00", b"\x00a\x00b\x00", b"\x00\x00\x00a", b"\xff\xfea\x00"]


def case_scripts(tf):
    return [tf.strings.unicode_script(np.arange(0x3000, dtype=np.int32)),
            tf.strings.unicode_script(np.arange(0, 0x110000, 97, dtype=np.int32)),
            tf.strings.unicode_script([[945, -1], [0x110000, 2**31 - 1]], name="s"), tf.strings.unicode_script(65)]


def case_transcode(tf):
    return [tf.strings.unicode_transcode(TEXTS, i, o) for i in ("UTF-8", "UTF-16-BE", "UTF-32-BE") for o in ("UTF-8", "UTF-16-BE", "UTF-32-BE")]


def case_transcode_encodings(tf):
    return [tf.strings.unicode_transcode(TEXTS, i, "UTF-8") for i in
            ("US ASCII", "latin1", "ISO-8859-1", "ISO-8859-15", "UTF-16-LE", "UTF-32-LE", "utf8", "windows-1252", "koi8-r", "ascii")]


def case_transcode_byte_order_marks(tf):
    return [tf.strings.unicode_transcode([x], e, "UTF-8") for e in ("UTF-16", "utf-32") for x in
            (b"\xff\xfea\x00", b"\xfe\xff\x00a", b"\x00a", b"\x00\x00\xfe\xff\x00\x00\x00a", b"a\x00\x00\x00", b"")]


def case_transcode_multibyte(tf):
    return [tf.strings.unicode_transcode(["日本語 abc".encode(i)], i, "UTF-8") for i in ("shift_jis", "EUC-JP", "gb18030")]


def case_transcode_treatment(tf):
    return [tf.strings.unicode_transcode(TEXTS, "UTF-8", "UTF-8", e, r, c) for e in ("replace", "ignore") for r in (63, 0x10000, 0)
            for c in (False, True)]


def case_transcode_strict_fine(tf):
    return tf.strings.unicode_transcode(TEXTS[:3], "UTF-8", "UTF-16-BE", errors="strict", name="n")


def case_transcode_strict(tf):
    return tf.strings.unicode_transcode(TEXTS, "UTF-8", "UTF-8", errors="strict")


def case_transcode_strict_control(tf):
    return tf.strings.unicode_transcode(["a\x01"], "UTF-8", "UTF-8", errors="strict", replace_control_characters=True)


def case_transcode_unknown(tf):
    return tf.strings.unicode_transcode(["a"], "no-such-thing", "UTF-8")


def case_transcode_replacement(tf):
    return tf.strings.unicode_transcode(["a"], "UTF-8", "UTF-8", replacement_char=0x110000)


def case_transcode_shapes(tf):
    x = tf.placeholder(tf.string, [None, 2])
    return Case([tf.strings.unicode_transcode(x, "UTF-8", "UTF-8"), tf.strings.unicode_transcode("a", "UTF-8", "UTF-8"),
                 tf.strings.unicode_transcode(np.zeros((0, 2), "S1"), "UTF-8", "UTF-8")], feeds={x: [["a", "b"]]})


def case_refused(tf):
    t = tf.strings.unicode_transcode
    return [raises(t, ["a"], "UTF-8", "latin1"), raises(t, ["a"], "UTF-8", "UTF-8", errors="other"), raises(t, [1], "UTF-8", "UTF-8")]
