"""Random calls of arithmetic, element by element and along axes."""

from __future__ import annotations

from draw import (
    FLOATS,
    INDEX,
    INTEGERS,
    MODES,
    NUMBERS,
    PLAIN,
    SMOOTH,
    axes_of,
    axis_of,
    broadcastable,
    call,
    chance,
    constant,
    family,
    fed,
    maybe,
    shape,
    tensor,
)

UNARY = """abs acos acosh asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e ceil conj cos cosh
digamma erf erfc exp expm1 floor lgamma log log1p log_sigmoid negative reciprocal real imag angle
rint round rsqrt sigmoid sign sin sinh softplus sqrt square tan tanh is_finite is_inf is_nan
is_non_decreasing is_strictly_increasing""".split()
UNARY_MORE = """nn.relu nn.relu6 nn.elu nn.selu nn.crelu nn.softplus nn.softsign nn.swish nn.leaky_relu nn.sigmoid
nn.tanh nn.log_softmax nn.softmax nn.l2_loss nn.zero_fraction logical_not bitwise.invert to_float
to_int32 to_double to_int64 to_bfloat16 to_complex64 zeros_like ones_like identity stop_gradient
shape size rank debugging.is_strictly_increasing nn.log_softmax linalg.adjoint linalg.trace
linalg.diag linalg.diag_part linalg.tensor_diag linalg.tensor_diag_part linalg.transpose
guarantee_const transpose squeeze where unique unique_with_counts sort argsort""".split()
BINARY = """add subtract multiply divide floordiv floormod mod truncatemod truncatediv divide_no_nan maximum
minimum squared_difference pow atan2 xdivy xlogy equal not_equal less less_equal greater
greater_equal igamma igammac zeta polygamma logical_and logical_or logical_xor""".split()
BINARY_MORE = """div realdiv bitwise.bitwise_and bitwise.bitwise_or bitwise.bitwise_xor bitwise.left_shift
bitwise.right_shift scalar_mul complex""".split()


@family("unary")
def _():
    f = chance.choice(["math." + u for u in UNARY] + UNARY_MORE)
    return call(f, tensor(chance.choice(PLAIN), shape()))


@family("binary")
def _():
    f = chance.choice(["math." + u for u in BINARY] + BINARY_MORE)
    dtype_ = chance.choice(
        ["bool"] * 3 + PLAIN if "logical" in f else INTEGERS + ["uint32", "uint64"] if "bitwise" in f else PLAIN
    )
    s = shape()
    a, b = (s, broadcastable(s))
    if chance.random() < 0.5:
        a, b = (b, a)
    m = chance.choice(MODES)
    x, y = (tensor(dtype_, a, m), tensor(dtype_, b, m))
    if chance.random() < 0.1 and dtype_ in NUMBERS:
        y = {"py": chance.choice([0, 1, 2, -1, 0.5, 2.0])}
    if chance.random() < 0.05:
        y = tensor(chance.choice(PLAIN), b, m)
    return call(f, x, y)


@family("operator")
def _():
    op = chance.choice(
        """__add__ __sub__ __mul__ __truediv__ __div__ __floordiv__ __mod__ __pow__ __rpow__ __radd__
__rsub__ __rmul__ __rtruediv__ __rfloordiv__ __rmod__ __and__ __or__ __xor__ __lt__ __le__
__gt__ __ge__ __matmul__""".split()
    )
    s = shape()
    dtype_ = chance.choice(PLAIN)
    m = chance.choice(MODES)
    y = (
        tensor(dtype_, broadcastable(s) if op != "__matmul__" else s, m)
        if chance.random() < 0.6
        else {"py": chance.choice([0, 1, 2, -1, 0.5, 2.0, True, [1, 2], [[1.0]], 10000000000.0, 300, -1.5])}
    )
    return call("Tensor." + op, tensor(dtype_, s, m), y)


@family("reduce")
def _():
    f = chance.choice(
        """reduce_sum reduce_mean reduce_prod reduce_max reduce_min reduce_all reduce_any
reduce_logsumexp math.reduce_std math.reduce_variance math.reduce_euclidean_norm
count_nonzero""".split()
    )
    s = shape(0, 5)
    dtype_ = chance.choice(["bool", "bool", "int32"] if "all" in f or "any" in f else NUMBERS)
    ax = axes_of(len(s))
    kw = {}
    if ax is not None or chance.random() < 0.3:
        kw[
            chance.choice(["axis"] * 6 + ["reduction_indices"])
            if "std" not in f and "variance" not in f and ("eucl" not in f)
            else "axis"
        ] = (
            ax
            if chance.random() < 0.8 or ax is None
            else constant(ax, "int32")
            if chance.random() < 0.5
            else fed(ax, "int32" if chance.random() < 0.5 else "int64")
        )
    if chance.random() < 0.4:
        kw["keepdims" if chance.random() < 0.9 or "std" in f or "var" in f or ("eucl" in f) else "keep_dims"] = (
            chance.choice([True, False])
        )
    return call(f, tensor(dtype_, s), **kw)


