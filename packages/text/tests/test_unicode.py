"""Scripts of code points, and strings in other encodings, as the original does it."""

from ossia_testkit.golden import golden_tests
from ossia_text.unicode_text import Treatment, codec_of, decoded

test_unicode = golden_tests(__file__, "unicode_cases.py")


def test_much_that_is_malformed():
    # One error handler for a whole text: the time is linear.
    codes, starts = decoded(b"\xff\x80" * 100_000, codec_of(b"UTF-8"), Treatment(b"replace", 63))
    assert len(codes) == 200_000
    assert starts[-1] == 199_999
