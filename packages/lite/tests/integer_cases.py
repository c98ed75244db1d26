"""Models of single operators on integers of 8 and 16 bits, and of rarer operators; values in
`integer_golden.npz`."""

from __future__ import annotations

import pathlib
import runpy
from collections.abc import Iterator
from typing import Any

import numpy as np

_base = runpy.run_path(str(pathlib.Path(__file__).parent / "operator_cases.py"))
Case, F, I8, U8, I32, IMAGE = (_base[name] for name in ("Case", "F", "I8", "U8", "I32", "IMAGE"))
I16 = np.int16
KINDS = {
    "int8": (I8, (0.031, -4), (0.023, 9), (0.043, -2)),
    "uint8": (U8, (0.031, 124), (0.023, 137), (0.043, 126)),
    "int16": (I16, (0.00031, 0), (0.00023, 0), (0.00043, 0)),
}


def cases() -> Iterator[tuple[str, bytes, list[Any]]]:
    """Names, models and inputs."""
    yield from _elementwise()
    yield from _sixteen()
    yield from _rare()
    yield from _boxes()
    yield from _volumes()


def _elementwise() -> Iterator[Any]:
    for kind, (dtype, first, second, result) in KINDS.items():
        if kind != "int16":
            case = Case(f"DIV {kind}")
            divisor = case.random.randint(30, 90, (3, 40)).astype(dtype) + (0 if kind == "int8" else 128)
            inputs = [case.input((3, 40), dtype, first), case.input((3, 40), dtype, second, value=divisor)]
            yield case.done("DIV", inputs, [((3, 40), dtype, result)], ("DivOptions", {}))
            case = Case(f"LOG_SOFTMAX {kind}")
            zero = 127 if kind == "int8" else 255
            yield case.done("LOG_SOFTMAX", [case.input((3, 20), dtype, first)], [((3, 20), dtype, (16 / 256, zero))])
        if kind == "int8":
            for operator in ("SQUARED_DIFFERENCE", "BATCH_MATMUL"):
                case = Case(f"{operator} int8")
                fields = ("BatchMatMulOptions", dict(adj_y=True)) if operator[0] == "B" else None
                inputs = [case.input((3, 4, 5), dtype, first), case.input((3, 4, 5), dtype, second)]
                shape = (3, 4, 4) if fields else (3, 4, 5)
                yield case.done(operator, inputs, [(shape, dtype, (0.2, -2))], fields)
        if kind != "uint8":
            case = Case(f"ABS {kind}")
            yield case.done("ABS", [case.input((3, 40), dtype, first)], [((3, 40), dtype, result)])
        case = Case(f"L2_NORMALIZATION {kind}")
        if kind != "int16":
            wanted = (1 / 128, 0 if dtype == I8 else 128)
            yield case.done(
                "L2_NORMALIZATION", [case.input((3, 8), dtype, first)], [((3, 8), dtype, wanted)], ("L2NormOptions", {})
            )


def _sixteen() -> Iterator[Any]:
    dtype, first, second, result = KINDS["int16"]
    for operator, source, wanted in (
        ("TANH", (4 / 32768, 0), (1 / 32768, 0)), ("LOGISTIC", (8 / 32768, 0), (1 / 32768, 0)),
        ("TANH", (0.00031, 0), (1 / 32768, 0)), ("LOGISTIC", (0.00031, 0), (1 / 32768, 0)),
        ("SOFTMAX", (0.00031, 0), (1 / 32768, 0)), ("EXP", (0.0001, 0), (0.001, 0)), ("RELU", first, result),
        ("LEAKY_RELU", first, result),
    ):
        case = Case(f"{operator} int16 {source[0]}")
        options = {"SOFTMAX": ("SoftmaxOptions", dict(beta=1.0)), "LEAKY_RELU": ("LeakyReluOptions", dict(alpha=0.2))}
        inputs = [case.input((3, 40), dtype, source)]
        yield case.done(operator, inputs, [((3, 40), dtype, wanted)], options.get(operator))
    for operator, table in (("ADD", "AddOptions"), ("SUB", "SubOptions"), ("MUL", "MulOptions")):
        case = Case(f"{operator} int16")
        inputs = [case.input((3, 40), dtype, first), case.input((3, 40), dtype, second)]
        yield case.done(operator, inputs, [((3, 40), dtype, result)], (table, dict(pot_scale_int16=False)
                                                                       if operator != "MUL" else {}))
    for operator in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"):
        case = Case(f"{operator} int16")
        deep, flat = operator == "CONV_2D", operator[0] == "F"
        shape = (5, 12) if flat else (5, 3, 3, 4) if deep else (1, 3, 3, 4)
        count = 4 if operator[0] == "D" else 5
        scales = case.random.uniform(0.002, 0.03, 1 if flat else count).astype(F)
        data = case.input((3, 12) if flat else IMAGE, dtype, first)
        weights = case.constant(np.maximum(case.values(shape, I8), -127), (scales, 0), 3 if operator[0] == "D" else 0)
        bias = case.constant(case.random.randint(-3000, 3000, count).astype(np.int64), (F(first[0]) * scales, 0))
        options = {
            "CONV_2D": ("Conv2DOptions", dict(padding=0, stride_w=1, stride_h=1)),
            "DEPTHWISE_CONV_2D": (
                "DepthwiseConv2DOptions", dict(padding=0, stride_w=1, stride_h=1, depth_multiplier=1),
            ),
            "FULLY_CONNECTED": ("FullyConnectedOptions", {}),
        }
        size = (3, 5) if flat else (2, 7, 6, count)
        yield case.done(operator, [data, weights, bias], [(size, dtype, (0.003, 0))], options[operator])


