"""Names that TensorFlow had before 1.0, for the scripts that were written for them.

A script that asks whether a name is there (`hasattr`, or a `try` around it) was written for later versions too: it is
told that the name is gone, as 1.15 would.
"""

from __future__ import annotations

import ast
import dis
import functools
import importlib
import linecache
import sys
from types import FrameType
from typing import Any

_RENAMED: dict[str, str] = {
    "image.per_image_whitening": "image.per_image_standardization",
    "nn.bidirectional_rnn": "nn.static_bidirectional_rnn",
    "nn.rnn": "nn.static_rnn",
    "nn.rnn_cell.EmbeddingWrapper": "contrib.rnn.EmbeddingWrapper",
    "nn.rnn_cell.InputProjectionWrapper": "contrib.rnn.InputProjectionWrapper",
    "nn.rnn_cell.OutputProjectionWrapper": "contrib.rnn.OutputProjectionWrapper",
    "nn.rnn_cell._linear": "contrib.rnn._linear",
    "nn.rnn_cell.linear": "contrib.rnn._linear",
    "nn.seq2seq": "contrib.legacy_seq2seq",
    "nn.state_saving_rnn": "nn.static_state_saving_rnn",
    "train.SummaryWriterCache": "summary.FileWriterCache",
    "batch_cholesky": "cholesky",
    "batch_cholesky_solve": "cholesky_solve",
    "batch_fft": "fft",
    "batch_fft2d": "fft2d",
    "batch_fft3d": "fft3d",
    "batch_ifft": "ifft",
    "batch_ifft2d": "ifft2d",
    "batch_ifft3d": "ifft3d",
    "batch_matrix_band_part": "matrix_band_part",
    "batch_matrix_determinant": "matrix_determinant",
    "batch_matrix_diag": "matrix_diag",
    "batch_matrix_diag_part": "matrix_diag_part",
    "batch_matrix_inverse": "matrix_inverse",
    "batch_matrix_set_diag": "matrix_set_diag",
    "batch_matrix_solve": "matrix_solve",
    "batch_matrix_solve_ls": "matrix_solve_ls",
    "batch_matrix_transpose": "matrix_transpose",
    "batch_matrix_triangular_solve": "matrix_triangular_solve",
    "batch_self_adjoint_eig": "self_adjoint_eig",
    "batch_self_adjoint_eigvals": "self_adjoint_eigvals",
    "batch_svd": "svd",
}  # fmt: skip
"""Names that are not in the API any more, and what they stand for."""

_KEPT: dict[str, str] = {
    "audio_summary": "summary.audio",
    "batch_matmul": "matmul",
    "complex_abs": "abs",
    "concat_v2": "concat",
    "histogram_summary": "summary.histogram",
    "image_summary": "summary.image",
    "inv": "reciprocal",
    "listdiff": "setdiff1d",
    "merge_all_summaries": "summary.merge_all",
    "merge_summary": "summary.merge",
    "mul": "multiply",
    "neg": "negative",
    "pack": "stack",
    "scalar_summary": "summary.scalar",
    "select": "where",
    "split_v": "split",
    "sub": "subtract",
    "train.SummaryWriter": "summary.FileWriter",
    "unpack": "unstack",
}
"""Names that Ossia's API has still, and under which name 1.0 went on with them."""

_told: set[str] = set()


def note(name: str, frame: FrameType) -> None:
    """Takes note that a program looks up a name below `tf`.

    Raises:
        AttributeError: It is one of before 1.0, and the program knows what to do without it.
    """
    if name in _KEPT or name in _RENAMED:
        if not _takes_attribute(frame) or _is_tried(frame):
            raise AttributeError(f"module 'tensorflow' has no attribute {name!r}")
        tell(name, f"is tf.{_KEPT.get(name) or _RENAMED[name]} since 1.0", frame)


def member(name: str) -> Any:
    """What a name that is not in the API any more stands for; None if it was never there."""
    if name not in _RENAMED:
        return None
    module, _, last = f"ossia.{_RENAMED[name]}".rpartition(".")
    return getattr(importlib.import_module(module), last)


def tell(name: str, what: str, frame: FrameType) -> None:
    """Says once, on standard error, that a name or a way to call it is of before 1.0."""
    if name not in _told:
        _told.add(name)
        place = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        print(f"ossia run: {place}: tf.{name} is of TensorFlow 0.x: it {what}", file=sys.stderr)


def _takes_attribute(frame: FrameType) -> bool:
    """Whether a frame looks a name up as `module.name` or by `from module import name`, not by `hasattr`."""
    operation = dis.opname[frame.f_code.co_code[frame.f_lasti]]
    return operation.startswith(("LOAD_ATTR", "LOAD_METHOD", "IMPORT_FROM"))


def _is_tried(frame: FrameType) -> bool:
    """Whether the line that a frame is at stands in a `try` with handlers that would catch an AttributeError."""
    return any(first <= frame.f_lineno <= last for first, last in _tried_lines(frame.f_code.co_filename))


@functools.cache
def _tried_lines(path: str) -> list[tuple[int, int]]:
    try:
        tree = ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:
        return []
    return [
        (node.body[0].lineno, node.body[-1].end_lineno or 0)
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and any(_catches(handler.type) for handler in node.handlers)
    ]


def _catches(kind: ast.expr | None) -> bool:
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(
        kind is None or isinstance(kind, ast.Name) and kind.id in ("AttributeError", "Exception", "BaseException")
        for kind in kinds
    )
