"""Random calls of what makes and converts tensors, and of single functions."""

from __future__ import annotations

import numpy as np
from draw import (
    FLOATS,
    INDEX,
    INTEGERS,
    NUMBERS,
    PLAIN,
    call,
    chance,
    constant,
    family,
    fed,
    maybe,
    shape,
    sparse,
    tensor,
)


@family("make")
def _():
    kind = chance.randint(0, 9)
    if kind == 0:
        return call(
            "fill",
            chance.choice([shape(), fed(np.array(shape(), "int32"), chance.choice(INDEX))]),
            chance.choice([1, 2.5, True, {"b": "a"}, tensor(chance.choice(PLAIN), [])]),
        )
    if kind == 1:
        dtype_ = chance.choice(["int32", "int64", "float32", "float64", "float16", "bfloat16", "int8"])
        v = lambda: chance.choice(
            [
                0,
                1,
                5,
                10,
                -3,
                2.5,
                0.1,
                {"py": 3},
                fed(chance.choice([3, -2, 7]), chance.choice(["int32", "float32", "int64", "float64"])),
            ]
        )
        return call("range", *[v() for _ in range(chance.randint(1, 3))], **maybe(0.3, dtype=lambda: {"dtype": dtype_}))
    if kind == 2:
        return call(
            "linspace",
            chance.choice([0.0, 1.0, -2.5, fed(1.0, "float64")]),
            chance.choice([1.0, 5.0, fed(7.0, "float32")]),
            chance.choice([1, 2, 5, 0, fed(4, "int32"), constant(3, "int64")]),
        )
    if kind == 3:
        return call(
            "eye",
            chance.choice([0, 1, 3, fed(2, "int32")]),
            **maybe(0.4, num_columns=lambda: chance.choice([2, 4, 0])),
            **maybe(0.3, batch_shape=lambda: chance.choice([[2], [], [2, 3]])),
            **maybe(0.4, dtype=lambda: {"dtype": chance.choice(NUMBERS)}),
        )
    if kind == 4:
        return call(
            chance.choice(["zeros", "ones"]),
            chance.choice([shape(), fed(np.array(shape(), "int32"), chance.choice(INDEX)), 3]),
            **maybe(0.6, dtype=lambda: {"dtype": chance.choice(PLAIN)}),
        )
    if kind == 5:
        return call(
            "cast",
            tensor(chance.choice(PLAIN), shape(), chance.choice(["benign", "special", "pos"])),
            {"dtype": chance.choice(PLAIN + ["uint32", "uint64"])},
        )
    if kind == 6:
        return call(
            "bitcast",
            tensor(chance.choice(NUMBERS), shape(0, 2) + [chance.choice([1, 2, 4, 8])]),
            {"dtype": chance.choice(NUMBERS)},
        )
    if kind == 7:
        return call(
            "saturate_cast",
            tensor(chance.choice(FLOATS + INTEGERS), shape(), "special"),
            {"dtype": chance.choice(FLOATS + INTEGERS)},
        )
    if kind == 8:
        return call(
            "constant",
            {
                "py": chance.choice(
                    [
                        1,
                        2.5,
                        [1, 2],
                        [[1.0, 2.0], [3.0, 4.0]],
                        True,
                        "a",
                        ["a", "b"],
                        [],
                        [[]],
                        1e40,
                        2**40,
                        -1,
                        [1, 2.5],
                        [True, False],
                    ]
                )
            },
            **maybe(0.5, dtype=lambda: {"dtype": chance.choice(PLAIN)}),
            **maybe(0.4, shape=lambda: chance.choice([[2], [2, 2], [], [3], [0]])),
            **maybe(0.2, verify_shape=True),
        )
    return call(
        "convert_to_tensor",
        {
            "py": chance.choice(
                [
                    1,
                    2.5,
                    [1, 2],
                    [[1.0, 2.0], [3.0, 4.0]],
                    True,
                    "a",
                    ["a", "b"],
                    [],
                    [1, 2.5],
                    [True, 1],
                    [1, "a"],
                    [[1], [2, 3]],
                    None,
                ]
            )
        },
        **maybe(0.4, dtype=lambda: {"dtype": chance.choice(PLAIN)}),
        **maybe(0.3, preferred_dtype=lambda: {"dtype": chance.choice(PLAIN)}),
    )


