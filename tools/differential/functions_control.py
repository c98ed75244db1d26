"""Random calls of functions that take functions: branches, loops, maps, gradients, what runs Python."""

from __future__ import annotations

from draw import FLOATS, NUMBERS, PLAIN, call, chance, code, family, fed, made, maybe, method, shape, tensor, variable

ONE = ["tf.square", "tf.abs", "lambda x: x", "tf.shape", "lambda x: tf.reduce_sum(x)", "lambda x: x * 2", "tf.exp",
       "lambda x: tf.cast(x, tf.int32)", "lambda x: tf.ones([2])", "lambda x: None", "lambda x: 1.0"]  # fmt: skip
TWO = [
    "tf.add",
    "tf.maximum",
    "lambda a, x: a * x",
    "lambda a, x: a",
    "lambda a, x: x",
    "lambda a, x: a + tf.reduce_sum(x)",
]
OPTIONS = dict(parallel_iterations=1, back_prop=False, swap_memory=True)


@family("maps")
def _():
    dtype_, s = chance.choice(NUMBERS if chance.random() < 0.3 else FLOATS), shape(1, 3)
    elements = tensor(dtype_, s, "benign")
    extra = {key: value for key, value in OPTIONS.items() if chance.random() < 0.15}
    kind = chance.randint(0, 2)
    if kind == 0:
        body = chance.choice(ONE)
        if chance.random() < 0.2:
            elements, body = {"tuple": [elements, elements]}, "lambda p: (p[1], p[0] + p[0])"
        return call(
            "map_fn",
            code(body),
            elements,
            **maybe(0.3, dtype=lambda: {"dtype": chance.choice([dtype_, "int32", "float32"])}),
            **maybe(0.1, infer_shape=False),
            **extra,
        )
    initial = maybe(0.5, initializer=lambda: chance.choice([tensor(dtype_, s[1:]), tensor(dtype_, []), 0.0, 1]))
    if kind == 1:
        return call("scan", code(chance.choice(TWO)), elements, **initial, **maybe(0.3, reverse=True), **extra)
    return call(chance.choice(["foldl", "foldr"]), code(chance.choice(TWO)), elements, **initial, **extra)


@family("branches")
def _():
    dtype_, s = chance.choice(PLAIN), shape(0, 2)
    x, y = tensor(dtype_, s), tensor(dtype_, s if chance.random() < 0.8 else shape(0, 2))
    test = chance.choice(
        [fed(chance.random() < 0.5, "bool"), True, {"py": False}, fed([True], "bool"), fed(1, "int32"), 1]
    )
    pick = code("lambda: tf.constant(1.0)"), code("lambda: tf.constant(2.0)")
    kind = chance.randint(0, 6)
    if kind == 0:
        other = chance.choice(
            [pick[1], code("lambda: tf.constant([2.0])"), code("lambda: 2"), code("lambda: None"), None]
        )
        return call("cond", test, pick[0], other, **maybe(0.2, strict=True), **maybe(0.2, name="c"))
    if kind == 1:
        pairs = [{"tuple": [fed(chance.random() < 0.5, "bool"), one]} for one in pick]
        return call(
            "case",
            pairs if chance.random() < 0.9 else [],
            **maybe(0.6, default=code("lambda: tf.constant(3.0)")),
            **maybe(0.3, exclusive=True),
            **maybe(0.2, strict=True),
        )
    if kind == 2:
        return call(
            "switch_case",
            fed(chance.choice([0, 1, 2, -1]), "int32"),
            chance.choice([list(pick), {"expr": "{0: lambda: tf.constant(1.0), 1: lambda: tf.constant(2.0)}"}]),
            **maybe(0.4, default=code("lambda: tf.constant(3.0)")),
        )
    if kind == 3:
        body = chance.choice(
            [
                "lambda i, x: (i + 1, x * x)",
                "lambda i, x: [i + 1, tf.concat([x, x], 0)]",
                "lambda i, x: i",
                "lambda i, x: (i + 1, tf.reduce_sum(x))",
                "lambda i, x: (i + 1, tf.cast(x, tf.int32))",
            ]
        )
        return call(
            "while_loop",
            code(f"lambda i, x: i < {chance.choice([0, 2, 3])}"),
            code(body),
            [0, tensor(chance.choice(FLOATS), s, "benign")],
            **maybe(0.2, maximum_iterations=1),
            **maybe(0.15, return_same_structure=True),
            **maybe(0.15, parallel_iterations=1),
            **maybe(0.15, back_prop=False),
            **maybe(0.15, shape_invariants=lambda: [{"shape": []}, {"shape": chance.choice([None, [None] * len(s)])}]),
        )
    if kind == 4:
        return call(chance.choice(["tuple", "group", "identity_n"]), [x, y], **maybe(0.2, name="t"), g=0)
    if kind == 5:
        return call(
            "where" if chance.random() < 0.5 else "where_v2",
            tensor("bool", chance.choice([s, s[:1], []])),
            *([x, y] if chance.random() < 0.85 else []),
        )
    return call("TensorArray", {"dtype": chance.choice(PLAIN)}, chance.choice([0, 2, fed(2, "int32")]), g=0)


@family("slopes")
def _():
    dtype_, s = chance.choice(FLOATS), shape(0, 2)
    x = tensor(dtype_, s, "benign")
    kind = chance.randint(0, 5)
    y = made(chance.choice(["square", "exp", "reduce_sum", "sin", "floor", "identity", "shape"]), x)
    if kind == 0:
        return call(
            "gradients",
            chance.choice([y, [y], [y, y]]),
            chance.choice([x, [x], []]),
            **maybe(0.3, grad_ys=lambda: chance.choice([tensor(dtype_, s), None, 1.0])),
            **maybe(0.2, unconnected_gradients=lambda: chance.choice(["zero", "none", "bad"])),
            **maybe(0.2, gate_gradients=True),
            **maybe(0.2, aggregation_method=lambda: chance.choice([0, 1, 2, 7])),
            g=0,
        )
    if kind == 1:
        return call("hessians", y, variable(dtype_, shape(0, 1), "benign"), g=0)
    if kind == 2:
        name = chance.choice(["grad_pass_through", "recompute_grad", "custom_gradient"])
        body = "lambda x: (x * 2, lambda dy: dy * 3)" if name == "custom_gradient" else "tf.round"
        return method("__call__", made(name, code(body)), x, g=1)
    if kind == 3:
        name = chance.choice(["py_func", "numpy_function", "py_function"])
        body = chance.choice(["np.sin", "lambda x: x + 1", "np.shape", "lambda x: None", "lambda x: 'text'", "np.sum"])
        kinds = {"dtype": chance.choice([dtype_, dtype_, "float64", "int64", "string"])}
        return call(name, code(body), [x], chance.choice([kinds, [kinds]]), g=0)
    if kind == 4:
        return call(
            chance.choice(["Print", "print"]),
            x,
            *([[x]] if chance.random() < 0.5 else []),
            **maybe(0.3, summarize=2),
            g=0,
        )
    return call(
        chance.choice(["no_op", "timestamp", "get_default_graph", "trainable_variables", "initialize_all_tables"])
        if chance.random() < 0.3
        else "convert_to_tensor_or_sparse_tensor",
        *([x] if chance.random() < 0.7 else []),
        g=0,
    )