@family("arg")
def _():
    s = shape(1, 4)
    kind = chance.random()
    if kind < 0.4:
        return call(
            chance.choice(["argmax", "argmin", "math.argmax"]),
            tensor(chance.choice(NUMBERS + ["bool"]), s),
            **maybe(0.8, axis=lambda: axis_of(len(s), chance.random() < 0.05)),
            **maybe(0.3, output_type=lambda: {"dtype": chance.choice(INDEX)}),
        )
    if kind < 0.7:
        return call(
            chance.choice(["cumsum", "cumprod"]),
            tensor(chance.choice(NUMBERS), s),
            **maybe(0.8, axis=lambda: axis_of(len(s), chance.random() < 0.05)),
            **maybe(0.5, exclusive=lambda: chance.random() < 0.5),
            **maybe(0.5, reverse=lambda: chance.random() < 0.5),
        )
    if kind < 0.85:
        return call(
            chance.choice(["nn.top_k", "math.top_k"]),
            tensor(chance.choice(FLOATS + INTEGERS), s, chance.choice(["ties", "benign", "pos", "special"])),
            **maybe(0.8, k=lambda: chance.choice([0, 1, 1, 2, 3, max(s[-1], 0)])),
            **maybe(0.3, sorted=lambda: chance.random() < 0.5),
        )
    return call(
        chance.choice(["sort", "argsort"]),
        tensor(chance.choice(FLOATS + INTEGERS), s, chance.choice(["ties", "benign", "pos"])),
        **maybe(0.6, axis=lambda: axis_of(len(s))),
        **maybe(0.5, direction=lambda: chance.choice(["ASCENDING", "DESCENDING", "bad"])),
    )


@family("segment")
def _():
    s = [chance.choice([1, 2, 4, 5])] + shape(0, 2)
    n = s[0]
    f = chance.choice(["sum", "prod", "max", "min", "mean"])
    kind = chance.random()
    dtype_ = chance.choice(NUMBERS)
    if kind < 0.35:
        ids = sorted(chance.randint(0, 4) for _ in range(n))
        if chance.random() < 0.08:
            ids[-1] = chance.choice([-1, 0])
        return call("math.segment_" + f, tensor(dtype_, s), fed(ids, chance.choice(INDEX)))
    if kind < 0.75:
        f = chance.choice([f, "sqrt_n"])
        ids = [chance.randint(-1, 3) for _ in range(n)]
        if chance.random() < 0.05:
            ids[0] = 9
        if chance.random() < 0.2 and len(s) > 1 and s[1]:
            ids = [[chance.randint(-1, 3) for _ in range(s[1])] for _ in range(n)]
        return call(
            "math.unsorted_segment_" + f,
            tensor(dtype_, s),
            fed(ids, chance.choice(INDEX)),
            chance.choice([4, 4, 5, constant(4, chance.choice(INDEX)), fed(4, "int32")]),
        )
    f = chance.choice(["sum", "mean", "sqrt_n"])
    m = chance.randint(1, 5)
    ids = sorted(chance.randint(0, 3) for _ in range(m))
    kw = {}
    if chance.random() < 0.4:
        kw["num_segments"] = chance.choice([4, 5, constant(5, "int32")])
    return call(
        "sparse.segment_" + f,
        tensor(dtype_, s),
        fed([chance.randint(0, n - 1 + (chance.random() < 0.05)) for _ in range(m)], chance.choice(INDEX)),
        fed(ids, "int32"),
        **kw,
    )


@family("clip")
def _():
    kind = chance.randint(0, 7)
    dtype_ = chance.choice(FLOATS + INTEGERS)
    s = shape()
    if kind == 0:
        return call(
            "clip_by_value",
            tensor(dtype_, s),
            chance.choice([0, tensor(dtype_, broadcastable(s)), -1]),
            chance.choice([1, tensor(dtype_, broadcastable(s)), 2]),
        )
    dtype_ = chance.choice(SMOOTH)
    if kind == 1:
        return call(
            "clip_by_norm",
            tensor(dtype_, s),
            chance.choice([1.0, 0.0, 0.5, fed(2.0, dtype_)]),
            **maybe(0.4, axes=lambda: axes_of(len(s))),
        )
    if kind == 2:
        return call("clip_by_average_norm", tensor(dtype_, s), chance.choice([1.0, 0.5]))
    if kind == 3:
        return call(
            chance.choice(["clip_by_global_norm"]),
            [tensor(dtype_, shape()) for _ in range(chance.randint(1, 3))] + [None] * (chance.random() < 0.3),
            chance.choice([1.0, 0.5]),
        )
    if kind == 4:
        return call(
            "global_norm",
            [tensor(dtype_, shape()) for _ in range(chance.randint(1, 3))] + [None] * (chance.random() < 0.3),
        )
    if kind == 5:
        return call(
            chance.choice(["add_n", "accumulate_n"]),
            [tensor(chance.choice([dtype_] * 20 + PLAIN), s) for _ in range(chance.randint(1, 4))],
        )
    if kind == 6:
        return call(
            chance.choice(["norm", "linalg.norm"]),
            tensor(dtype_, shape(1, 3)),
            **maybe(0.6, ord=lambda: chance.choice(["euclidean", "fro", 1, 2, {"expr": "np.inf"}, 3.5])),
            **maybe(0.5, axis=lambda: chance.choice([0, -1, [0, 1], [-2, -1]])),
            **maybe(0.3, keepdims=lambda: chance.random() < 0.5),
        )
    return call(
        chance.choice(["nn.l2_normalize", "math.l2_normalize"]),
        tensor(dtype_, s),
        **maybe(0.9, axis=lambda: chance.choice([0, -1, [0, 1]])),
        **maybe(0.2, epsilon=0.001),
    )
