"""Random calls of checks and assertions, and of what Python says of tensors and structures."""

from __future__ import annotations

from draw import (
    FLOATS,
    NUMBERS,
    PLAIN,
    axis_of,
    broadcastable,
    call,
    chance,
    code,
    family,
    fed,
    maybe,
    method,
    shape,
    tensor,
)

COMPARED = """assert_equal assert_none_equal assert_less assert_less_equal assert_greater assert_greater_equal
assert_near""".split()
SIGNS = "assert_negative assert_positive assert_non_negative assert_non_positive assert_integer assert_scalar".split()

STRUCTURES = ["[1, (2, 3)]", "(1,)", "{'b': 1, 'a': [2]}", "5", "'text'", "[]", "np.ones(2)", "None", "range(2)",
              "[tf.constant(1), {'k': (2,)}]", "[1, [2, 3]]"]  # fmt: skip


@family("asserts")
def _():
    dtype_ = chance.choice(NUMBERS)
    s = shape(0, 3)
    mode = chance.choice(["benign", "ties", "positive", "special"])
    extra = {**maybe(0.3, message="what"), **maybe(0.3, summarize=3), **maybe(0.2, name="check")}
    prefix = chance.choice(["", "debugging."])
    kind = chance.randint(0, 9)
    if kind <= 2:
        x = tensor(dtype_, s, mode)
        y = x if chance.random() < 0.3 else tensor(dtype_, broadcastable(s), mode)
        name = chance.choice(COMPARED)
        if name == "assert_near":
            extra.update(maybe(0.3, rtol=0.5))
            extra.update(maybe(0.3, atol=0.1))
        return call(prefix + name, x, y, g=0, **extra)
    if kind <= 4:
        name = chance.choice(SIGNS)
        if name in ("assert_integer", "assert_scalar"):
            extra.pop("summarize", 0)
            if name == "assert_scalar":
                extra.pop("message", 0)
                return call(prefix + name, tensor(dtype_, s, mode), g=0, **extra)
        return call(prefix + name, tensor(dtype_, s, mode), g=0, **extra)
    if kind == 5:
        rank = chance.choice([len(s), len(s), 1, fed(len(s), "int32"), -1])
        return call(
            prefix + chance.choice(["assert_rank", "assert_rank_at_least"]), tensor(dtype_, s), rank, g=0, **extra
        )
    if kind == 6:
        return call(
            prefix + "assert_rank_in",
            tensor(dtype_, s),
            chance.choice([[len(s), 1], {"tuple": [0, 2]}, [3]]),
            g=0,
            **extra,
        )
    if kind == 7:
        return call(
            prefix + "assert_type", tensor(dtype_, s), {"dtype": chance.choice([dtype_, "float32"])}, g=0,
            **maybe(0.3, message="what"),
        )  # fmt: skip
    if kind == 8:
        return call(
            "debugging.assert_shapes",
            {"expr": "{}"}
            if chance.random() < 0.1
            else [{"tuple": [tensor(dtype_, s), {"tuple": [chance.choice([n, "N", None]) for n in s]}]}],
            g=0,
            **extra,
        )
    return call(
        chance.choice(["debugging.check_numerics", "verify_tensor_all_finite", "debugging.assert_all_finite"]),
        tensor(chance.choice(FLOATS), s, mode),
        "bad",
    )


