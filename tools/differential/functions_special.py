"""Random calls of arithmetic beyond the usual: special functions, products, numbers of fixed point."""

from __future__ import annotations

import numpy as np
from draw import (
    FLOATS,
    INDEX,
    INTEGERS,
    NUMBERS,
    PLAIN,
    SMOOTH,
    axis_of,
    broadcastable,
    call,
    chance,
    family,
    fed,
    maybe,
    shape,
    tensor,
    texts,
)


@family("special")
def _():
    dtype_, s = chance.choice(FLOATS), shape()
    kind = chance.randint(0, 11)
    if kind == 0:
        return call(
            "math.cumulative_logsumexp",
            tensor(dtype_, shape(1, 3)),
            **maybe(0.6, axis=lambda: chance.choice([0, -1, 1])),
            **maybe(0.4, exclusive=True),
            **maybe(0.4, reverse=True),
        )
    if kind == 1:
        count = chance.choice([0, 1, 3, 5])
        order = chance.sample(range(count), count)
        if chance.random() < 0.2 and count:
            order[0] = chance.choice([0, -1, count])
        return call("math.invert_permutation", fed(order, chance.choice(INDEX)))
    if kind == 2:
        return call("math.lbeta", tensor(dtype_, shape(0, 3), chance.choice(["positive", "positive", "benign"])))
    if kind == 3:
        name = chance.choice(["multiply_no_nan", "nextafter", "truediv", "divide_no_nan", "xdivy", "xlogy"])
        x, y = tensor(chance.choice([dtype_, "int32", "complex64"]), s), tensor(dtype_, broadcastable(s))
        if chance.random() < 0.7:
            x = tensor(dtype_, s, "special")
        return call("math." + name, x, y)
    if kind == 4:
        coefficients = [tensor(dtype_, broadcastable(s)) for _ in range(chance.randint(0, 4))]
        return call("math.polyval", coefficients, tensor(dtype_, s))
    if kind == 5:
        return call("math.reciprocal_no_nan", tensor(chance.choice(NUMBERS), s))
    if kind == 6:
        return call(
            chance.choice(["floor_div", "truncatediv", "truncatemod"]),
            tensor(chance.choice(INTEGERS + FLOATS), s),
            chance.choice([2, -3, 1, 7]),
        )
    if kind == 7:
        return call(
            chance.choice(["arg_max", "arg_min"]),
            tensor(chance.choice(NUMBERS), shape(1, 3)),
            chance.choice([0, -1, 1]),
            **maybe(0.3, output_type=lambda: {"dtype": chance.choice(INDEX)}),
        )
    if kind == 8:
        return call(
            chance.choice(["batch_gather", "gather"]),
            tensor(chance.choice(PLAIN), [2, 3, *shape(0, 1)]),
            fed([[0, 2], [1, chance.choice([0, 1, 3])]], chance.choice(INDEX)),
            **({} if chance.random() < 0.7 else {"name": "g"}),
        )
    if kind == 9:
        return call(
            "unravel_index",
            fed(np.array([chance.randint(0, 12) for _ in range(3)]), kind_ := chance.choice(INDEX)),
            fed([3, 4], kind_),
        )
    if kind == 10:
        return call("fingerprint", tensor(chance.choice(PLAIN), shape(1, 3)), **maybe(0.2, method="farmhash64"), g=0)
    return call(
        "to_" + chance.choice(["complex128", "complex64", "bfloat16", "int64"]), tensor(chance.choice(NUMBERS), s)
    )


@family("products")
def _():
    dtype_ = chance.choice(SMOOTH)
    kind = chance.randint(0, 6)
    n = chance.choice([1, 2, 3])
    batch = shape(0, 2, 0.02)
    if kind == 0:
        return call("linalg.eigh", tensor(chance.choice(["float32", "float64"]), [*batch, 1, 1], "benign"), g=0)
    if kind == 1:
        return call(
            "linalg.normalize",
            tensor(dtype_, shape(1, 3)),
            **maybe(0.6, ord=lambda: chance.choice(["euclidean", "fro", 1, 2, {"expr": "np.inf"}])),
            **maybe(0.6, axis=lambda: chance.choice([0, -1, [0, 1], [-2, -1]])),
        )
    if kind == 2:
        m = chance.choice([2, 3, 4])
        rows = chance.choice(["compact", "sequence", "matrix"])
        diagonals = (
            tensor(dtype_, [*batch, 3, m], "benign")
            if rows == "compact"
            else {"tuple": [tensor(dtype_, [*batch, m], "benign") for _ in range(3)]}
            if rows == "sequence"
            else tensor(dtype_, [*batch, m, m], "benign")
        )
        return call(
            "linalg.tridiagonal_matmul",
            diagonals,
            tensor(dtype_, [*batch, m, n], "benign"),
            **({} if rows == "compact" and chance.random() < 0.5 else {"diagonals_format": rows}),
        )
    if kind == 3:
        return call(
            "sparse_matmul",
            tensor(chance.choice(["float32", "bfloat16"]), [2, n], "ties"),
            tensor(chance.choice(["float32", "bfloat16"]), [n, 3], "ties"),
            **maybe(0.4, a_is_sparse=True),
            **maybe(0.4, b_is_sparse=True),
            **maybe(0.1, transpose_b=True),
        )
    if kind == 4:
        x = tensor(chance.choice(FLOATS), [2, n], "benign")
        name = chance.choice(["nn.xw_plus_b", "nn.relu_layer"])
        return call(name, x, tensor("float32", [n, 3], "benign"), tensor("float32", [3], "benign"))
    if kind == 5:
        return call(
            "parallel_stack", [tensor(chance.choice(NUMBERS[:1] + ["int32"] * 4), [2, n], p="const") for _ in range(2)]
        )
    return call(
        "extract_volume_patches",
        tensor("float32", [1, 3, 4, 3, n], p="const"),
        [1, chance.choice([1, 2]), 2, 2, 1],
        [1, 1, chance.choice([1, 2]), 1, 1],
        chance.choice(["SAME", "VALID"]),
        g=1,
    )


