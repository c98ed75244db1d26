"""Strings to code points and back."""

from golden_case import Case, raises

TEXTS = [b"", b"ab", "aé€𐀀".encode("utf-8"), b"x\xffy", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80z", b"\xf4\x90\x80\x80", b"a\x00\x1fb",
         b"\xef\xbb\xbfq", b"\xd8\x00\xdc\x00", b"\x00a\x00b\x00", b"\x00\x00\x00a", b"\xff\xfea\x00"]
CODES = [97, 0xE9, 0x20AC, 0x10000, 0x10FFFF, 0, 0xFFFD]
BAD = [97, -1, 0xD800, 0xDFFF, 0x110000, 0xFDD0, 0xFFFE, 0x1FFFF, 2**31 - 1, 98]


def parts(x):
    """A tensor, or what a ragged one consists of."""
    return [x.flat_values, list(x.nested_row_splits), str(x.shape)] if hasattr(x, "flat_values") else x


def case_refused(tf):
    return [raises(tf.strings.unicode_decode, tf.placeholder(tf.string), "UTF-8"), raises(tf.strings.unicode_encode, 3, "UTF-8"),
            raises(tf.strings.unicode_encode, tf.placeholder(tf.int32), "UTF-8"), raises(tf.strings.unicode_encode, [1], "latin1"),
            raises(tf.strings.unicode_split, ["a"], "latin1"), raises(tf.strings.unicode_decode, [1], "UTF-8")]


def case_decode(tf):
    return [parts(tf.strings.unicode_decode(TEXTS, e)) for e in ("UTF-8", "UTF-16-BE", "UTF-32-BE", "latin1")]


def case_decode_treatment(tf):
    return [parts(tf.strings.unicode_decode(TEXTS, "UTF-8", e, r, c)) for e, r, c in
            (("replace", 63, False), ("ignore", 63, False), ("replace", 65, True), ("ignore", 65, True))]


def case_decode_ranks(tf):
    x = tf.placeholder(tf.string, [None, None])
    return Case([tf.strings.unicode_decode("aé", "UTF-8", name="n"), parts(tf.strings.unicode_decode([["a", "bc"]], "UTF-8")),
                 parts(tf.strings.unicode_decode(tf.ragged.constant([["a"], [], ["bcd", ""]]), "UTF-8")),
                 parts(tf.strings.unicode_decode(x, "UTF-8")), parts(tf.strings.unicode_decode([[["a"], ["b"]]], "UTF-8"))], feeds={x: [["q", "rs"]]})


def case_decode_strict(tf):
    return parts(tf.strings.unicode_decode(TEXTS, "UTF-8", "strict"))


def case_decode_offsets(tf):
    return [[parts(y) for y in tf.strings.unicode_decode_with_offsets(x, e)] for x, e in
            ((TEXTS, "UTF-8"), (TEXTS, "UTF-16-BE"), ("aé", "UTF-8"), ([["a", "é€"]], "UTF-8"), (tf.ragged.constant([["a"], []]), "UTF-8"))]


def case_split(tf):
    return [parts(tf.strings.unicode_split(x, e, r)) for x, e, r in
            ((TEXTS, "UTF-8", "replace"), (TEXTS, "UTF-16-BE", "ignore"), ("aé", "UTF-8", "replace"), ([["a", "é€"]], "UTF-8", "replace"),
             (tf.ragged.constant([["ab"], []]), "UTF-8", "replace"), (["ab"], "UTF-32-BE", "replace"))]


def case_split_offsets(tf):
    return [[parts(y) for y in tf.strings.unicode_split_with_offsets(x, "UTF-8", name=n)] for x, n in
            ((TEXTS, None), ("aé", "s"), ([["a", "é€"]], None))]


def case_encode(tf):
    return [tf.strings.unicode_encode(c, e) for c in (CODES, [0xD800, 97, 0xDC00, 0xD83D, 0xDE00]) for e in ("UTF-8", "UTF-16-BE", "UTF-32-BE")]


def case_encode_bad(tf):
    return [tf.strings.unicode_encode(BAD, "UTF-8", e, r) for e, r in (("replace", 0xFFFD), ("replace", 63), ("ignore", 63))]


def case_encode_strict(tf):
    return tf.strings.unicode_encode(BAD, "UTF-8", "strict")


def case_encode_strict_fine(tf):
    return tf.strings.unicode_encode(CODES, "UTF-8", "strict", name="n")


def case_encode_ranks(tf):
    c, x = tf.ragged.constant, tf.placeholder(tf.int32, [None, None])
    return Case([parts(y) for y in (
        tf.strings.unicode_encode([[97, 98], [99, 100]], "UTF-8"), tf.strings.unicode_encode([[[97, 98]]], "UTF-8"),
        tf.strings.unicode_encode(c([[97, 98], [], [99]]), "UTF-8"), tf.strings.unicode_encode(c([[[97, 98], [99]], []]), "UTF-8"),
        tf.strings.unicode_encode(c([[[97, 98], [99, 100]]], ragged_rank=1), "UTF-8"), tf.strings.unicode_encode(x, "UTF-16-BE"))],
        feeds={x: [[97], [98]]})


def case_encode_replacement(tf):
    return tf.strings.unicode_encode([97], "UTF-8", replacement_char=0x110000)


def case_raw_decode(tf):
    return list(tf.raw_ops.UnicodeDecode(input=[["a", "b"], ["c", "d"]], input_encoding="UTF-8", Tsplits=tf.int32))