@family("asked")
def _():
    dtype_, s = chance.choice(PLAIN), shape(0, 3)
    x = tensor(dtype_, s)
    kind = chance.randint(0, 10)
    if kind == 0:
        return call(chance.choice(["debugging.is_numeric_tensor", "is_tensor", "get_static_value"]), x)
    if kind == 1:
        return call("ensure_shape", x, chance.choice([s, [None, *s[1:]], {"shape": None}, shape(0, 3)]))
    if kind == 2:
        return call(
            "assert_same_float_dtype", [x, tensor(dtype_, [])], **maybe(0.5, dtype=lambda: {"dtype": dtype_}), g=0
        )
    if kind == 3:
        a, b = shape(0, 3), shape(0, 3)
        if chance.random() < 0.5:
            b = broadcastable(a)
        if chance.random() < 0.5:
            return call("broadcast_static_shape", {"shape": a}, {"shape": chance.choice([b, None, [None, *b[1:]]])})
        return call("broadcast_dynamic_shape", fed(a, "int32"), fed(b, chance.choice(["int32", "int32", "int64"])))
    if kind == 4:
        return method(
            chance.choice(
                ["merge_with", "concatenate", "is_compatible_with", "assert_same_rank", "assert_is_compatible_with",
                 "most_specific_compatible_shape", "__eq__", "__ne__"]
            ),
            {"shape": chance.choice([s, None, [None, *s[1:]]])},
            chance.choice(
                [{"shape": s}, {"shape": shape(0, 3)}, s, {"shape": None}, {"shape": [None, *s[1:]]}, {"tuple": s}]
            ),
            g=0,
        )  # fmt: skip
    if kind == 5:
        return method(
            chance.choice(["with_rank", "with_rank_at_least", "with_rank_at_most", "assert_has_rank", "__getitem__"]),
            {"shape": chance.choice([s, None, [None, *s[1:]]])},
            chance.choice([len(s), 0, 1, -1, code("slice(1, None)"), 2.0]),
            g=0,
        )
    if kind == 6:
        return method(
            chance.choice(
                "__add__ __sub__ __mul__ __floordiv__ __mod__ __lt__ __ge__ merge_with __radd__ __eq__".split()
            ),
            code(f"tf.Dimension({chance.choice([None, 0, 3, 7])})"),
            chance.choice([2, 0, None, code("tf.Dimension(3)"), code("tf.Dimension(None)"), 2.0, -1]),
            g=0,
        )
    if kind == 7:
        return call(
            "make_tensor_proto" if chance.random() < 0.3 else "make_ndarray",
            *(
                [{"call": {"call": "make_tensor_proto", "args": [{"np": x["t"]["a"]}], "kwargs": maybe(0.3, shape=s)}}]
                if dtype_ != "bfloat16"
                else [code("tf.make_tensor_proto([1.5], tf.bfloat16)")]
            ),
            g=0,
        )
    if kind == 8:
        a, b = (code(chance.choice(STRUCTURES)) for _ in range(2))
        name = chance.choice(["flatten", "is_nested", "assert_same_structure", "map_structure", "pack_sequence_as"])
        if name in ("flatten", "is_nested"):
            return call("nest." + name, a, g=0)
        if name == "assert_same_structure":
            return call("nest." + name, a, b, **maybe(0.4, check_types=False), g=0)
        if name == "map_structure":
            return call("nest." + name, code("lambda *x: x"), a, *([b] if chance.random() < 0.5 else []), g=0)
        return call("nest." + name, a, chance.choice([[1, 2, 3], [1], []]), g=0)
    if kind == 9:
        return method(
            chance.choice("is_compatible_with __eq__ __ne__".split()),
            {"dtype": chance.choice(PLAIN)},
            chance.choice([{"dtype": dtype_}, dtype_, code("np.float32"), "nothing", None, 1]),
            g=0,
        )
    return call(
        "strided_slice" if s else "rank",
        x,
        *(
            [[axis_of(n, 1) for n in s], [axis_of(n, 1) for n in s], [chance.choice([1, 1, 2, -1]) for _ in s]]
            if s
            else []
        ),
        **(
            {
                **maybe(0.2, begin_mask=lambda: chance.randint(0, 3)),
                **maybe(0.2, end_mask=lambda: chance.randint(0, 3)),
                **maybe(0.2, ellipsis_mask=lambda: chance.choice([0, 1, 2])),
                **maybe(0.2, new_axis_mask=lambda: chance.randint(0, 3)),
                **maybe(0.2, shrink_axis_mask=lambda: chance.randint(0, 3)),
            }
            if s
            else {}
        ),
    )