@family("fixed_point")
def _():
    kind = chance.randint(0, 5)
    s = shape(1, 3)
    if kind == 0:
        return call(
            "quantization.dequantize",
            fed(np.array(np.random.RandomState(chance.randint(0, 99)).randint(0, 120, s)), "uint8")
            if chance.random() < 0.1
            else {"t": {**tensor("quint8", s)["t"], "p": None}},
            chance.choice([-1.0, 0.0, 2.0]),
            chance.choice([1.0, 6.0]),
            **maybe(0.6, mode=lambda: chance.choice(["MIN_COMBINED", "MIN_FIRST", "SCALED"])),
        )
    options = {**maybe(0.4, num_bits=lambda: chance.choice([2, 4, 8, 17])), **maybe(0.4, narrow_range=True)}
    last = s[-1]
    low, high = tensor("float32", [last], "benign"), tensor("float32", [last], "positive")
    if kind == 1:
        return call(
            "quantization.fake_quant_with_min_max_args_gradient",
            tensor("float32", s),
            tensor("float32", s),
            **maybe(0.4, min=-1.0, max=2.0),
            **options,
            g=0,
        )
    if kind == 2:
        return call(
            "quantization.fake_quant_with_min_max_vars_gradient",
            tensor("float32", s),
            tensor("float32", s if chance.random() < 0.9 else broadcastable(s)),
            chance.choice([-1.0, 0.0, 0.5]),
            chance.choice([1.0, 2.0, 6.0]),
            **options,
            g=0,
        )
    if kind == 3:
        return call("quantization.fake_quant_with_min_max_vars_per_channel", tensor("float32", s), low, high, **options)
    if kind == 4:
        return call(
            "quantization.fake_quant_with_min_max_vars_per_channel_gradient",
            tensor("float32", s),
            tensor("float32", s),
            low,
            high,
            **options,
            g=0,
        )
    return call(
        "quantize_v2",
        tensor("float32", s, "benign"),
        -2.0,
        chance.choice([2.0, 3.0]),
        {"dtype": chance.choice(["qint8", "quint8", "qint32"])},
        **maybe(0.5, mode=lambda: chance.choice(["MIN_COMBINED", "MIN_FIRST", "SCALED"])),
        g=0,
    )


@family("words")
def _():
    kind = chance.randint(0, 4)
    if kind == 0:
        return call(
            "strings.ngrams",
            texts([chance.choice([1, 3, 5])]) if chance.random() < 0.7 else texts([2, 3]),
            chance.choice([1, 2, 3, {"tuple": [1, 2]}, [2, 3]]),
            **maybe(0.4, separator="|"),
            **maybe(0.4, pad_values=lambda: chance.choice(["x", {"tuple": ["<", ">"]}])),
            **maybe(0.3, padding_width=lambda: chance.choice([1, 2])),
            **maybe(0.3, preserve_short_sequences=True),
            g=0,
        )
    if kind == 1:
        n = chance.choice([2, 3, 5])
        return call(
            "strings.unsorted_segment_join",
            texts([n, *shape(0, 1)]),
            fed([chance.randint(0, 3) for _ in range(n)], chance.choice(INDEX)),
            chance.choice([4, 5]),
            **maybe(0.5, separator=", "),
            g=0,
        )
    if kind == 2:
        return call(
            chance.choice(["signal.fftshift", "signal.ifftshift"]),
            tensor(chance.choice(["complex64", "float32", "int32"]), shape(1, 3)),
            **maybe(0.6, axes=lambda: chance.choice([0, -1, [0], {"tuple": [0]}])),
        )
    if kind == 3:
        return call(
            "signal.inverse_stft",
            tensor("complex64", [*shape(0, 1, 0), 3, 5], "benign"),
            8,
            chance.choice([2, 4]),
            **maybe(0.4, fft_length=8),
            **maybe(0.4, window_fn={"call": {"call": "signal.inverse_stft_window_fn", "args": [4]}}),
            g=1,
        )
    return call(
        "signal." + chance.choice(["rfft3d", "irfft3d"]),
        tensor(chance.choice(["float32", "complex64"]), [2, 3, 4], "benign"),
        **maybe(0.3, fft_length=lambda: [2, 3, chance.choice([2, 4, 5])]),
    )


@family("moved")
def _():
    dtype_ = chance.choice(PLAIN)
    kind = chance.randint(0, 3)
    if kind == 0:
        return call(
            "manip.batch_to_space_nd",
            tensor(dtype_, [4, 2, 3, *shape(0, 1)]),
            [2, 2],
            [[0, chance.choice([0, 1])], [chance.choice([0, 1]), 0]],
        )
    if kind == 1:
        return call(
            "required_space_to_batch_paddings",
            chance.choice([[5, 4], fed([5, 4], "int32")]),
            [2, chance.choice([2, 3])],
            **maybe(0.4, base_paddings=[[0, 1], [1, 0]]),
            **maybe(0.2, name="p"),
        )
    if kind == 2:
        s = shape(1, 3)
        return call("identity_n", [tensor(dtype_, s), tensor(chance.choice(PLAIN), shape())], **maybe(0.2, name="n"))
    s = shape(1, 3)
    return call(
        "manip." + chance.choice(["roll", "reverse", "tile", "gather_nd"]),
        tensor(dtype_, s),
        chance.choice([[axis_of(len(s))], [1] * len(s), 1]),
        **maybe(0.4, axis=lambda: axis_of(len(s))),
    )