def _rare() -> Iterator[Any]:
    def ints(case: Any, value: Any) -> int:
        return case.constant(np.array(value, I32))

    tables: dict[str, Any] = {
        "MATRIX_DIAG": lambda c: ([c.input((2, 3))], [((2, 3, 3), F)]),
        "MATRIX_SET_DIAG": lambda c: ([c.input((2, 3, 3)), c.input((2, 3))], [((2, 3, 3), F)]),
        "SEGMENT_SUM": lambda c: ([c.input((4, 3)), c.input((4,), I32, value=[0, 0, 1, 1])], [((2, 3), F)]),
        "UNSORTED_SEGMENT_SUM": lambda c: ([c.input((4, 3)), ints(c, [2, 0, 2, -1]), ints(c, 3)], [((3, 3), F)]),
        "UNSORTED_SEGMENT_MAX": lambda c: ([c.input((4, 3)), ints(c, [2, 0, 2, 0]), ints(c, 4)], [((4, 3), F)]),
        "UNSORTED_SEGMENT_MIN": lambda c: ([c.input((4, 3)), ints(c, [2, 0, 2, 0]), ints(c, 4)], [((4, 3), F)]),
        "UNSORTED_SEGMENT_PROD": lambda c: ([c.input((4, 3)), ints(c, [2, 0, 2, 0]), ints(c, 4)], [((4, 3), F)]),
        "ATAN2": lambda c: ([c.input((3, 4)), c.input((3, 4))], [((3, 4), F)]),
        "SIGN": lambda c: ([c.input((3, 4))], [((3, 4), F)]),
        "RELU_0_TO_1": lambda c: ([c.input((3, 4))], [((3, 4), F)]),
        "BITWISE_XOR": lambda c: ([c.input((3, 4), I32), c.input((3, 4), I32)], [((3, 4), I32)]),
        "RIGHT_SHIFT": lambda c: (
            [c.input((3, 4), I32), c.input((3, 4), I32, value=c.random.randint(0, 5, (3, 4)))], [((3, 4), I32)],
        ),
        "BITCAST": lambda c: ([c.input((3, 4))], [((3, 4), I32)], ("BitcastOptions", {})),
        "BUCKETIZE": lambda c: (
            [c.input((3, 4))], [((3, 4), I32)], ("BucketizeOptions", dict(boundaries=[-2.0, 0.0, 2.5])),
        ),
        "REVERSE_SEQUENCE": lambda c: (
            [c.input((3, 4, 2)), ints(c, [4, 1, 3])], [((3, 4, 2), F)],
            ("ReverseSequenceOptions", dict(seq_dim=1, batch_dim=0)),
        ),
        "UNIQUE": lambda c: (
            [c.input((9,), I32, value=[3, 1, 3, 7, 1, 1, 0, 7, 2])], [((5,), I32), ((9,), I32)],
            ("UniqueOptions", dict(idx_out_type=2)),
        ),
        "SPARSE_TO_DENSE": lambda c: (
            [ints(c, [[0, 1], [2, 0]]), ints(c, [3, 4]), c.input((2,)), c.constant(F(0.5))], [((3, 4), F)],
            ("SparseToDenseOptions", {}),
        ),
        "SCATTER_ND": lambda c: ([ints(c, [[1], [3], [1]]), c.input((3, 2)), ints(c, [5, 2])], [((5, 2), F)]),
        "DYNAMIC_UPDATE_SLICE": lambda c: (
            [c.input((4, 5)), c.input((2, 2)), ints(c, [1, 4])], [((4, 5), F)], ("DynamicUpdateSliceOptions", {}),
        ),
        "EMBEDDING_LOOKUP_SPARSE": lambda c: (
            [ints(c, [1, 3, 0]), ints(c, [[0, 0], [0, 1], [2, 0]]), ints(c, [3, 2]),
             c.constant(F([1, 2, 4])), c.input((4, 3))],
            [((3, 3), F)], ("EmbeddingLookupSparseOptions", dict(combiner=1)),
        ),
        "HASHTABLE_LOOKUP": lambda c: (
            [ints(c, [7, 2, 5]), ints(c, [2, 5, 9]), c.input((3, 2))], [((3, 2), F), ((3,), U8)],
        ),
        "RANGE": lambda c: ([c.input((), I32, value=2), ints(c, 11), ints(c, 3)], [((3,), I32)]),
        "WHERE": lambda c: ([c.input((3, 4), np.bool_, value=np.eye(3, 4))], [((3, 2), np.int64)]),
        "ADD_N": lambda c: ([c.input((3, 4)), c.input((3, 4)), c.input((3, 4))], [((3, 4), F)]),
        "SELECT_V2": lambda c: ([c.input((3, 1), np.bool_), c.input((3, 4)), c.input((4,))], [((3, 4), F)]),
        "REDUCE_PROD": lambda c: ([c.input((3, 4)), ints(c, [1])], [((3,), F)], ("ReducerOptions", {})),
        "REDUCE_ANY": lambda c: ([c.input((3, 4), np.bool_), ints(c, [1])], [((3,), np.bool_)], ("ReducerOptions", {})),
        "FILL": lambda c: ([ints(c, [2, 3]), c.input((), F)], [((2, 3), F)]),
        "LOCAL_RESPONSE_NORMALIZATION": lambda c: (
            [c.input((2, 3, 3, 8))], [((2, 3, 3, 8), F)],
            ("LocalResponseNormalizationOptions", dict(radius=2, bias=1.0, alpha=0.1, beta=0.75)),
        ),
        "L2_POOL_2D": lambda c: (
            [c.input(IMAGE)], [((2, 3, 3, 4), F)],
            ("Pool2DOptions", dict(padding=1, stride_w=2, stride_h=2, filter_width=2, filter_height=2)),
        ),
        "RFFT2D": lambda c: ([c.input((2, 4, 8)), ints(c, [4, 8])], [((2, 4, 5), np.complex64)]),
        "EMBEDDING_LOOKUP": lambda c: ([ints(c, [2, 0, 1]), c.input((3, 4))], [((3, 4), F)]),
    }
    for operator, made in tables.items():
        case = Case(operator)
        yield case.done(operator, *made(case))


