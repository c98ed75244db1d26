"""Cross entropies of logits and labels, and other losses per element."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import SCALAR, broadcast, merge, merge_dim, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.fill import ones_like, zeros_like
from ossia_ops.array.selection import where
from ossia_ops.array.shape import expand_dims, rank, reshape, shape, squeeze
from ossia_ops.math.arithmetic import add, subtract
from ossia_ops.math.cast import cast
from ossia_ops.math.comparison import greater_equal, less_equal
from ossia_ops.math.elementwise import abs as absolute
from ossia_ops.math.exponential import exp, log, log1p
from ossia_ops.math.logical import logical_and
from ossia_ops.nn.activation import FLOATS, relu
from ossia_ops.nn.softmax import centred, log_softmax, softmax

_X, _P = np.array([[1., 2., 4.], [-1., 0., 1000.]], "f4"), np.array([[0.2, 0.3, 0.5], [1., 0., 0.]], "f4")


def _rows_times(vector: Tensor, matrix: Tensor) -> Tensor:
    """Each row of a matrix times an element of a vector."""
    return expand_dims(vector, -1) * matrix


softmax_cross_entropy_with_logits_op = op(
    "SoftmaxCrossEntropyWithLogits(features: T, labels: T) -> loss: T, backprop: T", T=FLOATS
)


@softmax_cross_entropy_with_logits_op.shape
def _(features, labels):
    try:
        both = merge(features, labels)
    except ValueError:  # shapes that are not equal may broadcast
        both = broadcast(features, labels)
    if both.ndims not in (2, None):
        raise ValueError(f"Shape must be broadcasted with rank 2, but is rank {both.ndims}")
    both = with_rank(both, 2)
    return TensorShape(both.as_tuple()[:1]), both


@softmax_cross_entropy_with_logits_op.kernel
def _(features, labels):
    kind = features.dtype
    if features.shape != labels.shape:
        try:
            features, labels = np.broadcast_arrays(features, labels)
        except ValueError:
            raise InvalidArgumentError(
                None,
                None,
                f"logits and labels must be broadcastable: logits_size={dims_text(features.shape)} "
                f"labels_size={dims_text(labels.shape)}",
            ) from None
    if features.ndim != 2:
        raise InvalidArgumentError(
            None, None, "logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional"
        )
    x = centred(features)
    e = np.exp(x)
    total = np.add.reduce(e, axis=1, keepdims=True)
    labels = labels.astype(x.dtype, copy=False)
    np.subtract(np.log(total), x, out=x)
    x *= labels
    loss = np.add.reduce(x, axis=1)
    e /= total
    e -= labels
    return loss.astype(kind, copy=False), e.astype(kind, copy=False)


@softmax_cross_entropy_with_logits_op.gradient(first_output=True)
def _(node, grad_loss, grad_grad):
    backprop, logits = node.outputs[1], node.inputs[0]
    grad = _rows_times(grad_loss, backprop)
    if grad_grad is not None and not _is_zero(grad_grad):
        probabilities = softmax(logits)
        product = squeeze(builder("matmul")(expand_dims(grad_grad, 1), expand_dims(probabilities, 2)), axis=[1])
        grad = grad + (grad_grad - product) * probabilities
    return grad, _rows_times(grad_loss, -log_softmax(logits))


def _is_zero(grad: Tensor) -> bool:
    """Whether a gradient is zero by its making: nothing depends on the output."""
    if grad.op.type in ("ZerosLike", "Zeros"):
        return True
    value = get_static_value(grad)
    return value is not None and not np.any(value)


softmax_cross_entropy_with_logits_op.samples(plain=sample(_X, _P), row=sample(_X, _P[:1]), empty=sample(_X[:0], _P[:0]))

sparse_softmax_cross_entropy_with_logits_op = op(
    "SparseSoftmaxCrossEntropyWithLogits(features: T, labels: Tlabels) -> loss: T, backprop: T",
    T=FLOATS,
    Tlabels="{int32, int64} = DT_INT64",
)


@sparse_softmax_cross_entropy_with_logits_op.shape
def _(features, labels):
    batch, classes = with_rank(features, 2).as_tuple()
    batch = merge_dim(batch, with_rank(labels, 1).as_tuple()[0])
    return TensorShape([batch]), TensorShape([batch, classes])


@sparse_softmax_cross_entropy_with_logits_op.kernel
def _(features, labels):
    if features.ndim != 2:
        raise InvalidArgumentError(None, None, f"logits must be 2-D, but got shape {dims_text(features.shape)}")
    if labels.ndim != 1:
        raise InvalidArgumentError(None, None, f"labels must be 1-D, but got shape {dims_text(labels.shape)}")
    rows, classes = features.shape
    if rows != labels.shape[0]:
        raise InvalidArgumentError(
            None,
            None,
            f"logits and labels must have the same first dimension, got logits shape "
            f"{dims_text(features.shape)} and labels shape {dims_text(labels.shape)}",
        )
    if rows and not classes:
        raise InvalidArgumentError(
            None, None, f"Must have at least one class, but got logits shape {dims_text(features.shape)}"
        )
    if rows and (labels.min() < 0 or labels.max() >= classes):
        wrong = labels[(labels < 0) | (labels >= classes)][0]
        raise InvalidArgumentError(
            None,
            None,
            f"Received a label value of {wrong} which is outside the valid range of [0, {classes}).  "
            f"Label values: {' '.join(map(str, labels.tolist()))}",
        )
    x = centred(features)
    places = np.arange(0, rows * classes, classes or 1)
    places += labels
    chosen = x.reshape(-1)[places]
    np.exp(x, out=x)
    total = np.add.reduce(x, axis=1)
    loss = np.log(total) - chosen
    x /= total[:, None]
    x.reshape(-1)[places] -= 1
    return loss.astype(features.dtype, copy=False), x.astype(features.dtype, copy=False)


@sparse_softmax_cross_entropy_with_logits_op.gradient(first_output=True)
def _(node, grad_loss, grad_grad):
    backprop = lookup("PreventGradient")(
        node.outputs[1],
        message=(
            "Currently there is no way to take the second derivative of sparse_softmax_cross_entropy_with_logits due "
            "to the fused implementation's interaction with tf.gradients()"
        ),
    )
    return _rows_times(grad_loss, backprop), None


sparse_softmax_cross_entropy_with_logits_op.samples(
    plain=sample(_X, np.array([2, 0])),
    int32=sample(_X, np.array([1, 1], "i4")),
    empty=sample(_X[:0], np.array([], "i8")),
)


def _flattened(output: Tensor) -> Tensor:
    """The tensor as a matrix of its last dimension, with the ops that the original builds."""
    size, last = rank(output), None
    sizes = shape(output)
    last = builder("slice")(sizes, [subtract(size, 1)], [1])
    result = reshape(output, builder("concat")([[-1], last], 0))
    static = output.shape
    if static.ndims is not None and static.is_fully_defined():
        dims = static.as_list()
        result.set_shape([math.prod(dims[:-1]), dims[-1]])
    return result


def _moved_last(output: Tensor, dim: Any, size: Tensor) -> Tensor:
    range_ = builder("range")
    order = builder("concat")([range_(dim), range_(dim + 1, size), [dim]], 0)
    return builder("transpose")(output, order)


@public("nn.softmax_cross_entropy_with_logits_v2")
def softmax_cross_entropy_with_logits_v2(
    labels: Any, logits: Any, axis: Any = None, name: str | None = None, dim: Any = None
) -> Tensor:
    """The cross entropy of the classes' probabilities `labels` and `softmax(logits)`; gradients flow into both.

    Args:
      labels: probabilities, of the shape and dtype of `logits`.
      logits: unscaled logarithms of probabilities.
      axis: the dimension of the classes, the last one by default.
      name: name of the result.
      dim: the old name of `axis`.

    Returns:
      A tensor without the dimension `axis`.
    """
    if dim is not None:
        if axis is not None:
            raise ValueError("Cannot specify both 'dim' and 'axis'")
        axis = dim
    return _softmax_cross_entropy(labels, logits, -1 if axis is None else axis, name)


def _softmax_cross_entropy(labels: Any, logits: Any, axis: Any, name: str | None) -> Tensor:
    with name_scope(name, "softmax_cross_entropy_with_logits", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        convert = logits.dtype in (dtypes.float16, dtypes.bfloat16)
        precise = cast(logits, dtypes.float32) if convert else logits
        labels = cast(labels, precise.dtype)
        size = rank(precise)
        static = logits.shape
        if axis != -1:
            precise = _moved_last(precise, axis, size)
            labels = _moved_last(labels, axis, size)
        sizes = shape(precise)
        flat, flat_labels = _flattened(precise), _flattened(labels)
        cost = softmax_cross_entropy_with_logits_op(flat, flat_labels, name=name).loss
        cost = reshape(cost, builder("slice")(sizes, [0], [subtract(size, 1)]))
        if static.ndims is not None:
            dims = list(static.as_tuple())
            del dims[axis]
            cost.set_shape(dims)
        return cast(cost, logits.dtype) if convert else cost


@public("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(
    _sentinel: Any = None,
    labels: Any = None,
    logits: Any = None,
    dim: Any = -1,
    name: str | None = None,
    axis: Any = None,
) -> Tensor:
    """Like `softmax_cross_entropy_with_logits_v2`, but no gradient flows into the labels; only takes named
    arguments."""
    if axis is not None:
        if dim != -1:
            raise ValueError("Cannot specify both 'dim' and 'axis'")
        dim = axis
    check_named("softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "softmax_cross_entropy_with_logits_sg", [logits, labels]) as name:
        labels = builder("stop_gradient")(labels, name="labels_stop_gradient")
        return _softmax_cross_entropy(labels, logits, dim, name)


def check_named(function: str, sentinel: Any, labels: Any, logits: Any) -> None:
    """Raises ValueError unless labels and logits are given, and by name."""
    if sentinel is not None:
        raise ValueError(f"Only call `{function}` with named arguments (labels=..., logits=..., ...)")
    if labels is None or logits is None:
        raise ValueError("Both labels and logits must be provided.")


@public("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """The cross entropy of `softmax(logits)` for one true class per row.

    Args:
      labels: the index of the class, int32 or int64, of the shape of `logits` without its last dimension.
      logits: unscaled logarithms of probabilities, classes last.
      name: name of the result.

    Returns:
      A tensor of the shape of `labels` and the dtype of `logits`.
    """
    check_named("sparse_softmax_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "SparseSoftmaxCrossEntropyWithLogits", [labels, logits]):
        labels, logits = convert_to_tensor(labels), convert_to_tensor(logits)
        low = logits.dtype == dtypes.float16
        precise = cast(logits, dtypes.float32) if low else logits
        static = labels.shape
        sizes = shape(labels)
        rows = logits.shape.ndims
        fixed = static.is_fully_defined() and rows is not None and logits.shape[:-1].is_fully_defined()
        if rows == 0:
            raise ValueError(f"Logits cannot be scalars - received shape {logits.shape}.")
        if rows is not None and static.ndims is not None and static.ndims != rows - 1:
            raise ValueError(
                f"Rank mismatch: Rank of labels (received {static.ndims}) should equal rank of logits minus 1 "
                f"(received {rows})."
            )
        if fixed and static != logits.shape[:-1]:
            raise ValueError(
                f"Shape mismatch: The shape of labels (received {static}) should equal the shape of logits except for "
                f"the last dimension (received {logits.shape})."
            )
        if rows == 2:
            cost = sparse_softmax_cross_entropy_with_logits_op(precise, labels, name=name).loss
            return cast(cost, logits.dtype) if low else cost
        checks = [] if fixed else [builder("debugging.assert_equal")(shape(labels), shape(logits)[:-1])]
        with control_dependencies(checks):
            classes = shape(logits)[rank(logits) - 1]
            flat = reshape(precise, [-1, classes])
            cost = sparse_softmax_cross_entropy_with_logits_op(flat, reshape(labels, [-1]), name=name).loss
            cost = reshape(cost, sizes)
            cost.set_shape(static)
            return cast(cost, logits.dtype) if low else cost


@public("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(
    _sentinel: Any = None, labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """The cross entropy of `sigmoid(logits)` and `labels`, for classes that do not exclude each other.

    Computed as `max(x, 0) - x * z + log(1 + exp(-abs(x)))` for logits x and labels z.
    """
    check_named("sigmoid_cross_entropy_with_logits", _sentinel, labels, logits)
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _same_shape(logits, labels, "labels")
        zeros = zeros_like(logits, dtype=logits.dtype)
        positive = logits >= zeros
        relu_logits = where(positive, logits, zeros)
        neg_abs_logits = where(positive, -logits, logits)
        return add(relu_logits - logits * labels, log1p(exp(neg_abs_logits)), name=name)


def _same_shape(logits: Tensor, other: Tensor, what: str) -> None:
    try:
        other.shape.merge_with(logits.shape)
    except ValueError:
        raise ValueError(f"logits and {what} must have the same shape ({logits.shape} vs {other.shape})") from None


@public("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, pos_weight: Any = None, name: str | None = None, targets: Any = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` in which positive examples count `pos_weight` times.

    Args:
      labels: numbers of the shape and dtype of `logits`.
      logits: unscaled logarithms of odds.
      pos_weight: the weight of the positive examples.
      name: name of the result.
      targets: the old name of `labels`.
    """
    if targets is not None:
        if labels is not None:
            raise ValueError("Cannot specify both 'targets' and 'labels'")
        labels = targets
    with name_scope(name, "logistic_loss", [logits, labels]) as name:
        logits = convert_to_tensor(logits, name="logits")
        labels = convert_to_tensor(labels, name="labels")
        _same_shape(logits, labels, "labels")
        weight = 1 + (pos_weight - 1) * labels
        return add((1 - labels) * logits, weight * (log1p(exp(-absolute(logits))) + relu(-logits)), name=name)


