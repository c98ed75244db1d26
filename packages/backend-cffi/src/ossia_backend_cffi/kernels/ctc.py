"""The makers of kernels of connectionist temporal classification."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_backend_cffi.kernels.registry import empty, kind_of, makes, pointer, threads_of
from ossia_core.backend import Kernel


@makes("CTCLoss")
def _ctc_loss(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi, attrs = native.lib, native.ffi, node.attrs
    collapse, merge = attrs["preprocess_collapse_repeated"], attrs["ctc_merge_repeated"]
    ignores = attrs["ignore_longer_outputs_than_inputs"]
    if session is None:
        return None

    def kernel(inputs: Any, indices: Any, values: Any, lengths: Any) -> Any:
        given = inputs, indices, values, lengths
        if kind_of(inputs) not in (0, 1) or inputs.ndim != 3 or not inputs.size or not values.size:
            return reference(*given)
        times, batch, classes = inputs.shape
        if lengths.shape != (batch,) or values.ndim != 1 or indices.shape != (len(values), 2):
            return reference(*given)
        rows, columns = indices[:, 0], indices[:, 1]
        steps = np.diff(rows)
        in_order = (steps > 0) | ((steps == 0) & (np.diff(columns) > 0))
        fitting = rows[0] >= 0 and rows[-1] < batch and columns.min() >= 0 and in_order.all()
        if not fitting or values.min() < 0 or values.max() >= classes - 1 or lengths.min() < 0 or lengths.max() > times:
            return reference(*given)
        if collapse and len(values) > 1:
            kept = np.append(True, (steps != 0) | (np.diff(values) != 0))
            rows, values = rows[kept], values[kept]
        counts = np.bincount(rows, minlength=batch)
        short = counts > lengths
        if counts.min() < 1 or (short.any() and not ignores):
            return reference(*given)
        sizes = np.array([times, batch, classes, len(values)], np.int64)
        starts = np.append(0, np.cumsum(counts))
        frames = np.where(short, 0, lengths).astype(np.int64)
        values = np.ascontiguousarray(values)
        loss, gradient = np.empty(batch, inputs.dtype), empty(inputs.shape, inputs.dtype)
        refused = lib.oc_ctc(
            kind_of(inputs), pointer(ffi, inputs), pointer(ffi, sizes, "int64_t *"), pointer(ffi, values, "int32_t *"),
            pointer(ffi, starts, "int64_t *"), pointer(ffi, frames, "int64_t *"), merge, threads_of(session),
            pointer(ffi, loss), pointer(ffi, gradient),
        )  # fmt: skip
        return reference(*given) if refused else (loss, gradient)

    return kernel


@makes("CTCBeamSearchDecoder")
def _beam_search(native: Any, node: Any, reference: Kernel, session: Any) -> Kernel | None:
    lib, ffi, attrs = native.lib, native.ffi, node.attrs
    width, paths, merge = attrs["beam_width"], attrs["top_paths"], attrs["merge_repeated"]
    if session is None or paths > width:
        return None

    def kernel(inputs: Any, lengths: Any) -> Any:
        if kind_of(inputs) not in (0, 1) or inputs.ndim != 3 or not inputs.size or lengths.shape != inputs.shape[1:2]:
            return reference(inputs, lengths)
        with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
            # As on NumPy, to the last bit.
            rows = inputs.astype(np.float64) - inputs.max(2, keepdims=True)
            rows -= np.log(np.exp(rows).sum(2, keepdims=True))
        times, batch, _ = inputs.shape
        sizes, frames = np.array([*inputs.shape, width, paths], np.int64), lengths.astype(np.int64)
        labels = empty((batch, paths, times), np.dtype(np.int64))
        counts, scores = np.empty((batch, paths), np.int64), np.empty((batch, paths))
        refused = lib.oc_beam_search(
            pointer(ffi, rows, "double *"), pointer(ffi, sizes, "int64_t *"), pointer(ffi, frames, "int64_t *"), merge,
            threads_of(session), pointer(ffi, labels, "int64_t *"), pointer(ffi, counts, "int64_t *"),
            pointer(ffi, scores, "double *"),
        )  # fmt: skip
        if refused:
            return reference(inputs, lengths)
        there = np.arange(times) < counts[:, :, None]
        indices = [np.argwhere(there[:, path]) for path in range(paths)]
        values = [labels[:, path][there[:, path]] for path in range(paths)]
        shapes = [np.array([batch, longest]) for longest in counts.max(0).tolist()]
        return indices, values, shapes, scores.astype(inputs.dtype, copy=False)

    return kernel
