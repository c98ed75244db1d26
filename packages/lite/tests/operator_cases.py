"""Models of single operators, whose values with LiteRT are in `operator_golden.npz`; `record_operators.py` records
them."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ossia_lite.builder import ModelBuilder
from ossia_lite.schema import record
from ossia_lite.writer import write_model

F, I8, U8, I32 = np.float32, np.int8, np.uint8, np.int32
IMAGE = (2, 7, 6, 4)
ACTS = {"relu": 1, "relu6": 3}


class Case:
    """An operator with inputs drawn from its name, constants among them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.random = np.random.RandomState(zlib.crc32(name.encode()) & 0x7FFFFFFF)
        self.builder = ModelBuilder()
        self.inputs: list[int] = []
        self.feeds: list[np.ndarray] = []

    def values(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        if dtype == F:
            return self.random.uniform(-4, 4, shape).astype(F)
        if dtype == I32:
            return self.random.randint(-9, 10, shape).astype(I32)
        if dtype == np.bool_:
            return self.random.rand(*shape) > 0.5
        return self.random.randint(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, shape).astype(dtype)

    def input(self, shape: tuple[int, ...], dtype: Any = F, quantization: Any = None, value: Any = None) -> int:
        index = self.builder.tensor(f"input{len(self.inputs)}", shape, dtype, quantization)
        self.inputs.append(index)
        self.feeds.append(self.values(shape, dtype) if value is None else np.asarray(value, dtype))
        return index

    def constant(self, value: Any, quantization: Any = None, axis: int = 0) -> int:
        return self.builder.constant(f"constant{len(self.builder.buffers)}", value, quantization, axis)

    def done(
        self, operator: str, inputs: list[int], results: Any, options: Any = None, **details: Any
    ) -> tuple[str, bytes, list[Any]]:
        outputs = [self.builder.tensor(f"output{i}", *result) for i, result in enumerate(results)]
        table, fields = options if options else (None, {})
        self.builder.operator(operator, inputs, outputs, record(table, **fields) if table else None, **details)
        return self.name, write_model(self.builder.model(self.inputs, outputs)), self.feeds


def cases() -> Iterator[tuple[str, bytes, list[Any]]]:
    """Names, models and inputs."""
    yield from _convolutions()
    yield from _elementwise()
    yield from _images()
    yield from _shapes()
    yield from _others()


def _convolutions() -> Iterator[Any]:
    for kind in ("float", "int8", "uint8", "hybrid"):
        for padding, stride, dilation, act in ((0, 1, 1, 0), (1, 1, 1, 1), (0, 2, 1, 3), (0, 1, 2, 0)):
            for operator in ("CONV_2D", "DEPTHWISE_CONV_2D"):
                if kind == "hybrid" and (operator[0] == "D" or dilation == 2):
                    continue
                case = Case(f"{operator} {kind} padding {padding} stride {stride} dilation {dilation} activation {act}")
                deep = operator == "CONV_2D"
                shape = (5, 3, 3, 4) if deep else (1, 3, 3, 8)
                data, weights, bias, result = _weights(case, kind, shape, 0 if deep else 3, IMAGE)
                size = [-(-s // stride) if padding == 0 else s - 2 for s in (7, 6)]
                fields = dict(
                    padding=padding,
                    stride_w=stride,
                    stride_h=stride,
                    fused_activation_function=act,
                    dilation_w_factor=dilation,
                    dilation_h_factor=dilation,
                )
                if not deep:
                    fields["depth_multiplier"] = 2
                yield case.done(
                    operator,
                    [data, weights, bias],
                    [((2, *size, 5 if deep else 8), *result)],
                    ("Conv2DOptions" if deep else "DepthwiseConv2DOptions", fields),
                )
    for kind in ("float", "int8", "uint8", "hybrid"):
        for act in (0, 1):
            case = Case(f"FULLY_CONNECTED {kind} activation {act}")
            data, weights, bias, result = _weights(case, kind, (6, 12), None, (3, 12))
            yield case.done(
                "FULLY_CONNECTED",
                [data, weights, bias],
                [((3, 6), *result)],
                ("FullyConnectedOptions", dict(fused_activation_function=act)),
            )
    for kind in ("float", "int8", "uint8"):
        for padding, size in ((0, (14, 12)), (1, (15, 13))):
            case = Case(f"TRANSPOSE_CONV {kind} padding {padding}")
            data, weights, bias, result = _weights(case, kind, (5, 3, 3, 4), 0, IMAGE)
            shape = case.constant(np.array([2, *size, 5], I32))
            yield case.done(
                "TRANSPOSE_CONV",
                [shape, weights, data, bias],
                [((2, *size, 5), *result)],
                ("TransposeConvOptions", dict(padding=padding, stride_w=2, stride_h=2)),
            )
    case = Case("BATCH_MATMUL float")
    yield case.done(
        "BATCH_MATMUL",
        [case.input((2, 3, 4)), case.input((2, 5, 4))],
        [((2, 3, 5), F)],
        ("BatchMatMulOptions", dict(adj_y=True)),
    )


def _weights(case: Case, kind: str, shape: Any, axis: int | None, data_shape: Any) -> Any:
    count = shape[0] if axis in (0, None) else shape[axis]
    if kind == "float":
        return (
            case.input(data_shape),
            case.constant(case.values(shape, F)),
            case.constant(case.values((count,), F)),
            (F,),
        )
    if kind == "hybrid":
        scales = case.random.uniform(0.005, 0.05, 1)
        weights = case.constant(np.maximum(case.values(shape, I8), -127), (scales, 0))
        return case.input(data_shape), weights, case.constant(case.values((count,), F)), (F,)
    scale = F(0.0173)
    if kind == "int8":
        scales = case.random.uniform(0.002, 0.03, 1 if axis is None else count).astype(F)
        data = case.input(data_shape, I8, (scale, -5))
        weights = case.constant(np.maximum(case.values(shape, I8), -127), (scales, 0), axis or 0)
        bias = case.constant(case.random.randint(-3000, 3000, count).astype(I32), (scale * scales, 0))
        return data, weights, bias, (I8, (0.0613, 7))
    data = case.input(data_shape, U8, (scale, 121))
    weights = case.constant(case.values(shape, U8), (0.0117, 133))
    bias = case.constant(case.random.randint(-3000, 3000, count).astype(I32), (scale * F(0.0117), 0))
    return data, weights, bias, (U8, (0.0613, 119))


QUANTIZED = {
    "float": (F, None, None, None),
    "int8": (I8, (0.031, -4), (0.023, 9), (0.043, -2)),
    "uint8": (U8, (0.031, 124), (0.023, 137), (0.043, 126)),
}


def _elementwise() -> Iterator[Any]:
    tables = {"ADD": "AddOptions", "SUB": "SubOptions", "MUL": "MulOptions", "DIV": "DivOptions"}
    for kind, (dtype, first, second, result) in QUANTIZED.items():
        for operator, table in tables.items():
            if operator == "DIV" and kind != "float":
                continue
            for act, shapes in ((0, ((3, 40), (3, 40))), (1, ((3, 4, 5), (5,)))):
                case = Case(f"{operator} {kind} activation {act}")
                inputs = [case.input(shapes[0], dtype, first), case.input(shapes[1], dtype, second)]
                yield case.done(
                    operator, inputs, [(shapes[0], dtype, result)], (table, dict(fused_activation_function=act))
                )
        for operator in ("RELU", "RELU6", "TANH", "LOGISTIC", "LEAKY_RELU", "HARD_SWISH", "SOFTMAX", "PRELU"):
            case = Case(f"{operator} {kind}")
            inputs = [case.input((2, 3, 3, 32), dtype, first)]
            if operator == "PRELU":
                inputs.append(case.constant(case.values((1, 1, 32), dtype), second))
            wanted = result
            if result and operator == "TANH":
                wanted = (1 / 128, 0 if dtype == I8 else 128)
            if result and operator in ("LOGISTIC", "SOFTMAX"):
                wanted = (1 / 256, -128 if dtype == I8 else 0)
            options = {
                "LEAKY_RELU": ("LeakyReluOptions", dict(alpha=0.2)),
                "SOFTMAX": ("SoftmaxOptions", dict(beta=1.0)),
            }
            yield case.done(operator, inputs, [((2, 3, 3, 32), dtype, wanted)], options.get(operator))
        for operator in ("MAXIMUM", "MINIMUM"):
            case = Case(f"{operator} {kind}")
            inputs = [case.input((3, 40), dtype, first), case.input((40,), dtype, first)]
            yield case.done(operator, inputs, [((3, 40), dtype, first)], ("MaximumMinimumOptions", {}))
        for operator in ("LESS", "EQUAL"):
            case = Case(f"{operator} {kind}")
            inputs = [case.input((3, 40), dtype, first), case.input((3, 40), dtype, first)]
            yield case.done(operator, inputs, [((3, 40), np.bool_)])
    for operator in (
        "EXP",
        "ABS",
        "NEG",
        "SQUARE",
        "FLOOR",
        "CEIL",
        "ROUND",
        "SIN",
        "COS",
        "ELU",
        "GELU",
        "RELU_N1_TO_1",
        "LOG_SOFTMAX",
        "L2_NORMALIZATION",
    ):
        case = Case(f"{operator} float")
        yield case.done(
            operator,
            [case.input((2, 3, 10))],
            [((2, 3, 10), F)],
            ("GeluOptions", {}) if operator == "GELU" else ("L2NormOptions", {}) if operator[:2] == "L2" else None,
        )
    for operator in ("LOG", "SQRT", "RSQRT"):
        case = Case(f"{operator} float")
        yield case.done(operator, [case.input((2, 9), value=case.random.uniform(0.1, 9, (2, 9)))], [((2, 9), F)])
    for operator in ("POW", "SQUARED_DIFFERENCE", "FLOOR_DIV", "FLOOR_MOD"):
        case = Case(f"{operator} float")
        positive = case.random.uniform(0.1, 3, (2, 9))
        yield case.done(operator, [case.input((2, 9), value=positive), case.input((2, 9))], [((2, 9), F)])


def _images() -> Iterator[Any]:
    for kind, (dtype, first, _, result) in QUANTIZED.items():
        for operator in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
            for padding, stride, act in ((0, 2, 0), (1, 1, 1)):
                case = Case(f"{operator} {kind} padding {padding} stride {stride} activation {act}")
                size = [-(-s // stride) if padding == 0 else s - 2 for s in (7, 6)]
                fields = dict(
                    padding=padding,
                    stride_w=stride,
                    stride_h=stride,
                    filter_width=3,
                    filter_height=3,
                    fused_activation_function=act,
                )
                yield case.done(
                    operator,
                    [case.input(IMAGE, dtype, first)],
                    [((2, *size, 4), dtype, first)],
                    ("Pool2DOptions", fields),
                )
        for operator, table in (
            ("RESIZE_BILINEAR", "ResizeBilinearOptions"),
            ("RESIZE_NEAREST_NEIGHBOR", "ResizeNearestNeighborOptions"),
        ):
            for aligned, centres in ((False, False), (True, False), (False, True)):
                for size in ((13, 4), (14, 12)):
                    case = Case(f"{operator} {kind} {aligned} {centres} {size}")
                    yield case.done(
                        operator,
                        [case.input(IMAGE, dtype, first), case.constant(np.array(size, I32))],
                        [((2, *size, 4), dtype, first)],
                        (table, dict(align_corners=aligned, half_pixel_centers=centres)),
                    )
        for axes in ([1, 2], [3], [1]):
            for operator in ("MEAN", "SUM", "REDUCE_MAX"):
                case = Case(f"{operator} {kind} {axes}")
                shape = tuple(1 if i in axes else s for i, s in enumerate(IMAGE))
                yield case.done(
                    operator,
                    [case.input(IMAGE, dtype, first), case.constant(np.array(axes, I32))],
                    [(shape, dtype, first if operator == "REDUCE_MAX" else result)],
                    ("ReducerOptions", dict(keep_dims=True)),
                )
        case = Case(f"CONCATENATION {kind}")
        inputs = [case.input((2, 3, 4), dtype, first), case.input((2, 2, 4), dtype, first)]
        yield case.done("CONCATENATION", inputs, [((2, 5, 4), dtype, first)], ("ConcatenationOptions", dict(axis=1)))
        case = Case(f"PAD {kind}")
        yield case.done(
            "PAD",
            [case.input(IMAGE, dtype, first), case.constant(np.array([[0, 0], [1, 2], [0, 1], [0, 0]], I32))],
            [((2, 10, 7, 4), dtype, first)],
        )
    for dtype, name in ((I8, "int8"), (U8, "uint8")):
        case = Case(f"QUANTIZE {name}")
        yield case.done("QUANTIZE", [case.input((5, 40))], [((5, 40), dtype, (0.031, 3))])
        case = Case(f"DEQUANTIZE {name}")
        yield case.done("DEQUANTIZE", [case.input((5, 40), dtype, (0.031, 3))], [((5, 40), F)])
    case = Case("QUANTIZE int8 to uint8")
    yield case.done("QUANTIZE", [case.input((5, 40), I8, (0.031, 3))], [((5, 40), U8, (0.027, 130))])
    case = Case("CONCATENATION uint8 scales")
    inputs = [case.input((2, 3, 4), U8, (0.031, 124)), case.input((2, 2, 4), U8, (0.023, 137))]
    yield case.done("CONCATENATION", inputs, [((2, 5, 4), U8, (0.043, 126))], ("ConcatenationOptions", dict(axis=1)))


def _shapes() -> Iterator[Any]:
    def ints(case: Case, *values: Any) -> int:
        return case.constant(np.array(values[0] if len(values) == 1 else values, I32))

    simple = {
        "RESHAPE": ([[6, -1]], (6, 4), ("ReshapeOptions", dict(new_shape=[6, -1]))),
        "TRANSPOSE": ([[2, 0, 1]], (4, 2, 3), None),
        "EXPAND_DIMS": ([1], (2, 1, 3, 4), None),
        "SLICE": ([[0, 1, 1], [2, 2, -1]], (2, 2, 3), None),
        "GATHER": ([[2, 0, 2]], (2, 3, 4), ("GatherOptions", dict(axis=1))),
        "TILE": ([[2, 1, 3]], (4, 3, 12), None),
        "MIRROR_PAD": ([[[1, 0], [1, 2], [0, 1]]], (3, 6, 5), ("MirrorPadOptions", dict(mode=0))),
        "REVERSE_V2": ([[1]], (2, 3, 4), None),
        "CUMSUM": ([1], (2, 3, 4), ("CumsumOptions", dict(exclusive=True))),
        "GATHER_ND": ([[[0, 1], [1, 2]]], (2, 4), None),
        "BROADCAST_TO": ([[5, 2, 3, 4]], (5, 2, 3, 4), None),
    }
    for operator, (extra, shape, options) in simple.items():
        case = Case(f"{operator} float")
        yield case.done(
            operator, [case.input((2, 3, 4)), *(ints(case, value) for value in extra)], [(shape, F)], options
        )
    for name, fields, bounds, shape in (
        ("plain", {}, ([0, 0, 3], [2, 3, 0], [1, 2, -1]), (2, 2, 3)),
        ("masks", dict(begin_mask=1, end_mask=3, shrink_axis_mask=4), ([1, 1, 2], [1, 1, 3], [1, 1, 1]), (2, 2)),
        ("negative", dict(begin_mask=4, end_mask=4), ([0, -2, 0], [1, 3, 0], [1, 1, -1]), (1, 2, 4)),
    ):
        case = Case(f"STRIDED_SLICE {name}")
        yield case.done(
            "STRIDED_SLICE",
            [case.input((2, 3, 4)), *(ints(case, bound) for bound in bounds)],
            [(shape, F)],
            ("StridedSliceOptions", fields),
        )
    case = Case("SPLIT")
    yield case.done(
        "SPLIT", [ints(case, 2), case.input((2, 3, 4))], [((2, 3, 2), F)] * 2, ("SplitOptions", dict(num_splits=2))
    )
    case = Case("SPLIT_V")
    yield case.done(
        "SPLIT_V",
        [case.input((2, 3, 4)), ints(case, [1, 3]), ints(case, 2)],
        [((2, 3, 1), F), ((2, 3, 3), F)],
        ("SplitVOptions", dict(num_splits=2)),
    )
    case = Case("PACK")
    yield case.done(
        "PACK",
        [case.input((2, 3)), case.input((2, 3))],
        [((2, 2, 3), F)],
        ("PackOptions", dict(values_count=2, axis=1)),
    )
    case = Case("UNPACK")
    yield case.done("UNPACK", [case.input((2, 3))], [((2,), F)] * 3, ("UnpackOptions", dict(num=3, axis=1)))
    case = Case("SQUEEZE")
    yield case.done("SQUEEZE", [case.input((2, 1, 3, 1))], [((2, 3, 1), F)], ("SqueezeOptions", dict(squeeze_dims=[1])))
    for operator, table, shape, result in (
        ("SPACE_TO_DEPTH", "SpaceToDepthOptions", (2, 4, 6, 3), (2, 2, 3, 12)),
        ("DEPTH_TO_SPACE", "DepthToSpaceOptions", (2, 2, 3, 12), (2, 4, 6, 3)),
    ):
        case = Case(operator)
        yield case.done(operator, [case.input(shape)], [(result, F)], (table, dict(block_size=2)))
    case = Case("SPACE_TO_BATCH_ND")
    yield case.done(
        "SPACE_TO_BATCH_ND",
        [case.input((2, 4, 5, 3)), ints(case, [2, 3]), ints(case, [[0, 0], [1, 0]])],
        [((12, 2, 2, 3), F)],
    )
    case = Case("BATCH_TO_SPACE_ND")
    yield case.done(
        "BATCH_TO_SPACE_ND",
        [case.input((12, 2, 2, 3)), ints(case, [2, 3]), ints(case, [[0, 0], [1, 0]])],
        [((2, 4, 5, 3), F)],
    )
    case = Case("ONE_HOT")
    yield case.done(
        "ONE_HOT",
        [
            case.input((2, 3), I32, value=case.random.randint(0, 5, (2, 3))),
            ints(case, 5),
            case.constant(F(2)),
            case.constant(F(-1)),
        ],
        [((2, 3, 5), F)],
        ("OneHotOptions", dict(axis=-1)),
    )


def _others() -> Iterator[Any]:
    for operator, table in (("ARG_MAX", "ArgMaxOptions"), ("ARG_MIN", "ArgMinOptions")):
        case = Case(operator)
        yield case.done(
            operator,
            [case.input((3, 9)), case.constant(np.array(1, I32))],
            [((3,), np.int64)],
            (table, dict(output_type=4)),
        )
    case = Case("TOPK_V2")
    yield case.done("TOPK_V2", [case.input((3, 9)), case.constant(np.array(4, I32))], [((3, 4), F), ((3, 4), I32)])
    case = Case("CAST")
    yield case.done(
        "CAST", [case.input((3, 9))], [((3, 9), I32)], ("CastOptions", dict(in_data_type=0, out_data_type=2))
    )
    case = Case("SELECT")
    yield case.done("SELECT", [case.input((3, 9), np.bool_), case.input((3, 9)), case.input((3, 9))], [((3, 9), F)])
    case = Case("FAKE_QUANT")
    yield case.done(
        "FAKE_QUANT", [case.input((3, 40))], [((3, 40), F)], ("FakeQuantOptions", dict(min=-1.1, max=3.3, num_bits=8))
    )
    for peephole in (False, True):
        case = Case(f"UNIDIRECTIONAL_SEQUENCE_LSTM peephole {peephole}")
        depth, units, batch = 5, 6, 2

        def small(*shape: int, case: Case = case) -> int:
            return case.constant((case.values(shape, F) / 8).astype(F))

        inputs = (
            [case.input((4, batch, depth))]
            + [small(units, depth) for _ in range(4)]
            + [small(units, units) for _ in range(4)]
        )
        inputs += [small(units) if peephole else -1 for _ in range(3)] + [small(units) for _ in range(4)] + [-1, -1]
        inputs += [case.builder.tensor(f"state{i}", (batch, units), F, variable=True) for i in range(2)]
        inputs += [-1] * 4
        yield case.done(
            "UNIDIRECTIONAL_SEQUENCE_LSTM",
            inputs,
            [((4, batch, units), F)],
            ("UnidirectionalSequenceLSTMOptions", dict(fused_activation_function=4, time_major=True)),
        )
    from flatbuffers import flexbuffers

    for regular in (False, True):
        case = Case(f"TFLite_Detection_PostProcess regular {regular}")
        anchors = case.random.uniform(0.1, 0.9, (12, 4)).astype(F)
        custom = flexbuffers.Dumps(
            dict(
                max_detections=5,
                max_classes_per_detection=1,
                detections_per_class=10,
                use_regular_nms=regular,
                num_classes=3,
                nms_score_threshold=0.1,
                nms_iou_threshold=0.4,
                y_scale=10.0,
                x_scale=10.0,
                h_scale=5.0,
                w_scale=5.0,
            )
        )
        inputs = [
            case.input((1, 12, 4)),
            case.input((1, 12, 4), value=case.random.rand(1, 12, 4)),
            case.constant(anchors),
        ]
        yield case.done(
            "TFLite_Detection_PostProcess",
            inputs,
            [((1, 5, 4), F), ((1, 5), F), ((1, 5), F), ((1,), F)],
            custom_options=bytes(custom),
        )