@public("nn.log_poisson_loss")
def log_poisson_loss(targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None) -> Tensor:
    """The Poisson loss of counts `targets` for a predicted rate `exp(log_input)`.

    Args:
      targets: counts, of the shape and dtype of `log_input`.
      log_input: logarithms of the rates.
      compute_full_loss: add Stirling's approximation of the term that depends on `targets` alone.
      name: name of the scope.
    """
    with name_scope(name, "log_poisson_loss", [log_input, targets]) as name:
        log_input = convert_to_tensor(log_input, name="log_input")
        targets = convert_to_tensor(targets, name="targets")
        try:
            targets.shape.merge_with(log_input.shape)
        except ValueError:
            raise ValueError(
                f"log_input and targets must have the same shape ({log_input.shape} vs {targets.shape})"
            ) from None
        result = exp(log_input) - log_input * targets
        if compute_full_loss:
            half = convert_to_tensor(0.5, dtype=targets.dtype)
            two_pi = convert_to_tensor(2 * math.pi, dtype=targets.dtype)
            stirling = targets * log(targets) - targets + half * log(two_pi * targets)
            zeros, ones = zeros_like(targets, dtype=targets.dtype), ones_like(targets, dtype=targets.dtype)
            result += where(logical_and(greater_equal(targets, zeros), less_equal(targets, ones)), zeros, stirling)
        return result


l2_loss_op = op("L2Loss(t: T) -> output: T", T=FLOATS)


@l2_loss_op.shape
def _(t):
    return SCALAR


@l2_loss_op.kernel
def _(t):
    flat = t.reshape(-1)
    if t.dtype.itemsize < 4:
        flat = flat.astype(np.float32)
    return t.dtype.type(np.dot(flat, flat) / 2)


@l2_loss_op.gradient
def _(node, grad):
    return node.inputs[0] * grad


l2_loss_op.samples(plain=sample(_X[:1]), empty=sample(_X[:0]), half=sample(np.array([1., 2.], "f2")))


@public("nn.l2_loss")
def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of the squares of `t`."""
    return l2_loss_op(t, name=name)
