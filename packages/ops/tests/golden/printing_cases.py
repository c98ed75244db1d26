"""Print, print and strings.format: graphs, formats and what they write."""
import os
import sys
import tempfile

import numpy as np
from golden_case import Case, raises


def written(tf, build, feeds=(None,), init=None):
    """What running the op that `build()` makes writes to stderr, once per feed."""
    op = build()
    descriptor, stream = os.dup(2), sys.stderr
    with tempfile.TemporaryFile() as file:
        sys.stderr.flush()
        os.dup2(file.fileno(), 2)
        sys.stderr = open(os.dup(2), "w")
        try:
            with tf.Session() as session:
                if init is not None:
                    session.run(init)
                for feed in feeds:
                    session.run(op, feed)
        finally:
            sys.stderr.close()
            sys.stderr = stream
            os.dup2(descriptor, 2)
            os.close(descriptor)
        file.seek(0)
        return file.read().decode("utf-8", "replace")


def formatted(tf, template, inputs, **options):
    with tf.Session() as session:
        return session.run(tf.strings.format(template, inputs, **options)).decode("utf-8", "replace")


def case_print_graph(tf):
    x = tf.constant([1.0, 2.0])
    y = tf.Print(x, [x, x + 1.0], "values: ", first_n=1, summarize=1)
    z = tf.Print(x * 2.0, [x], name="named")
    return [y, z, tf.gradients(y * z, x)]


def case_print_refused(tf):
    x = tf.constant([1.0])
    return [raises(tf.Print, x, x), raises(tf.Print, x, []), raises(tf.Print, [1.0], [2]), raises(tf.Print, x, [x], 3), raises(tf.Print, x, None)]


def case_print_writes(tf):
    x = tf.placeholder(tf.float32, [None])
    y = tf.Print(x, [x, tf.constant(["a", "b"]), tf.constant(3), tf.constant([[1, 2], [3, 4]]), tf.constant([True])], "see: ", first_n=2)
    few = tf.Print(x, [x], summarize=2)
    return {"three": written(tf, lambda: y, [{x: [1.5]}, {x: [2.0, 3.0, 4.0, 5.0]}, {x: [9.0]}]), "few": written(tf, lambda: few, [{x: [1.0, 2.0, 3.0]}] * 2)}


def case_format_values(tf):
    c = tf.constant
    facts = {}
    for limit in (-1, 1, 2, 3, 5):
        for shape in ((), (1,), (3,), (7,), (2, 2), (7, 2), (2, 7), (0,), (2, 0), (3, 3, 3), (7, 1, 7), (0, 2), (3, 0), (2, 2, 0), (2, 0, 2)):
            facts["limit%d_%s" % (limit, shape)] = formatted(tf, "<{}>", c(np.arange(np.prod(shape)).reshape(shape).astype("int32")), summarize=limit)
    floats = [0.1, 1 / 3.0, 1e10, 1e-7, 123456.789, 1e16, 1.0, -0.0, float("nan"), float("inf"), 16777216.0]
    facts.update({kind: formatted(tf, "{}", c(floats, kind), summarize=-1) for kind in ("float32", "float64", "float16")})
    facts["complex"] = formatted(tf, "{} {}", [c([1 + 2j], "complex64"), c([0.1 - 1j / 3], "complex128")])
    facts["bool"] = formatted(tf, "{}", c([True, False]))
    facts["strings"] = formatted(tf, "{} {} {}", [c(["a", "b c"]), c("one"), c([["x"], ["y\n"]])])
    facts["int8"] = formatted(tf, "{}", c([1, -2], "int8"))
    facts["placeholder"] = formatted(tf, "a%tb%t", [c(1), c([2, 3])], placeholder="%t")
    facts["none"] = formatted(tf, "plain", [])
    facts["tuple"] = formatted(tf, "{}{}", (c(1), c(2)))
    return Case(facts, graph_only=True, graph=False)


def case_format_graph(tf):
    x = tf.constant([1.0, 2.0])
    return [tf.strings.format("x: {}", x), tf.strings.format("x: {}, {}", [x, 3], summarize=1, name="text"), tf.strings.format("#", [x], placeholder="#")]


def case_format_refused(tf):
    x = tf.constant(1)
    return [raises(tf.strings.format, "{} {}", [x]), raises(tf.strings.format, "none", x), raises(tf.strings.format, 3, x), raises(tf.strings.format, "{}", x, summarize="a")]