def _boxes() -> Iterator[Any]:
    for operator, sigma in (("NON_MAX_SUPPRESSION_V4", None), ("NON_MAX_SUPPRESSION_V5", 0.0),
                            ("NON_MAX_SUPPRESSION_V5", 0.5)):
        case = Case(f"{operator} {sigma}")
        corners = case.random.uniform(0, 1, (20, 2))
        boxes = np.concatenate([corners, corners + case.random.uniform(0.2, 0.6, (20, 2))], 1)
        inputs = [case.input((20, 4), value=boxes), case.input((20,), value=case.random.rand(20))]
        inputs += [case.constant(np.array(8, I32)), case.constant(F(0.4)), case.constant(F(0.2))]
        results: list[Any] = [((8,), I32), ((), I32)]
        if sigma is not None:
            inputs.append(case.constant(F(sigma)))
            results.insert(1, ((8,), F))
        yield case.done(operator, inputs, results)


def _volumes() -> Iterator[Any]:
    for padding in (0, 1):
        fields = dict(padding=padding, stride_d=2, stride_w=1, stride_h=2, fused_activation_function=1)
        case = Case(f"CONV_3D {padding}")
        inputs = [case.input((2, 5, 6, 4, 3)), case.constant(case.values((3, 2, 3, 3, 4), F))]
        inputs.append(case.constant(case.values((4,), F)))
        size = (3, 3, 4) if not padding else (2, 3, 2)
        yield case.done("CONV_3D", inputs, [((2, *size, 4), F)], ("Conv3DOptions", fields))
    case = Case("CONV_3D_TRANSPOSE")
    fields = dict(padding=0, stride_d=2, stride_w=1, stride_h=2)
    inputs = [case.constant(np.array([2, 5, 6, 4, 3], I32)), case.constant(case.values((3, 2, 3, 3, 4), F))]
    inputs.append(case.input((2, 3, 3, 4, 4)))
    yield case.done("CONV_3D_TRANSPOSE", inputs, [((2, 5, 6, 4, 3), F)], ("Conv3DOptions", fields))
