"""Regular expressions, as the original matches them, in linear time."""
import pytest

import ossia as tf
from ossia_testkit.golden import golden_tests
from ossia_text.regex_machine import Machine
from ossia_text.regex_parser import PatternError

test_regex = golden_tests(__file__, "regex_cases.py")


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*)(.*)(.*)b", "(?:a?){60}a{60}b", "(x+x+)+y"])
def test_linear(pattern):
    # Backtracking takes longer than the age of the universe over these.
    machine = Machine(pattern.encode())
    text = b"a" * 2000 + b"x" * 200
    assert not machine.full_match(text)
    assert machine.search(text) is None


@pytest.mark.parametrize(
    ("pattern", "simple"),
    [("a(l|m)", True), ("[^a-z ]+", True), ("(a|ab)(c|bcd)", True), (r"x\pL+", True), ("a+b", False), (r"\bx", False),
     ("(a|b)" * 7, False), ("a{2,3}c", False)],
)  # fmt: skip
def test_simple_patterns_match_as_the_machine_does(pattern, simple):
    machine, slow = Machine(pattern.encode()), Machine(pattern.encode())
    assert (machine._simple is not None) == simple
    slow._simple = slow._quick = None
    for text in ("", "alamo", "abcd ABCD", "xélan xx", "aab", "12\n34", "abcabcd" * 3, "aaaaaaa"):
        for raw in (text.encode(), text.encode() + b"\xff\xc3", b"\xe2\x82" + text.encode()):
            for start in range(min(len(raw), 4)):
                assert machine.search(raw, start) == slow.search(raw, start), (raw, start)
            assert machine.full_match(raw) == slow.full_match(raw), raw
            assert machine.replace(raw, rb"<\1\0>\\\9", True) == slow.replace(raw, rb"<\1\0>\\\9", True)
            assert machine.replace(raw, rb"<\1\?", False) == slow.replace(raw, rb"<\1\?", False) == raw


_PATTERNS = [
    r"(\w+) (\w+)", "<[^>]*>", r"\b(a|ab)(c|bcd)?\b", "(a*)*", "(a|b)*?c", "(a*?)(b?)(a*)", "(?m)^a*$", r"\B", "",
    "a|ab|", "(a+)(a+)", "x*", "(?:a?){3}a{3}", r"\s+$", "^the|b$", "(?i)(AB)+|\u00e9", "[^a]*a", r"\C\C", ".*?a",
    "(|a)+", "(?s).*b", "^a", "(^|b)a*", r"\Aa|\Ab", "a(.*b)?", r"(?m)$|\n",
]


@pytest.mark.parametrize("pattern", _PATTERNS)
def test_matches_of_a_text_are_those_of_the_single_searches(pattern):
    machine = Machine(pattern.encode())
    pieces = [b"a", b"b", b"c", b"ab", b"aaa", b" ", b"\n", b"<", b">", "\u00e9".encode(), b"\xc3", b"the", b"d"]
    for i in range(150):
        text = b"".join(pieces[(i * i + i * j * j + 5 * j) % (len(pieces) - i % 7)] for j in range(i % 23))
        search = machine._search_of(text)
        for at in range(len(text) + 1):
            assert search(at) == machine.search(text, at), (text, at)
        assert machine.full_match(text) == (Machine(b"^(?:%s)$" % pattern.encode()).search(text) is not None) or (
            b"\n" in text and "?m" in pattern), text


def test_places_of_a_large_text():
    machine = Machine(rb"(\w+)=(\d+)\b")
    text = b"name=12 other=x9 " * 20_000
    assert machine.replace(text, rb"\2:\1", True) == b"12:name other=x9 " * 20_000
    assert machine._searcher._kept <= 200_000


def test_kept_sets_are_bounded():
    machine = Machine(b"[ab](a|b){14}a(a|b)*c")
    text = bytes(b"ab"[(i * i) % 7 % 2] for i in range(3000)) + b"c"
    assert machine._search_of(text)(0) == machine.search(text)
    assert machine._searcher._kept <= 200_000


def test_table_is_bounded():
    machine = Machine(b"(a|b)*a(a|b){14}")
    assert machine.full_match(bytes(b"ab"[(i * i) % 7 % 2] for i in range(20_000)) + b"a" + b"b" * 14)
    assert len(machine._table) < 3000


@pytest.mark.parametrize(
    "pattern", [b"\xff", b"(" * 5000, b"(" * 2000 + b")" * 2000, rb"(\pL{100}){10}", b"a{1000}{2}"])
def test_refused(pattern):
    with pytest.raises(PatternError):
        Machine(pattern)


def test_deep():
    assert Machine(b"(" * 900 + b"a*" + b")*" * 900).full_match(b"aaa")
    assert Machine(b"(?:b|" * 900 + b"a" + b")" * 900).full_match(b"a")


def test_error_in_a_run():
    with tf.Graph().as_default(), tf.Session() as session:
        match = tf.strings.regex_full_match(["a"], "a(", name="match")
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"Invalid pattern: a\(, error: missing \)"):
            session.run(match)


@pytest.mark.parametrize("rewrite, expected", [
    (rb"<\1%\2>", b"<a%>x<%b>"), (rb"\\\0%d", rb"\a%dx\b%d"),
    (rb"\\n%", rb"\n%x\n%"), (rb"\3%%", b"%%x%%"), (b"", b"x")])
def test_rewrites_of_simple_patterns(rewrite, expected):
    machine = Machine(b"(a)|(b)")
    assert machine.replace(b"axb", rewrite, True) == expected
    assert Machine(b"^?(a)|(b)").replace(b"axb", rewrite, True) == expected


@pytest.mark.parametrize("pattern", [*_PATTERNS, ".*beta.*[0-9]+", "(alpha|beta)*", r"\pL+", "(x+x+)+y", "[^a-z]*"])
def test_many_texts_are_read_together_as_one_by_one(pattern):
    words = ["alpha", "beta", "", "12", " ", "zwölf", "\n", "x", "c"]
    texts = [
        (words[k % 9] + words[k // 9 % 9] + words[k // 81 % 9]).encode() + b"\xff" * (k % 31 == 0) for k in range(700)
    ]
    machine, alone = Machine(pattern.encode()), Machine(pattern.encode())
    machine._quick = alone._quick = None
    assert machine.full_matches(texts).tolist() == [alone.full_match(text) for text in texts]


def test_too_many_sets_of_states_to_keep(monkeypatch):
    monkeypatch.setattr("ossia_text.regex_machine._MOST_KEPT", 3)
    texts = [b"a" * (k % 9) + b"b" * (k % 2) for k in range(400)]
    assert Machine(b"(a{3}|a{2}b|a{5}b?)*").full_matches(texts).tolist() == [
        Machine(b"(a{3}|a{2}b|a{5}b?)*").full_match(text) for text in texts
    ]
