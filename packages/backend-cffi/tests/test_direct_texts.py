"""Strings in C: as on NumPy, whatever they hold, and wrong ones refused in the same words."""
from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

import ossia as tf
from ossia_backend_cffi.kernels import strings as makers  # noqa: F401 - registers them
from ossia_backend_cffi.kernels.registry import MAKERS
from ossia_backend_cffi.loader import native
from ossia_testkit import watching

pytestmark = pytest.mark.skipif(native() is None, reason="built without a compiler")
SIZES = (1, 8, 40)
raw = tf.raw_ops


def strings(texts):
    return np.array([*texts, b""], object)[:-1]


def outcome(backend, make, arrays):
    with watching.chosen(backend), tf.Graph().as_default(), tf.Session() as session:
        kinds = [tf.string if array.dtype == object else array.dtype for array in arrays]
        feeds = [tf.placeholder(kind, array.shape) for kind, array in zip(kinds, arrays, strict=True)]
        try:
            return session.run(make(*feeds), dict(zip(feeds, arrays, strict=True)))
        except tf.errors.OpError as error:
            return f"{type(error).__name__}: {error.message}"


def agree(make, *arrays):
    """What both backends give."""
    expected, got = (outcome(backend, make, arrays) for backend in ("numpy", "cffi"))
    if isinstance(expected, str) or isinstance(got, str):
        assert got == expected
        return expected
    pairs = zip(expected, got, strict=True) if isinstance(expected, (list, tuple)) else [(expected, got)]
    for left, right in pairs:
        assert np.asarray(right).dtype == np.asarray(left).dtype
        np.testing.assert_array_equal(right, left)
    return got


@pytest.fixture(params=range(4))
def draw(request):
    return random.Random(request.param)


@pytest.fixture
def only_native(monkeypatch):
    """Nothing is handed on to the kernel on NumPy."""

    def refused(*arguments):
        raise AssertionError("handed on")

    for name, maker in list(MAKERS.items()):
        monkeypatch.setitem(MAKERS, name, lambda native, node, reference, session, maker=maker: maker(
            native, node, refused, session
        ))


def texts(draw, size, longest=12, of=range(256)):
    return strings([bytes(draw.choice(of) for _ in range(draw.randrange(longest))) for _ in range(size)])


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("longest", [3, 12, 300])
def test_functions_of_each_string(draw, size, longest):
    x = texts(draw, size, longest)
    for make in (
        lambda x: tf.string_to_hash_bucket_fast(x, 1000), lambda x: tf.string_to_hash_bucket_strong(x, 1000, [1, -2]),
        lambda x: tf.string_to_hash_bucket(x, 77), tf.fingerprint, tf.strings.length, tf.encode_base64,
        lambda x: tf.decode_base64(tf.encode_base64(x)), lambda x: tf.encode_base64(x, pad=True),
        lambda x: tf.strings.join([x, "|", x], "--"), lambda x: tf.strings.join([tf.reshape(x, [-1, 1])] * 2),
    ):  # fmt: skip
        agree(make, x)
    agree(tf.decode_base64, texts(draw, size, longest, b"ABab01-_=+"))


@pytest.mark.parametrize("size", SIZES)
def test_parts(draw, size):
    x = texts(draw, size, 6)
    for kind in ("i4", "i8"):
        start, count = (np.array([draw.randint(low, 5) for _ in range(size)], kind) for low in (-4, -1))
        agree(tf.substr, x, start, count)
        agree(tf.substr, x, *np.array([[0, np.iinfo(kind).max]], kind).T[:, 0])
        agree(tf.substr, x, *np.array([[0, -1]], kind).T[:, 0])
        agree(tf.substr, x, *np.array([[-1, 1]], kind).T[:, 0])


FORMS = (
    "{}", " {} ", "-{}", "+{}.125", "{}.", ".{}", "{}.5e3", "{}E-5", "0.0000{}7", "{}12345678901234567890", "{}e400",
    "{}e-330", "{}e22", "-0.{}e-22", "0{}", "{}e", "{}x", "0x{}", "{}\0", "{} 1", "\t{}",
)  # fmt: skip


