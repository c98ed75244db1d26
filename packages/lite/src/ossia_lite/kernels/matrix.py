"""Matrix products."""

from __future__ import annotations

import numpy as np

from ossia_lite import native
from ossia_lite.kernels import Call
from ossia_lite.kernels.convolution import centred, finish, requantize, shifted, shifted_weights
from ossia_lite.kernels.hybrid import quantize_rows


def fully_connected(call: Call, x: np.ndarray, weights: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    """Rows of `depth` elements times weights `[units, depth]`."""
    if weights.ndim != 2 or not weights.shape[1] or x.size % weights.shape[1]:
        raise ValueError(f"{call.name}: shapes {x.shape} and {weights.shape} do not fit.")
    if call.option("weights_format"):
        raise NotImplementedError("FULLY_CONNECTED with shuffled weights.")
    rows = x.reshape(-1, weights.shape[1])
    shape = (*x.shape[:-1], weights.shape[0]) if call.option("keep_num_dims") else (rows.shape[0], weights.shape[0])
    info = call.inputs[1]
    if x.dtype == np.float32 and weights.dtype != np.float32:
        quantized, scales, zeros = quantize_rows(rows, bool(call.option("asymmetric_quantize_inputs")))
        matrix = call.keep("hybrid", 1, lambda: weights.astype(np.float64).T)
        total = ((quantized - zeros) @ matrix * scales * (info.scales if info.scales.size > 1 else info.scale)).astype(
            np.float32
        )
    elif x.dtype == np.float32:
        total = native.product(call, rows, weights)
    else:
        matrix, sums, _ = call.keep("weights", 1, lambda: shifted_weights(call, weights, (1,)))
        return requantize(call, native.product(call, shifted(rows, matrix.dtype), matrix), bias, extra=sums).reshape(
            shape
        )
    return finish(total, bias, call.option("fused_activation_function")).reshape(shape)


def batch_matmul(call: Call, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Products of the matrices in the last two dimensions."""
    left = np.swapaxes(x, -1, -2) if call.option("adj_x") else x
    right = np.swapaxes(y, -1, -2) if call.option("adj_y") else y
    if x.dtype == np.float32 and y.dtype == np.float32:
        return np.matmul(left, right)
    if x.dtype == np.float32:
        rows, scales, zeros = quantize_rows(
            left.reshape(-1, left.shape[-1]), bool(call.option("asymmetric_quantize_inputs"))
        )
        whole = ((rows - zeros) * scales).reshape(left.shape)
        return (np.matmul(whole, right.astype(np.float64)) * call.inputs[1].scale).astype(np.float32)
    return requantize(call, np.matmul(centred(call, 0, left), centred(call, 1, right)), None)
