"""Connectionist temporal classification: the loss of unaligned labels, and decoders."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import merge_dim, with_rank
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import FailedPreconditionError, InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import prevent_gradient_op
from ossia_ops.array.shape import expand_dims
from ossia_ops.array.transposition import transpose
from ossia_ops.nn import ctc_kernels

_T = "{float, double} = DT_FLOAT"
_X = np.random.RandomState(3).randn(5, 2, 4).astype("f4")
_LENGTHS = np.array([5, 3], "i4")


def _batch(inputs: Any, sequence_length: Any) -> tuple[int | None, int | None, int | None]:
    """The sizes of time, batch (also the length of `sequence_length`) and classes."""
    times, batch, classes = with_rank(inputs, 3).as_tuple()
    return times, merge_dim(batch, with_rank(sequence_length, 1).as_tuple()[0]), classes


def _check_inputs(inputs: np.ndarray, lengths: np.ndarray, error: type[Exception]) -> None:
    if inputs.ndim != 3:
        raise InvalidArgumentError(None, None, "inputs is not a 3-Tensor")
    if lengths.ndim != 1:
        raise InvalidArgumentError(None, None, "sequence_length is not a vector")
    times, batch, classes = inputs.shape
    if len(lengths) != batch:
        raise error(
            None,
            None,
            f"len(sequence_length) != batch_size.  len(sequence_length):  {len(lengths)} batch_size: {batch}",
        )
    if not times:
        raise InvalidArgumentError(None, None, "max_time is 0")
    wrong = np.flatnonzero(lengths > times)
    if wrong.size:
        raise error(None, None, f"sequence_length({int(wrong[0])}) <= {times}")
    if not classes:
        raise InvalidArgumentError(None, None, "num_classes is 0")


ctc_loss_op = op(
    "CTCLoss(inputs: T, labels_indices: int64, labels_values: int32, sequence_length: int32) -> loss: T, gradient: T",
    preprocess_collapse_repeated="bool = false",
    ctc_merge_repeated="bool = true",
    ignore_longer_outputs_than_inputs="bool = false",
    T=_T,
)


@ctc_loss_op.shape
def _(inputs, labels_indices, labels_values, sequence_length):
    merge_dim(with_rank(labels_indices, 2).as_tuple()[0], with_rank(labels_values, 1).as_tuple()[0])
    times, batch, classes = _batch(inputs, sequence_length)
    return TensorShape([batch]), TensorShape([times, batch, classes])


def _labels_of(indices: np.ndarray, values: np.ndarray, batch: int) -> list[list[int]]:
    """The labels of each example of a batch.

    Raises:
      InvalidArgumentError: indices that are out of range or out of order, or an example without labels.
    """
    if values.ndim != 1 or indices.shape != (len(values), 2):
        raise InvalidArgumentError(
            None,
            None,
            f"labels_indices and labels_values must contain the same number of rows, but saw shapes: "
            f"{dims_text(indices.shape)} vs. {dims_text(values.shape)}",
        )
    wrong = np.flatnonzero(((indices < 0) | (indices[:, :1] >= batch)).any(1))
    if wrong.size:
        raise InvalidArgumentError(
            None,
            None,
            f"label SparseTensor is not valid: indices[{wrong[0]}] = {dims_text(indices[wrong[0]])} is out of bounds: "
            f"need 0 <= index < [{batch},{max(1, int(indices[:, 1].max()) + 1)}]",
        )
    rows = indices.tolist()
    for i in range(1, len(rows)):
        if rows[i] <= rows[i - 1]:
            what = "repeated" if rows[i] == rows[i - 1] else (
                "out of order. Many sparse ops require sorted indices"
            )
            raise InvalidArgumentError(
                None, None, f"label SparseTensor is not valid: indices[{i}] = {dims_text(rows[i])} is {what}"
            )
    found: list[list[int]] = [[] for _ in range(batch)]
    for (example, *_), value in zip(rows, values.tolist()):
        found[example].append(value)
    return found


def _cleaned(labels: list[int], example: int, blank: int, collapse: bool) -> list[int]:
    """Labels up to the first that no class has."""
    if not labels:
        raise InvalidArgumentError(None, None, f"Labels length is zero in batch {example}")
    text = ",".join(map(str, labels[:100]))
    if min(labels) < 0:
        raise InvalidArgumentError(
            None, None, f"All labels must be nonnegative integers, batch: {example} labels: {text}"
        )
    end = next((i for i, label in enumerate(labels) if label >= blank), len(labels))
    if any(label < blank for label in labels[end:]):
        raise InvalidArgumentError(
            None,
            None,
            f"Saw a non-null label (index >= num_classes - 1) following a null label, batch: {example} num_classes: "
            f"{blank + 1} labels: {text} labels seen so far: {','.join(map(str, labels[:end]))}",
        )
    kept = labels[:end]
    return [label for i, label in enumerate(kept) if not (collapse and i and label == kept[i - 1])]


@ctc_loss_op.kernel
def _(
    inputs,
    labels_indices,
    labels_values,
    sequence_length,
    *,
    preprocess_collapse_repeated,
    ctc_merge_repeated,
    ignore_longer_outputs_than_inputs,
):
    _check_inputs(inputs, sequence_length, InvalidArgumentError)
    batch, blank = inputs.shape[1], inputs.shape[2] - 1
    if not batch:
        raise InvalidArgumentError(None, None, "batch_size must not be 0")
    labels = [
        _cleaned(row, i, blank, preprocess_collapse_repeated)
        for i, row in enumerate(_labels_of(labels_indices, labels_values, batch))
    ]
    if (sequence_length < 0).any():
        raise InvalidArgumentError(None, None, f"seq_len({int((sequence_length < 0).argmax())}) < 0")
    short = np.array([len(row) for row in labels]) > sequence_length
    if short.any():
        if not ignore_longer_outputs_than_inputs:
            at = int(np.flatnonzero(short)[0])
            raise InvalidArgumentError(
                None,
                None,
                f"Not enough time for target transition sequence (required: {len(labels[at])}, available: "
                f"{sequence_length[at]}). You can turn this error into a warning by using the flag "
                "ignore_longer_outputs_than_inputs",
            )
        labels = [[] if skipped else row for skipped, row in zip(short.tolist(), labels)]
    lengths = np.where(short, 0, sequence_length)
    loss, gradient = ctc_kernels.loss_and_gradient(inputs, labels, lengths, ctc_merge_repeated)
    loss[short] = 0
    return loss, gradient


@ctc_loss_op.gradient
def _(node, grad, unused_gradient_grad):
    once = prevent_gradient_op(
        node.outputs[1],
        message="Currently there is no way to take the second  derivative of ctc_loss due to the fused "
        "implementation's interaction  with tf.gradients()",
    )
    return expand_dims(grad, -1) * once, None, None, None


_INDICES, _VALUES = np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 1, 2], "i4")
ctc_loss_op.samples(
    plain=(_X, _INDICES, _VALUES, _LENGTHS),
    double=(_X.astype("f8"), _INDICES, _VALUES, _LENGTHS),
    collapse=sample(_X, _INDICES, _VALUES, _LENGTHS, preprocess_collapse_repeated=True),
    once=sample(_X, _INDICES, _VALUES, _LENGTHS, ctc_merge_repeated=False),
    short=sample(_X, _INDICES, _VALUES, np.array([1, 3], "i4"), ignore_longer_outputs_than_inputs=True),
)


@public("nn.ctc_loss")
def ctc_loss(
    labels: Any,
    inputs: Any = None,
    sequence_length: Any = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: Any = None,
) -> Tensor:
    """Minus the log probability of labels whose places in time are not known (Graves et al. 2006).

    Args:
      labels: an int32 SparseTensor [batch, labels]; each row has a label at least, each less than `classes - 1`.
      inputs: float or double logits [time, batch, classes]; the last class is the blank.
      sequence_length: int32 [batch], the number of frames of each example.
      preprocess_collapse_repeated: whether equal neighbours in the labels are one label.
      ctc_merge_repeated: whether equal classes of successive frames are one label.
      ignore_longer_outputs_than_inputs: whether an example with more labels than frames counts as 0, with no
        gradient, instead of being an error.
      time_major: whether time is the first dimension of the logits; they are [batch, time, classes] otherwise.
      logits: the newer name of `inputs`.

    Returns:
      A vector [batch] of the dtype of the logits; infinite where no alignment is possible.

    Raises:
      TypeError: `labels` is not a SparseTensor.
      ValueError: shapes that do not fit, or both `inputs` and `logits`.
    """
    if not isinstance(labels, SparseTensor):
        raise TypeError("Expected labels (first argument) to be a SparseTensor")
    if logits is not None:
        if inputs is not None:
            raise ValueError("Cannot specify both 'inputs' and 'logits'")
        inputs = logits
    if not time_major:
        inputs = transpose(inputs, [1, 0, 2])
    return ctc_loss_op(
        inputs,
        labels.indices,
        labels.values,
        sequence_length,
        preprocess_collapse_repeated=preprocess_collapse_repeated,
        ctc_merge_repeated=ctc_merge_repeated,
        ignore_longer_outputs_than_inputs=ignore_longer_outputs_than_inputs,
    )[0]


def _sparse_rows(rows: list[Any]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Indices, values and shape of labels as a sparse matrix."""
    counts = [len(row) for row in rows]
    indices = np.empty((sum(counts), 2), np.int64)
    indices[:, 0] = np.repeat(np.arange(len(rows)), counts)
    indices[:, 1] = np.concatenate([np.arange(n) for n in counts]) if counts else ()
    values = np.concatenate([np.asarray(row, np.int64) for row in rows]) if rows else np.empty(0, np.int64)
    return indices, values, np.array([len(rows), max(counts, default=0)])


