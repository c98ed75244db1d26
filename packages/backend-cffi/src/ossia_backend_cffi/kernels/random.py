"""The makers of kernels of random draws: a run goes on in the node's stream where the last one ended, as on NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.registry import empty, makes, pointer, threads_of
from ossia_core.backend import Kernel
from ossia_ops.random.samplers.distributions import RESERVED
from ossia_ops.random.samplers.philox import Philox, Stream

_KINDS = {"float32": 0, "float64": 1, "int32": 2, "int64": 3}
_HALF = (1 << 64) - 1


def _drawn_from(native: Any, start: Philox) -> Any:
    return native.ffi.new("uint64_t[3]", [start.key, start.counter & _HALF, start.counter >> 64])


@makes("RandomGamma", "RandomPoisson", "RandomPoissonV2")
def _by_rejection(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    dtype = np.dtype(node.outputs[0].dtype.as_numpy_dtype)
    gamma = node.type == "RandomGamma"
    if session is None:
        return None
    drawn = np.dtype(np.float64) if dtype == np.float16 else dtype
    largest = float(np.finfo(dtype).max if dtype.kind == "f" else np.iinfo(dtype).max)
    stream = session.node_state(node.name, lambda: Stream(node.attrs["seed"], node.attrs["seed2"]))

    def kernel(shape: Any, parameter: Any) -> Any:
        parameters = np.array(parameter, np.float64, order="C")  # its own: they are checked first
        dims = shape.tolist() if shape.ndim == 1 else [-1]
        if min(dims, default=0) < 0 or not (gamma or ((parameters >= 0) & (parameters <= largest)).all()):
            return reference(shape, parameter)
        out = empty((*dims, *np.shape(parameter)), drawn)
        if out.size:
            start = _drawn_from(native, stream.reserve(out.size * RESERVED))
            native.lib.oc_rejection(
                gamma, _KINDS[drawn.name], start, out.size // parameters.size, parameters.size,
                pointer(native.ffi, parameters, "double *"), largest, threads_of(session), pointer(native.ffi, out),
            )  # fmt: skip
        with np.errstate(over="ignore"):
            return out.astype(dtype, copy=False)

    return kernel


# What is drawn, in which dtype, and its number in C; of 16 bits are single ones rounded.
_DRAWS = {
    ("RandomUniform", "float32"): (np.float32, 0),
    ("RandomUniform", "float64"): (np.float64, 1),
    ("RandomStandardNormal", "float16"): (np.float32, 2),
    ("RandomStandardNormal", "float32"): (np.float32, 2),
    ("RandomStandardNormal", "float64"): (np.float64, None),
    ("TruncatedNormal", "float16"): (np.float32, 3),
    ("TruncatedNormal", "float32"): (np.float32, 3),
}


@makes("RandomUniformInt")
def _integers(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    dtype = np.dtype(node.outputs[0].dtype.as_numpy_dtype)
    if session is None:
        return None
    lib, ffi, threads = native.lib, native.ffi, threads_of(session)
    stream = session.node_state(node.name, lambda: Stream(node.attrs["seed"], node.attrs["seed2"]))

    def kernel(shape: Any, low: Any, high: Any) -> Any:
        dims = shape.tolist() if shape.ndim == 1 else [-1]
        if min(dims, default=0) < 0 or np.ndim(low) or np.ndim(high) or low >= high:
            return reference(shape, low, high)
        out = empty(tuple(dims), dtype)
        start = _drawn_from(native, stream.reserve(out.size * RESERVED))
        low, span = int(low) & _HALF, int(high) - int(low)
        lib.oc_integer_draws(dtype.itemsize, start, out.size, low, span, threads, pointer(ffi, out))
        return out

    return kernel


@makes("RandomUniform", "RandomStandardNormal", "TruncatedNormal")
def _draws(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    dtype = np.dtype(node.outputs[0].dtype.as_numpy_dtype)
    drawn, how = _DRAWS.get((node.type, dtype.name), (None, None))
    if session is None or drawn is None:
        return None
    lib, ffi, threads = native.lib, native.ffi, threads_of(session)
    stream = session.node_state(node.name, lambda: Stream(node.attrs["seed"], node.attrs["seed2"]))

    def kernel(shape: Any) -> Any:
        dims = shape.tolist() if shape.ndim == 1 else [-1]
        if min(dims, default=0) < 0:
            return reference(shape)
        out = empty(tuple(dims), np.dtype(drawn))
        start = _drawn_from(native, stream.reserve(out.size * RESERVED))
        if how is None:
            lib.oc_normal_doubles(start, out.size, threads, pointer(ffi, out, "double *"))
        else:
            lib.oc_draws(how, start, out.size, threads, pointer(ffi, out))
        return out.astype(dtype, copy=False)

    return kernel