@pytest.mark.parametrize("kind", [tf.float32, tf.float64, tf.int32, tf.int64])
def test_numbers(draw, kind):
    def number(form):
        return form.format(draw.randrange(10 ** draw.randrange(1, 10))).encode()

    whole = kind.is_integer
    for form in FORMS:
        agree(lambda x: tf.string_to_number(x, kind), strings(number(form) for _ in range(12)))
    for _ in range(40):
        written = [number(draw.choice(("{}", " -{}", "00{} ") if whole else FORMS[:15])) for _ in range(12)]
        agree(lambda x: tf.string_to_number(x, kind), strings(written))
    agree(lambda x: tf.string_to_number(x, kind), texts(draw, 9, 5, b"12.e-+ "))


def test_numbers_are_the_nearest(only_native):
    draw = np.random.RandomState(0)
    for form in ("%.17g", "%.9e", "%.3f", "%.20f"):
        values = draw.randn(500) * 10.0 ** draw.randint(-30, 30, 500)
        written = [form % value for value in values]
        got = agree_natively(lambda x: tf.string_to_number(x, tf.float64), strings(text.encode() for text in written))
        assert got.tolist() == [float(text) for text in written]


def agree_natively(make, *arrays):
    got = outcome("cffi", make, arrays)
    assert not isinstance(got, str), got
    return got


@pytest.mark.parametrize("size", [0, 4, 8, 16])
def test_raw_bytes(draw, size):
    x = strings(bytes(draw.randrange(256) for _ in range(size)) for _ in range(10))
    for kind in (tf.float32, tf.int32, tf.uint8, tf.bool, tf.int64, tf.complex64, tf.float16):
        for little in (True, False):
            agree(lambda x, kind=kind, little=little: tf.decode_raw(x, kind, little), x)
    x[7] += b"\0"
    assert "same size" in agree(lambda x: tf.decode_raw(x, tf.uint8), x)


@pytest.mark.parametrize("axes", [[0], [-1], [1, 0], [2, 1], [0, 1, 2], [-1, 0], [0, 0], [3], [-4], []])
@pytest.mark.parametrize("keep", [True, False])
def test_joined_along(draw, axes, keep):
    x = texts(draw, 24).reshape(2, 3, 4)
    agree(lambda x, axes: tf.reduce_join(x, axes, separator="|", keep_dims=keep), x, np.array(axes, np.int32))


def test_nothing_to_join():
    for shape in ((0, 9), (9, 0)):
        for axis in (0, 1):
            agree(lambda x, axis=axis: tf.reduce_join(x, axis), np.empty(shape, object))


@pytest.mark.parametrize("size", SIZES)
def test_segments(draw, size):
    for least in (0, -1):
        ids = np.array([draw.randint(least, 3) for _ in range(size)])
        for count in (3, 4, 6):
            agree(lambda x, ids, count=count: raw.UnsortedSegmentJoin(
                inputs=x, segment_ids=ids, num_segments=count, separator="::"), texts(draw, size, 3), ids)


@pytest.mark.parametrize("widths", [[1], [2], [4], [2, 1], []])
@pytest.mark.parametrize("padding", [-1, 0, 1])
@pytest.mark.parametrize("short", [True, False])
def test_n_grams(draw, widths, padding, short):
    for size in SIZES:
        for last in (size, size - 1):
            ends = sorted(draw.randint(0, size - 1) for _ in range(4))
            splits = np.array([0, *ends, last], draw.choice(["i4", "i8"]))
            agree(lambda x, splits: raw.StringNGrams(
                data=x, data_splits=splits, separator=" ", ngram_widths=widths, left_pad="<<", right_pad=">",
                pad_width=padding, preserve_short_sequences=short), texts(draw, size, 4), splits)


