"""The CTC loss with dense labels and a blank of any index, and what prepares labels."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import functional
from ossia_core.graph.composites import SparseTensor
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape, dimension_value
from ossia_core.plugins.api_table import public
from ossia_derivatives.custom_gradient import custom_gradient
from ossia_ops.array.concat import concat
from ossia_ops.array.eye import eye
from ossia_ops.array.fill import fill, ones, ones_like, zeros, zeros_like
from ossia_ops.array.masking import boolean_mask, sequence_mask
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.padding import pad
from ossia_ops.array.scatter import scatter_nd
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, reshape, shape, squeeze
from ossia_ops.array.stacking import stack
from ossia_ops.array.tiling import tile
from ossia_ops.array.transposition import transpose
from ossia_ops.array.unique import unique as unique_of
from ossia_ops.control.functional import map_fn
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import equal, not_equal
from ossia_ops.math.exponential import exp, log
from ossia_ops.math.logical import logical_and
from ossia_ops.math.reduction import reduce_max, reduce_sum
from ossia_ops.math.sequence import range as range_of
from ossia_ops.math.statistics import reduce_logsumexp
from ossia_ops.nn.ctc import ctc_loss
from ossia_ops.nn.softmax import log_softmax

_IMPOSSIBLE = 1e-307  # the probability that stands for 0 in the first and the last states
_BLANK_AND_LABEL = 2  # states that a label makes, one where it lasts and one for the blank after it


def _size(tensor: Tensor | np.ndarray, axis: int) -> Any:
    dims = TensorShape(tensor.shape)
    known = None if dims.ndims is None else dimension_value(dims[axis])
    return shape(tensor)[axis] if known is None else known


@public("nn.ctc_loss_v2", "compat.v2.nn.ctc_loss")
def ctc_loss_v2(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Minus the log probability of labels whose places in time are not known (Graves et al. 2006).

    Args:
      labels: a tensor of integers [batch, labels], or an int32 SparseTensor of that shape.
      logits: float logits [time, batch, classes].
      label_length: the number of labels of each example, [batch]; not used for sparse labels.
      logit_length: the number of frames of each example, [batch].
      logits_time_major: whether time is the first dimension of the logits; they are [batch, time, classes] otherwise.
      unique: what `ctc_unique_labels(labels)` returns, with which the gradient needs less memory; the sizes of the
        logits have to be known then.
      blank_index: the class of the blank, counted from the end if it is negative; 0 for dense labels if None.
      name: name of the scope.

    Returns:
      A vector [batch] of the dtype of the logits.

    Raises:
      ValueError: sparse labels without a `blank_index`.
    """
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise ValueError("blank_index must be given when using SparseTensor labels.")
        return _sparse_loss(labels, logits, logit_length, logits_time_major, blank_index)
    return _dense_loss(
        labels, logits, label_length, logit_length, logits_time_major, unique, blank_index or 0, name
    )


def _sparse_loss(labels: SparseTensor, logits: Any, lengths: Any, time_major: bool, blank: Any) -> Tensor:
    """The loss of sparse labels: the blank becomes the last class."""
    logits = convert_to_tensor(logits)
    if blank < 0:
        blank = blank + _size(logits, 2)
    if not (isinstance(blank, int) and blank == dimension_value(logits.shape[2] if logits.shape.ndims else None)):
        last = _size(logits, 2) - 1
        if isinstance(blank, Tensor) or isinstance(last, Tensor) or blank != last:
            parts = [logits[:, :, :blank], logits[:, :, blank + 1:], logits[:, :, blank:blank + 1]]
            logits = concat(parts, axis=2)
            values = where(labels.values < blank, labels.values, labels.values - 1)
            labels = SparseTensor(labels.indices, values, labels.dense_shape)
    return ctc_loss(labels=labels, inputs=logits, sequence_length=lengths, time_major=time_major)


def _dense_loss(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    time_major: bool,
    unique: Any,
    blank: Any,
    name: str | None,
) -> Tensor:
    with name_scope(name, "ctc_loss_dense", [logits, labels, label_length, logit_length]):
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        label_length = convert_to_tensor(label_length, name="label_length")
        logit_length = convert_to_tensor(logit_length, name="logit_length")
        if not time_major:
            logits = transpose(logits, perm=[1, 0, 2])
        if isinstance(blank, Tensor) or blank != 0:
            if blank < 0:
                blank = blank + _size(logits, 2)
            parts = [logits[:, :, blank:blank + 1], logits[:, :, :blank], logits[:, :, blank + 1:]]
            logits = concat(parts, axis=2)
            labels = where(labels < blank, labels + 1, labels)

        @custom_gradient
        def loss(logits: Tensor, labels: Tensor, label_length: Tensor, logit_length: Tensor, *uniques: Tensor) -> Any:
            value, derivative = loss_and_gradient(logits, labels, label_length, logit_length, uniques)

            def grad(of_loss: Tensor) -> list[Any]:
                return [reshape(of_loss, [1, -1, 1]) * derivative] + [None] * (3 + len(uniques))

            return value, grad

        return loss(logits, labels, label_length, logit_length, *(unique or ()))