def case_print_v2_graph(tf):
    x, y = tf.constant([1.0, 2.0]), tf.constant(3)
    return Case([tf.print("x:", x, "y:", y), tf.print(x, output_stream="file:///tmp/ossia_print.txt", end=""), tf.print({"a": x, "b": [y, "text", 4]}, summarize=1, name="nested"), tf.print(tf.constant("scalar")), tf.print()], graph_only=True)


def case_print_v2_writes(tf):
    x, y = tf.constant([[1.0, 2.5], [3.0, 4.0]]), tf.constant(3)
    pair = __import__("collections").namedtuple("Pair", "a b")
    sparse = tf.SparseTensor([[0, 1], [2, 3]], [1.0, 2.0], [3, 4])
    build = {"plain": lambda: tf.print("x:", x, "y:", y), "end": lambda: tf.print("a", end="|"), "dict": lambda: tf.print({"a": x, "b": [y, "text", 4, None, 2.5]}), "scalar": lambda: tf.print(tf.constant("one")),
             "strings": lambda: tf.print(tf.constant(["a", "b"]), "c"), "empty": lambda: tf.print(), "tuple": lambda: tf.print((y, x)), "named": lambda: tf.print(pair(y, 2)), "none": lambda: tf.print("only", 3, [1, 2], {"k": 1}),
             "summarize": lambda: tf.print(tf.range(20)), "all": lambda: tf.print(tf.range(20), summarize=-1), "two": lambda: tf.print(tf.range(20), summarize=2), "sparse": lambda: tf.print(sparse), "array": lambda: tf.print(np.arange(3)),
             "braces": lambda: tf.print("a {} b", y), "percent": lambda: tf.print("%s %d", y), "unicode": lambda: tf.print(u"h\u00e9", y), "bytes": lambda: tf.print(b"raw", y), "nested": lambda: tf.print([[y], (y,), {}]),
             "quotes": lambda: tf.print(["a", ("b", "it's")])}
    variable = tf.Variable([1.0, 2.0], name="v")
    resource = tf.get_variable("r", initializer=4.0, use_resource=True)
    build.update({"unsorted": lambda: tf.print({"b": y, "a": 1, "c": [y]}), "long": lambda: tf.print([y] * 40), "long_text": lambda: tf.print(["word" * 5] * 10, y),
                  "sparse_in_list": lambda: tf.print([sparse, y]), "ones": lambda: tf.print(None, 2.5, True, y, (1,)), "array_in_list": lambda: tf.print([np.arange(3), y]), "placeholder9": lambda: tf.print("{} {}9", y),
                  "nested_named": lambda: tf.print([pair(y, {"k": (y, "t")})]), "long_dict": lambda: tf.print({"key%02d" % i: y for i in range(12)}), "string_tensor_in_list": lambda: tf.print([tf.constant("s"), tf.constant(["t"])]),
                  "newline": lambda: tf.print("a\nb", ["a\nb"], y)})
    facts = {name: written(tf, function) for name, function in build.items()}
    for name, function in (("variable", lambda: tf.print(variable)), ("resource", lambda: tf.print("v:", resource)), ("variables", lambda: tf.print([variable, resource]))):
        op = function()
        initializer = tf.global_variables_initializer()
        facts[name] = written(tf, lambda op=op: op, init=initializer)
    return facts


def case_print_v2_streams(tf):
    path = os.path.join(tempfile.mkdtemp(), "out.txt")
    written(tf, lambda: tf.print("one", tf.constant(1), output_stream="file://" + path), [None, None])
    with open(path) as file:
        text = file.read()
    import logging
    return {"file": text, "log": bool(written(tf, lambda: tf.print("one", output_stream=tf.logging.info))), "bad": raises(tf.print, "x", output_stream="nowhere"), "keyword": raises(tf.print, "x", oops=1), "kind": raises(tf.print, "x", output_stream=3),
            "stdlib": raises(tf.print, "x", output_stream=logging.info)}


def case_print_v2_control(tf):
    x = tf.placeholder(tf.float32, [])
    with tf.control_dependencies([tf.print("x is", x)]):
        y = tf.identity(x)
    return Case(y, feeds={x: 2.0})


def case_print_in_loop(tf):
    def body(i):
        return tf.Print(i, [i], "i: ") + 1
    return tf.while_loop(lambda i: i < 3, body, [0])


def case_separators(tf):
    x = tf.constant([1, 2])
    return Case([tf.print("x:", x, 3, sep="|"), tf.print(x, x, sep=""), tf.print("a", sep="{}")], graph_only=True)
