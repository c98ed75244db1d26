"""Regular expressions: matches of whole strings, and replacements."""

from golden_case import Case, raises

TEXTS = ["", "a", "ab", "aab", "abcabc", "A1-x", "x\ny", "\n", "a+a", "--", "zwölf 12", "αβ a", "É é", "KKks", "_"]
RAW = [b"a\xffb", b"\xff\xfe", b"\xe2\x82", b"\x00a", "€𐀀".encode("utf-8")]
PATTERNS = [
    "", "a", "a*", "a+?b*", "(a|b)*c?", "(?:ab|a)(?:c|bcd)?", ".", ".*", "(?s).*", "[a-c]+", "[^a-c]+", r"\w+", r"\W*",
    r"\d", r"\D+", r"[\d\s]", r"\s?", r"^a$", r"\Aab\z", r"a\b.*", r".*\B.*", "(?m)^x$\n^y$", "(?i)kK+S", "(?i:É) é",
    r"\pL+", r"\p{Greek}+ .", r"\P{L}*", r"\p{^Lu}", r"[[:alpha:]]*", "[[:^alpha:]]", r"a{2}b", "a{1,2}b", "a{0}", "a{,2}",
    "(?:a{2,}|x)?b", r"\Qa+\Ea", r"\x41\x{31}-x", r"\12", r"\055+", "[]a]", "[a-]*", "[-a]*", r"\_", "()", "a||b", "(|a)+",
    "(?P<name>a)b", "(?U)a+b", "(?-s).*", r"\C*", "(?i)[^K]+", "{", "x{", "}", "]", r"\.\*", r"[\n]", "ö|[à-ü]", "[^é]*"]
BAD = ["(", ")", "a)", "[", "[a", "*", "+a", "a**", "a+*", "a{2}{3}", "a{2,1}", "a{1001}", "(a{500}){3}", "\\", r"\8", r"\1",
       "(?=a)", "(?!a)", "(?<n>a)", "(?P<n>a)(?P<n>b)", "(?P<1", "(?P=n)", r"\pX", r"\p{Foo}", "[b-a]", "[a-\\d]", "(?z)", "(?i",
       r"\Z", r"\x{110000}", r"\x4", r"\é", "(?-)", r"\pL{1000}", "|*"]
REWRITES = ["", "-", r"<\0>", r"[\1]", r"\2\1", r"\\", "q\\x", "end\\", r"\11", "é"]
REPLACED = ["a", "", "b*", "(a)(b)?", "(a)|(b)", "^", "$", r"\b", "(?m)^", ".", "[^a]", r"\C", "(?:a|ab)(c)?", "(|a)*", "(a*)+",
            "(a*?)*", r"(\w)(\w)", "x*", r"\d+", "(?i)[k]", "ö", "^a", "a$", "(?:)"]


def case_full_match(tf):
    return [tf.strings.regex_full_match(TEXTS, p) for p in PATTERNS]


def case_full_match_raw(tf):
    return [tf.strings.regex_full_match(RAW, p) for p in (".", ".*", r"\C*", "[^a]*", "(?s).{3}", "..", r"\x00a", "\0a")]


def case_full_match_tensor(tf):
    return [tf.strings.regex_full_match(TEXTS, tf.constant(p)) for p in PATTERNS[:9]]


def case_full_match_names(tf):
    x = tf.constant([["a", "b"]])
    return [tf.strings.regex_full_match(x, "a", name="m"), tf.strings.regex_full_match(x, tf.constant("a"), "n"),
            tf.strings.regex_full_match("a", b"a"), tf.strings.regex_full_match([b"a"], ".")]


def case_invalid_patterns(tf):
    p = tf.placeholder(tf.string)
    facts = []
    with tf.Session() as session:
        for f in (tf.strings.regex_full_match(["a"], p), tf.strings.regex_replace(["a"], p, "b")):
            for pattern in BAD:
                try:
                    session.run(f, {p: pattern})
                    facts.append("valid")
                except Exception:  # The message of some confuses the original's session.
                    facts.append("invalid")
    return facts


def case_invalid_static(tf):
    return tf.strings.regex_full_match(["a"], "a(")


def case_invalid_static_replace(tf):
    return tf.strings.regex_replace(["a"], "a**", "b")


def case_invalid_fed(tf):
    p = tf.placeholder(tf.string)
    return Case([tf.strings.regex_full_match(["a"], p)], feeds={p: "(a"})


def case_invalid_fed_replace(tf):
    p = tf.placeholder(tf.string)
    return Case([tf.strings.regex_replace(["a"], p, "x")], feeds={p: "(a"})


def case_replace(tf):
    return [tf.strings.regex_replace(TEXTS, p, r"<\0>") for p in REPLACED + PATTERNS]


def case_replace_first(tf):
    return [tf.strings.regex_replace(TEXTS, p, r"<\0>", replace_global=False) for p in REPLACED]


def case_rewrites(tf):
    return [tf.regex_replace(TEXTS, p, w, g) for p in ("a", "(a)(b)?", "b*") for w in REWRITES for g in (True, False)]


def case_replace_raw(tf):
    return [tf.strings.regex_replace(RAW, p, "-") for p in REPLACED]


def case_replace_tensors(tf):
    return [tf.strings.regex_replace(TEXTS, tf.constant("a"), "b"), tf.strings.regex_replace(TEXTS, "a", tf.constant("b")),
            tf.strings.regex_replace(TEXTS, tf.constant("a"), tf.constant("b"), False, name="n"),
            tf.strings.regex_replace("aba", "a", "b", name="s")]


def case_shapes(tf):
    x, p = tf.placeholder(tf.string, [None, 2]), tf.placeholder(tf.string)
    return Case([tf.strings.regex_replace(x, "a", "b"), tf.strings.regex_replace(x, p, p), tf.strings.regex_full_match(x, p),
                 tf.strings.regex_full_match(p, "a")], feeds={x: [["a", "b"]], p: "a"})


def case_pattern_vector_fed(tf):
    p = tf.placeholder(tf.string)
    return Case([tf.strings.regex_full_match(["a"], p)], feeds={p: ["a"]})


def case_rewrite_vector_fed(tf):
    p = tf.placeholder(tf.string)
    return Case([tf.strings.regex_replace(["a"], "a", p)], feeds={p: ["a"]})


def case_refused(tf):
    return [raises(tf.strings.regex_full_match, ["a"], ["b"]), raises(tf.strings.regex_replace, ["a"], ["b"], "c"),
            raises(tf.strings.regex_replace, ["a"], "b", ["c"]), raises(tf.strings.regex_replace, [1], "b", "c"),
            raises(tf.strings.regex_full_match, [1], "b"), raises(tf.strings.regex_full_match, ["a"], 3),
            raises(tf.strings.regex_replace, ["a"], None, "c"), raises(tf.strings.regex_full_match, ["a"], None)]