def loss_and_gradient(
    logits: Tensor, labels: Tensor, label_length: Tensor, logit_length: Tensor, unique: Any
) -> Any:
    """The loss, and its derivative by the logits. The blank is class 0."""
    classes, most_labels = _size(logits, 2), _size(labels, 1)
    probabilities = log_softmax(logits)
    observed = state_probabilities(labels, classes, probabilities)
    transitions = label_transitions(labels)
    first, last = ends(label_length, most_labels)
    through, total = forward_backward(log(transitions), first, last, observed, logit_length)
    of_classes = class_probabilities(labels, classes, through, unique)
    derivative = exp(probabilities) - exp(of_classes)
    return -total, derivative


def state_probabilities(labels: Tensor, classes: Any, probabilities: Tensor) -> Tensor:
    """Log probabilities of what each state emits: a start that emits nothing, the labels, and a blank by each."""
    states = _size(labels, 1)
    blank = tile(probabilities[:, :, :1], [1, 1, states + 1])
    chosen = expand_dims(one_hot(labels, depth=classes), axis=0)
    of_labels = reduce_sum(expand_dims(probabilities, axis=2) * chosen, axis=3)
    states_of = concat([of_labels, blank], axis=2)
    return pad(states_of, [[0, 0], [0, 0], [1, 0]], constant_values=log(0.0))


def label_transitions(labels: Tensor) -> Tensor:
    """[batch, states, states]: 1 where one state may follow another."""
    with name_scope("ctc_state_trans"):
        batch = _size(labels, 0)
        half = _size(labels, 1) + 1
        states = 2 * half
        of_labels = range_of(half)
        of_blanks = of_labels + half
        to_label = stack([of_labels[1:], of_blanks[:-1]], 1)
        to_blank = stack([of_blanks, of_labels], 1)
        indices = concat([[[1, 0]], to_label, to_blank], 0)
        always = scatter_nd(indices, ones([_size(indices, 0)]), shape=[states, states])
        always += eye(states)
        example = zeros_like(of_labels[2:])
        indices = stack([example, of_labels[2:], of_labels[1:-1]], 1)
        indices = tile(expand_dims(indices, 0), [batch, 1, 1])
        examples = expand_dims(range_of(batch), 1) * [1, 0, 0]
        indices += expand_dims(examples, 1)
        repeated = equal(labels[:, :-1], labels[:, 1:])
        values = 1.0 - cast(repeated, dtypes.float32)
        between_labels = scatter_nd(indices, values, [batch, states, states])
        return expand_dims(always, 0) + between_labels


def ends(label_length: Tensor, most_labels: Any) -> tuple[Tensor, Tensor]:
    """Log probabilities of the states before the first frame and after the last, [batch, states]."""
    batch = _size(label_length, 0)
    half = most_labels + 1
    states = _BLANK_AND_LABEL * half
    nothing = cast(log(cast(0, dtypes.float64) + _IMPOSSIBLE), dtypes.float32)
    first = one_hot(zeros([batch], dtype=dtypes.int32), depth=states, on_value=0.0, off_value=nothing, axis=1)
    is_last = one_hot(label_length, depth=half, axis=0)
    is_last = ones([_BLANK_AND_LABEL, 1, batch]) * is_last
    last = reshape((1.0 - is_last) * nothing, [states, batch])
    return first, transpose(last)


def forward_backward(
    transitions: Tensor, first: Tensor, last: Tensor, observed: Tensor, lengths: Tensor
) -> tuple[Tensor, Tensor]:
    """Log probabilities of each state given the labels, [time, batch, states], and of the labels, [batch]."""
    backwards = transpose(transitions, perm=[0, 2, 1])
    batch = _size(observed, 1)

    def forward(states: Any, elements: Any) -> list[Tensor]:
        state = reduce_logsumexp(expand_dims(states[0], axis=1) + transitions, axis=-1) + elements[0]
        return [state - reduce_logsumexp(state, axis=-1, keepdims=True)]

    def backward(states: Any, elements: Any) -> list[Tensor]:
        (state, total), (emitted, inside) = states, elements
        state = reduce_logsumexp(expand_dims(state + emitted, axis=1) + backwards, axis=-1)
        scale = reduce_logsumexp(state, axis=-1, keepdims=True)
        state = state - scale
        total = total + squeeze(scale) * inside
        inside = expand_dims(inside, axis=1)
        return [state * inside + last * (1.0 - inside), total]

    scan = functional("scan")
    (alpha,) = scan(forward, [observed], [first])
    nothing = zeros([batch])
    inside = transpose(sequence_mask(lengths, _size(observed, 0), dtypes.float32), perm=[1, 0])
    beta, totals = scan(backward, [observed, inside], [last, nothing], reverse=True)
    through = alpha[1:] + beta[1:]
    through = through - reduce_logsumexp(through, axis=2, keepdims=True)
    through = through + log(expand_dims(inside, axis=2))
    return through, beta[0, :, 0] + totals[0]