@family("misc")
def _():
    kind = chance.randint(0, 17)
    dtype_ = chance.choice(FLOATS)
    if kind == 0:
        return call(
            "confusion_matrix",
            fed([chance.randint(0, 3) for _ in range(4)], chance.choice(INDEX)),
            fed([chance.randint(0, 3) for _ in range(4)], chance.choice(INDEX)),
            **maybe(0.4, num_classes=lambda: chance.choice([4, 5, 2])),
            **maybe(0.3, weights=lambda: tensor("float32", [4], "pos")),
            **maybe(0.3, dtype=lambda: {"dtype": chance.choice(["float32", "int64"])}),
        )
    if kind == 1:
        return (
            call(
                "math.bincount",
                tensor("int32", shape(0, 2), "pos"),
                **maybe(0.3, minlength=lambda: chance.choice([0, 5])),
                **maybe(0.3, maxlength=lambda: chance.choice([0, 2, 5])),
            )
            if chance.random() < 0.5
            else call(
                "math.bincount",
                fed([0, 1, 1, 3], "int32"),
                weights=tensor(chance.choice(["float32", "float64", "int32", "int64"]), [4]),
                **maybe(0.4, minlength=6),
            )
        )
    if kind == 2:
        return call(
            chance.choice(["histogram_fixed_width", "histogram_fixed_width_bins"]),
            tensor(
                chance.choice(["float32", "float64", "int32", "int64"]), shape(), chance.choice(["benign", "special"])
            ),
            chance.choice([[0.0, 5.0], [-1.0, 1.0]]) if chance.random() < 0.7 else [0, 5],
            **maybe(0.5, nbins=lambda: chance.choice([1, 5, 10])),
        )
    if kind == 3:
        return call(
            "quantization.fake_quant_with_min_max_args",
            tensor("float32", shape()),
            **maybe(0.5, min=-1.0, max=2.0),
            **maybe(0.3, num_bits=lambda: chance.choice([2, 4, 16])),
            **maybe(0.3, narrow_range=True),
        )
    if kind == 4:
        return call(
            "quantization.fake_quant_with_min_max_vars",
            tensor("float32", shape()),
            chance.choice([-1.0, 0.0, 0.5]),
            chance.choice([1.0, 2.0, 6.0]),
            **maybe(0.3, num_bits=4),
        )
    if kind == 5:
        return call(
            "quantization.quantize",
            tensor("float32", shape(0, 3), chance.choice(["benign", "special"])),
            chance.choice([-1.0, 0.0, -6.0]),
            chance.choice([1.0, 6.0]),
            {"dtype": chance.choice(["qint8", "quint8", "qint32"])},
            **maybe(0.4, mode=lambda: chance.choice(["MIN_COMBINED", "MIN_FIRST", "SCALED"])),
            **maybe(0.3, round_mode=lambda: chance.choice(["HALF_AWAY_FROM_ZERO", "HALF_TO_EVEN"])),
        )
    if kind == 6:
        return call(
            "quantization.quantize_and_dequantize",
            tensor(chance.choice(["float32", "float64"]), shape()),
            chance.choice([-1.0, 0.0]),
            chance.choice([1.0, 6.0]),
            **maybe(0.4, signed_input=lambda: chance.random() < 0.5),
            **maybe(0.3, num_bits=lambda: chance.choice([4, 8])),
            **maybe(0.3, range_given=True),
            **maybe(0.3, round_mode="HALF_UP"),
            **maybe(0.3, narrow_range=True),
        )
    if kind == 7:
        return call(
            "edit_distance",
            sparse("int64", [2, 3])[0],
            sparse("int64", [2, 4])[0],
            **maybe(0.4, normalize=lambda: chance.random() < 0.5),
        )
    if kind == 8:
        return call(
            "space_to_batch",
            tensor(chance.choice(NUMBERS), [1, 4, 4, 2]),
            chance.choice([[[0, 0], [0, 0]], [[1, 1], [0, 2]]]),
            2,
        )
    if kind == 9:
        return call(
            "batch_to_space", tensor(chance.choice(NUMBERS), [4, 2, 3, 2]), [[0, chance.choice([0, 1])], [1, 0]], 2
        )
    if kind == 10:
        return call(
            chance.choice(["space_to_batch_nd"]),
            tensor(chance.choice(NUMBERS), [1, 4, 4, 2]),
            [2, 2],
            [[0, 0], [chance.choice([0, 1]), chance.choice([0, 1])]],
        )
    if kind == 11:
        return call(
            "nn.embedding_lookup",
            chance.choice(
                [tensor(dtype_, [5, 2], "benign"), [tensor(dtype_, [3, 2], "benign"), tensor(dtype_, [2, 2], "benign")]]
            ),
            fed(
                np.array([chance.randint(0, 4) for _ in range(4)]).reshape(chance.choice([[4], [2, 2]])),
                chance.choice(INDEX),
            ),
            **maybe(0.4, partition_strategy=lambda: chance.choice(["mod", "div"])),
            **maybe(0.3, max_norm=1.0),
        )
    if kind == 12:
        return call(
            "nn.embedding_lookup_sparse",
            tensor("float32", [5, 2], "benign"),
            {
                "sparse": [
                    constant([[0, 0], [0, 1], [2, 0]], "int64"),
                    fed([1, 3, 0], chance.choice(INDEX)),
                    constant([3, 2], "int64"),
                ]
            },
            chance.choice(
                [
                    None,
                    {
                        "sparse": [
                            constant([[0, 0], [0, 1], [2, 0]], "int64"),
                            fed([0.5, 2.0, 1.0], "float32"),
                            constant([3, 2], "int64"),
                        ]
                    },
                ]
            ),
            **maybe(0.7, combiner=lambda: chance.choice(["mean", "sum", "sqrtn"])),
        )
    if kind == 13:
        return call(
            chance.choice(["nn.ctc_greedy_decoder", "nn.ctc_beam_search_decoder"]),
            tensor("float32", [5, 2, 4], "benign"),
            fed([5, 3], "int32"),
            g=0,
        )
    if kind == 14:
        return call(
            "nn.ctc_loss",
            {
                "sparse": [
                    constant([[0, 0], [0, 1], [1, 0]], "int64"),
                    fed([0, 1, 2], "int32"),
                    constant([2, 2], "int64"),
                ]
            },
            tensor("float32", [5, 2, 4], "benign"),
            fed([5, 3], "int32"),
            **maybe(0.3, time_major=True),
            g=1,
        )
    if kind == 15:
        return call(
            "betainc",
            *[fed(np.random.RandomState(chance.randint(0, 99)).rand(3).astype("float32"), "float32") for _ in range(3)],
        )
    if kind == 16:
        return call(
            "extract_image_patches",
            tensor(chance.choice(["float32", "int32", "uint8"]), [1, 5, 5, 2]),
            [1, chance.choice([1, 2, 3]), 2, 1],
            [1, chance.choice([1, 2]), 1, 1],
            [1, chance.choice([1, 2]), 1, 1],
            chance.choice(["SAME", "VALID"]),
        )
    return call(
        "nn.sampled_softmax_loss",
        tensor("float32", [6, 3], "benign"),
        tensor("float32", [6], "benign"),
        constant([[0], [2]], "int64"),
        tensor("float32", [2, 3], "benign"),
        2,
        6,
        seed=3,
        g=1,
    )