def test_no_row_is_as_long_as_a_wide_gram():
    got = agree(lambda x, splits: raw.StringNGrams(
        data=x, data_splits=splits, separator=" ", ngram_widths=[2**31 - 1], left_pad="", right_pad="", pad_width=0,
        preserve_short_sequences=False), strings([b"a"] * 20), np.array([0, 20], np.int32))  # fmt: skip
    assert got.ngrams_splits.tolist() == [0, 0]


NUMBERS, REALS = ["0", "12", "-7", "", "NA", " 3 "], ["1.5", "", "-2e3", "NA", ".25", "7"]
WORDS = ["ab", "", "NA", '"a,b"', '"x""y"', '""', '"a\nb"', '"""q"""', '"NA"']
WRONG = ['a"b', '"a"b', "c\nd", '"open', "a,b", '"""']


@pytest.mark.parametrize("selected", [None, [0, 2], [1], [1, 2]])
@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("wrong", [0.0, 0.03])
def test_records(draw, selected, quotes, wrong):
    def make(x, required):
        values = [[], [], []] if required else [[7], [0.5], ["d"]]
        defaults = [tf.constant(*each) for each in zip(values, (tf.int32, tf.float32, tf.string), strict=True)]
        chosen = defaults if selected is None else [defaults[k] for k in selected]
        return tf.decode_csv(x, chosen, use_quote_delim=quotes, na_value="NA", select_cols=selected)

    def word():
        return draw.choice(WRONG) if draw.random() < wrong else draw.choice(WORDS if quotes else WORDS[:3])

    for size in SIZES:
        x = strings(",".join([draw.choice(NUMBERS), draw.choice(REALS), word()]).encode() for _ in range(size))
        agree(lambda x: make(x, False), x)
        agree(lambda x: make(x, True), x)


def test_records_of_all_forms_are_read_in_c(only_native):
    x = strings(f'{k},{k}.5,"a""{k}"'.encode() for k in range(20))
    numbers, reals, words = agree_natively(lambda x: tf.decode_csv(x, [[0], [0.0], [""]]), x)
    assert numbers.tolist() == list(range(20)) and reals.tolist() == [k + 0.5 for k in range(20)]
    assert words.tolist() == [b'a"%d' % k for k in range(20)]


def test_an_array_of_other_objects_is_handed_on():
    from ossia_backend_cffi.kernels.byte_strings import Refused, Texts

    with pytest.raises(Refused):
        Texts(native(), np.array([b"a"] * 20 + ["text"], object))
    with pytest.raises(Refused):
        Texts(native(), np.array([b"a"] * 20 + [None], object))


def test_floats_are_rounded_once(draw):
    """Texts of few digits next to numbers halfway between two floats: the nearest double is that number."""
    found = []
    for _ in range(40):
        bits = np.array([draw.randrange(0x20000000, 0x5F000000)] * 2, np.uint32) + np.array([0, 1], np.uint32)
        lower, upper = map(float, bits.view(np.float32))
        nearest = f"{(lower + upper) / 2:.17e}"
        found += [f"{nearest[:19]}{end}{nearest[19:]}" for end in ("", "01", "99")]
    found += ["16777217", "-16777219", "16777217.0000000001"]
    read = agree(tf.strings.to_number, strings([text.encode() for text in found]))
    for text, number in zip(found, read, strict=True):
        around = [float(np.nextafter(number, np.float32(side))) for side in (-np.inf, np.inf)]
        off = abs(Fraction(text) - Fraction(float(number)))
        assert all(off <= abs(Fraction(text) - Fraction(other)) for other in around)


def test_characters(draw):
    """Of any length, whole and broken."""
    letters = ["a", "é", "ß", "日", "\U0001f600", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U0010ffff", "\0"]
    whole = ["".join(draw.choices(letters, k=draw.randrange(30))).encode() for _ in range(60)]
    broken = [b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80", b"\xff", b"\xf0\x8f\xbf\xbf"]
    for wrong in ([], *([text] for text in broken), [b"a\xc3"]):
        agree(lambda x: tf.strings.length(x, unit="UTF8_CHAR"), strings([*whole, *wrong, b"end"]))