def class_probabilities(labels: Tensor, classes: Any, states: Tensor, unique: Any) -> Tensor:
    """Log probabilities of the states as those of the classes."""
    half = _size(labels, 1) + 1
    of_labels, of_blanks = states[:, :, 1:half], states[:, :, half:]
    if unique:
        of_labels = _of_unique_labels(of_labels, half - 1, classes, states.shape, *unique)
    else:
        is_class = one_hot(labels - 1, depth=classes - 1, on_value=0.0, off_value=log(0.0))
        is_class = expand_dims(is_class, axis=0)
        of_labels = reduce_logsumexp(expand_dims(of_labels, axis=3) + is_class, axis=2)
    blank = reduce_logsumexp(of_blanks, axis=2, keepdims=True)
    return concat([blank, of_labels], axis=-1)


def _of_unique_labels(states: Tensor, most: Any, classes: Any, sizes: Any, values: Tensor, places: Tensor) -> Tensor:
    """Log probabilities of the labels' states as those of the classes but the blank: one sum for each unique label."""
    times, batch = sizes[0], sizes[1]
    sums = summed_states(places, states)
    rows = reshape(transpose(sums, [1, 2, 0]), [batch * most, times])
    of_example = range_of(batch, dtype=values.dtype) * classes
    indices = reshape(values + expand_dims(of_example, -1), [-1, 1])
    moved = reshape(scatter_nd(indices, rows, [batch * classes, times]), [batch, classes, times])
    moved = where(equal(moved, 0.0), fill(shape(moved), log(0.0)), moved)
    return transpose(moved, [2, 0, 1])[:, :, 1:]


def summed_states(places: Tensor, states: Tensor) -> Tensor:
    """Log probabilities of states [time, batch, labels], those of the same place [batch, labels] as one."""
    with name_scope("sum_states"):
        each = expand_dims(states, axis=2)
        of_places = one_hot(places, depth=_size(states, 2), on_value=0.0, off_value=log(0.0), axis=1)
        return reduce_logsumexp(each + of_places, axis=-1)


@public("nn.ctc_unique_labels", "compat.v2.nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The different labels of each row, in the order of their first appearance, with zeros behind them.

    Args:
      labels: a tensor of integers [batch, labels].
      name: name of the scope.

    Returns:
      (unique labels, int64 [batch, labels], for each label its place among them [batch, labels]).
    """
    with name_scope(name, "ctc_unique_labels", [labels]):
        labels = convert_to_tensor(labels, name="labels")

        def of_row(row: Tensor) -> list[Tensor]:
            found = unique_of(row)
            padded = pad(found.y, [[0, _size(found.idx, 0) - shape(found.y)[0]]])
            return [cast(padded, dtypes.int64), found.idx]

        values, places = map_fn(of_row, labels, dtype=[dtypes.int64, dtypes.int32])
        return values, places


@public("nn.collapse_repeated", "compat.v2.nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Labels with equal neighbours once.

    Args:
      labels: a tensor [batch, labels].
      seq_length: the number of labels of each row, [batch].
      name: name of the scope.

    Returns:
      (labels [batch, most labels of a row], padded with zeros; their numbers [batch]).
    """
    with name_scope(name, "collapse_repeated_labels", [labels, seq_length]):
        labels = convert_to_tensor(labels, name="labels")
        seq_length = convert_to_tensor(seq_length, name="seq_length")
        first = ones_like(labels[:, :1], dtypes.bool)
        kept = concat([first, not_equal(labels[:, 1:], labels[:, :-1])], axis=1)
        kept = logical_and(kept, sequence_mask(seq_length, maxlen=_size(labels, 1)))
        counts = reduce_sum(cast(kept, dtypes.int32), axis=1)
        most = reduce_max(counts)
        places = sequence_mask(counts, maxlen=most)
        flat_labels, flat_kept, flat_places = reshape(labels, [-1]), reshape(kept, [-1]), reshape(places, [-1])
        targets = expand_dims(boolean_mask(range_of(_size(flat_places, 0)), flat_places), axis=1)
        moved = scatter_nd(targets, boolean_mask(flat_labels, flat_kept), shape(flat_places))
        batch = _size(labels, 0)
        return reshape(moved, [batch, most]), cast(counts, seq_length.dtype)