ctc_greedy_decoder_op = op(
    "CTCGreedyDecoder(inputs: T, sequence_length: int32) -> decoded_indices: int64, decoded_values: int64, "
    "decoded_shape: int64, log_probability: T",
    merge_repeated="bool = false",
    T=_T,
)


@ctc_greedy_decoder_op.shape
def _(inputs, sequence_length):
    _, batch, _ = _batch(inputs, sequence_length)
    return TensorShape([None, 2]), TensorShape([None]), TensorShape([2]), TensorShape([batch, 1])


@ctc_greedy_decoder_op.kernel
def _(inputs, sequence_length, *, merge_repeated):
    _check_inputs(inputs, sequence_length, FailedPreconditionError)
    rows, scores = ctc_kernels.greedy(inputs, sequence_length, merge_repeated)
    return (*_sparse_rows(rows), scores)


ctc_greedy_decoder_op.not_differentiable()
ctc_greedy_decoder_op.samples(
    plain=(_X, _LENGTHS), merged=sample(_X, _LENGTHS, merge_repeated=True), none=(_X, np.zeros(2, "i4"))
)


@public("nn.ctc_greedy_decoder")
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: bool = True) -> Any:
    """The labels of the most likely class of each frame.

    Args:
      inputs: float or double logits [time, batch, classes]; the last class is the blank.
      sequence_length: int32 [batch], the number of frames of each example.
      merge_repeated: whether equal classes of successive frames are one label.

    Returns:
      ([decoded], neg_sum_logits): an int64 SparseTensor [batch, labels], and minus the sum of the logits, [batch, 1].
    """
    indices, values, shape, scores = ctc_greedy_decoder_op(inputs, sequence_length, merge_repeated=merge_repeated)
    return [SparseTensor(indices, values, shape)], scores


