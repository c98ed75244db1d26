"""Strings split into ragged rows, and n-grams."""

import numpy as np
from golden_case import Case, raises


def parts(x):
    """A tensor, or what a ragged one consists of."""
    return [x.flat_values, list(x.nested_row_splits), str(x.shape)] if hasattr(x, "flat_values") else x


def ragged(tf):
    return tf.ragged.constant([["a b", ""], [], ["c  d e"]])


def case_bytes_split(tf):
    return [parts(tf.strings.bytes_split(x, **k)) for x, k in
            ((["ab", "", "é"], {}), ("abc", {}), ([["ab"], ["c"]], {"name": "n"}), (ragged(tf), {}), ([[["ab"]]], {}))]


def case_split_v2(tf):
    f, x = tf.compat.v2.strings.split, tf.placeholder(tf.string)
    return Case([parts(y) for y in (f(["a b", "", "c"]), f([["a b"]]), f(ragged(tf)), f(["a,b,,c"], ","), f(["a,b,c"], ",", 1),
                                    f(["a b"], name="n"), f(x), f([[["a b"]]], ""))], feeds={x: ["a b", "c"]})


def case_split_v1_ragged(tf):
    f = tf.strings.split
    return [parts(f(x, result_type="RaggedTensor", **k)) for x, k in
            ((["a b", "", "c"], {}), ("a b", {}), ([["a b"]], {}), (ragged(tf), {"sep": " "}), (["a,b,c"], {"sep": ",", "maxsplit": 1, "name": "n"}))]


def case_split_v1_sparse(tf):
    f, x = tf.strings.split, tf.placeholder(tf.string)
    return Case([f(["a b", "", "c"]), f([["a b"]]), f(ragged(tf)), f(source=["a,b,c"], sep=",", maxsplit=1), f(x), f([], name="e")],
                feeds={x: ["a b"]})


def case_split_many(tf):
    texts = ["", " ", "a", " a", "a ", "  a  b  ", "a\tb\nc\rd\x0be\x0cf", "a,b,,c,", ",a,", ",,", "aXXbXXXc", "é ü"]
    return [tf.strings.split(texts, sep=s, maxsplit=m) for s in (None, "", " ", ",", "XX", "é") for m in (-1, 0, 1, 2)]


def case_string_split(tf):
    f = tf.string_split
    return [parts(y) for y in (f(["a b"], result_type="RaggedTensor"), f(["a b", "", "c d e"]), f(["a,b;c"], ",;"), f(["abc", ""], ""),
                               f(["a  b"], skip_empty=False), f(["a  b"], " ", False, result_type="RaggedTensor", name="n"),
                               f(["a|b"], delimiter="|"))]


def case_split_refused(tf):
    x = tf.placeholder(tf.string)
    return [raises(tf.strings.bytes_split, x), raises(tf.strings.split, ["a"], result_type="other"), raises(tf.string_split, "a"),
            raises(tf.string_split, [["a"]]), raises(tf.string_split, ["a"], sep=" ", delimiter=","), raises(tf.strings.split, input=["a"], source=["b"]),
            raises(tf.strings.split), raises(tf.string_split, ["a"], result_type="x"), raises(tf.strings.split, [1]), raises(tf.string_split, ["a"], ["b"])]


def case_ngrams(tf):
    f = tf.strings.ngrams
    r = tf.ragged.constant([["a", "b", "c"], ["d"], ["e", "f"]])
    return [parts(f(r, **k)) for k in
            ({"ngram_width": 1}, {"ngram_width": 2}, {"ngram_width": 3}, {"ngram_width": [1, 2]}, {"ngram_width": (3, 1), "separator": "|"},
             {"ngram_width": 2, "pad_values": "x"}, {"ngram_width": 3, "pad_values": ("<", ">")}, {"ngram_width": 3, "pad_values": ("<", ">"), "padding_width": 1},
             {"ngram_width": 5, "pad_values": "x", "padding_width": 1}, {"ngram_width": 3, "preserve_short_sequences": True},
             {"ngram_width": [2, 3], "preserve_short_sequences": True}, {"ngram_width": 9, "pad_values": "x", "padding_width": 2, "preserve_short_sequences": True},
             {"ngram_width": 5, "pad_values": "", "padding_width": 9}, {"ngram_width": 2, "separator": "", "name": "n"}, {"ngram_width": []})]


def case_ngrams_dense(tf):
    f = tf.strings.ngrams
    return [f(["a", "b", "c"], 2), f(["a", "b"], 2, name="z"), f([["a", "b", "c"], ["d", "e", "f"]], (1, 2), pad_values="x"), f([[["a", "b"]]], 2, pad_values=("x", "y"),
            padding_width=1, preserve_short_sequences=True, separator="|", name="q"), parts(f(tf.ragged.constant([[["a", "b"]], []]), 2))]


def case_ngrams_refused(tf):
    f = tf.strings.ngrams
    return [raises(f, "a", 2), raises(f, tf.placeholder(tf.string), 2), raises(f, ["a"], 2, pad_values=3), raises(f, ["a"], 2, pad_values=("a", 3)),
            raises(f, ["a"], 2, padding_width=1), raises(f, ["a"], 2, pad_values="a", padding_width=0), raises(f, [1], 2), raises(f, ["a"], "b"),
            raises(f, ["a"], 2, pad_values=[1, 2])]


def case_ngrams_zero(tf):
    return tf.strings.ngrams(["a"], 0)


def case_ngrams_negative(tf):
    return tf.strings.ngrams(["a"], [1, -1])


def case_ngrams_raw(tf):
    return list(tf.raw_ops.StringNGrams(data=["a", "b"], data_splits=tf.constant([0, 2], tf.int32), separator=" ", ngram_widths=[1, 2], left_pad="<",
                                        right_pad=">", pad_width=-1, preserve_short_sequences=False))


def case_ngrams_empty_rows(tf):
    r = tf.ragged.constant([[], ["d"], []])
    return [parts(tf.strings.ngrams(r, w, preserve_short_sequences=p)) for w in (1, 2, [1, 2]) for p in (True, False)]


def case_widths_of_other_types(tf):
    words, f = ["a", "b", "c"], tf.strings.ngrams
    return [f(words, width) for width in (np.int64(2), 2.0, tf.Dimension(2), [np.int32(1), 3])] + [
        raises(f, words, width) for width in (None, "2", range(1, 3), 0, -1)]