ctc_beam_search_decoder_op = op(
    "CTCBeamSearchDecoder(inputs: T, sequence_length: int32) -> decoded_indices: top_paths * int64, "
    "decoded_values: top_paths * int64, decoded_shape: top_paths * int64, log_probability: T",
    beam_width="int32 >= 1",
    top_paths="int32 >= 1",
    merge_repeated="bool = true",
    T=_T,
)


@ctc_beam_search_decoder_op.shape
def _(inputs, sequence_length, *, top_paths):
    _, batch, _ = _batch(inputs, sequence_length)
    pairs, vector, two = TensorShape([None, 2]), TensorShape([None]), TensorShape([2])
    return [pairs] * top_paths, [vector] * top_paths, [two] * top_paths, TensorShape([batch, top_paths])


@ctc_beam_search_decoder_op.kernel
def _(inputs, sequence_length, *, beam_width, top_paths, merge_repeated):
    _check_inputs(inputs, sequence_length, FailedPreconditionError)
    if top_paths > beam_width:
        raise InvalidArgumentError(None, None, "requested more paths than the beam width.")
    batch = inputs.shape[1]
    rows: list[list] = [[] for _ in range(top_paths)]
    scores = np.empty((batch, top_paths), inputs.dtype)
    for b, length in enumerate(sequence_length.tolist()):
        tree, nodes, found = ctc_kernels.beam_search(inputs[: max(length, 0), b], beam_width)
        if len(nodes) < top_paths:
            raise InvalidArgumentError(None, None, "Less leaves in the beam search than requested.")
        scores[b] = found[:top_paths]
        for row, node in zip(rows, nodes):
            row.append(tree.labelling(node, merge_repeated))
    decoded = [_sparse_rows(row) for row in rows]
    return *(list(part) for part in zip(*decoded)), scores


ctc_beam_search_decoder_op.not_differentiable()
ctc_beam_search_decoder_op.samples(
    plain=sample(_X, _LENGTHS, beam_width=4, top_paths=2),
    unmerged=sample(_X, _LENGTHS, beam_width=10, top_paths=3, merge_repeated=False),
)


@public("nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder(
    inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1, merge_repeated: bool = True
) -> Any:
    """The most likely labellings, found by beam search.

    Args:
      inputs: float or double logits [time, batch, classes]; the last class is the blank.
      sequence_length: int32 [batch], the number of frames of each example.
      beam_width: how many labellings are kept after each frame.
      top_paths: how many labellings to return, `beam_width` at most.
      merge_repeated: whether equal neighbours in a labelling are returned once.

    Returns:
      (decoded, log_probability): a list of `top_paths` int64 SparseTensors [batch, labels], best first, and their log
      probabilities, [batch, top_paths].
    """
    indices, values, shapes, scores = ctc_beam_search_decoder_op(
        inputs, sequence_length, beam_width=beam_width, top_paths=top_paths, merge_repeated=merge_repeated
    )
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes)], scores


@public("nn.ctc_beam_search_decoder_v2", "compat.v2.nn.ctc_beam_search_decoder")
def ctc_beam_search_decoder_v2(inputs: Any, sequence_length: Any, beam_width: int = 100, top_paths: int = 1) -> Any:
    """Like `ctc_beam_search_decoder` without `merge_repeated`: labellings are returned as they are."""
    return ctc_beam_search_decoder(inputs, sequence_length, beam_width, top_paths, merge_repeated=False)
