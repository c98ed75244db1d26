"""Losses of embeddings, by the distances between examples with the same label and with others."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_core.plugins.api_table import public


def _names(name: str) -> list[str]:
    return [f"contrib.{module}.metric_learning.{name}" for module in ("losses", "slim.losses")]


def pairwise_distance(feature: Any, squared: bool = False) -> tf.Tensor:
    """Distances `[n, n]` between the rows of `[n, d]`, of which the diagonal is exactly 0; squared if asked."""
    squares = tf.math.add(
        tf.reduce_sum(tf.square(feature), axis=[1], keepdims=True),
        tf.reduce_sum(tf.square(tf.transpose(feature)), axis=[0], keepdims=True),
    ) - 2.0 * tf.matmul(feature, tf.transpose(feature))
    squares = tf.maximum(squares, 0.0)
    at_zero = tf.less_equal(squares, 0.0)
    # The gradient of a root at 0 is infinite, so that it is taken a little above.
    found = squares if squared else tf.sqrt(squares + tf.cast(at_zero, tf.float32) * 1e-16)
    found = tf.multiply(found, tf.cast(tf.logical_not(at_zero), tf.float32))
    count = tf.shape(feature)[0]
    off_diagonal = tf.ones_like(found) - tf.diag(tf.ones([count]))
    return tf.multiply(found, off_diagonal)


@public(*_names("contrastive_loss"))
def contrastive_loss(
    labels: Any, embeddings_anchor: Any, embeddings_positive: Any, margin: float = 1.0
) -> tf.Tensor:
    """Squared distances of pairs that belong together, and of others what lacks to `margin` (Hadsell et al. 2006).

    Args:
      labels: `[batch]`, 1 for pairs that belong together and 0 for others.
      embeddings_anchor, embeddings_positive: the pairs, `[batch, d]` each.
      margin: distance beyond which others count nothing.

    Returns:
      A scalar.
    """
    distances = tf.sqrt(tf.reduce_sum(tf.squared_difference(embeddings_anchor, embeddings_positive), 1))
    return tf.reduce_mean(
        tf.cast(labels, tf.float32) * tf.square(distances)
        + (1.0 - tf.cast(labels, tf.float32)) * tf.square(tf.maximum(margin - distances, 0.0)),
        name="contrastive_loss",
    )


def _largest_where(data: Any, mask: Any, dim: int = 1) -> tf.Tensor:
    lowest = tf.reduce_min(data, dim, keepdims=True)
    return tf.reduce_max(tf.multiply(data - lowest, mask), dim, keepdims=True) + lowest


def _smallest_where(data: Any, mask: Any, dim: int = 1) -> tf.Tensor:
    highest = tf.reduce_max(data, dim, keepdims=True)
    return tf.reduce_min(tf.multiply(data - highest, mask), dim, keepdims=True) + highest


def _column(labels: Any) -> Any:
    return tf.reshape(labels, [tf.shape(labels)[0], 1])


@public(*_names("triplet_semihard_loss"))
def triplet_semihard_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> tf.Tensor:
    """How much nearer pairs of one label should be than the nearest negative farther off (Schroff et al. 2015).

    Args:
      labels: ints `[batch]`.
      embeddings: unit vectors `[batch, d]`.
      margin: the distance that should lie between.

    Returns:
      A scalar.
    """
    labels = _column(labels)
    distances = pairwise_distance(embeddings, squared=True)
    same = tf.equal(labels, tf.transpose(labels))
    other = tf.logical_not(same)
    count = tf.size(labels)
    tiled = tf.tile(distances, [count, 1])
    mask = tf.logical_and(
        tf.tile(other, [count, 1]), tf.greater(tiled, tf.reshape(tf.transpose(distances), [-1, 1]))
    )
    found = tf.reshape(
        tf.greater(tf.reduce_sum(tf.cast(mask, tf.float32), 1, keepdims=True), 0.0), [count, count]
    )
    found = tf.transpose(found)
    other = tf.cast(other, tf.float32)
    mask = tf.cast(mask, tf.float32)
    outside = tf.transpose(tf.reshape(_smallest_where(tiled, mask), [count, count]))
    inside = tf.tile(_largest_where(distances, other), [1, count])
    semi_hard = tf.where(found, outside, inside)
    losses = tf.math.add(margin, distances - semi_hard)
    positives = tf.cast(same, tf.float32) - tf.diag(tf.ones([count]))
    pairs = tf.reduce_sum(positives)
    return tf.truediv(
        tf.reduce_sum(tf.maximum(tf.multiply(losses, positives), 0.0)), pairs, name="triplet_semihard_loss"
    )


@public(*_names("npairs_loss"))
def npairs_loss(
    labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> tf.Tensor:
    """The cross entropy of which positive belongs to an anchor, with a penalty on their norms (Sohn 2016).

    Args:
      labels: ints `[batch]`.
      embeddings_anchor, embeddings_positive: `[batch, d]` each.
      reg_lambda: weight of the penalty.
      print_losses: whether both parts are printed when they run.

    Returns:
      A scalar.
    """
    penalty = _penalty(embeddings_anchor, embeddings_positive, reg_lambda)
    similarity = tf.matmul(embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True)
    labels = _column(labels)
    same = tf.cast(tf.equal(labels, tf.transpose(labels)), tf.float32)
    return _cross_entropy(similarity, same, penalty, print_losses)


def _penalty(anchor: Any, positive: Any, reg_lambda: float) -> Any:
    norm_anchor = tf.reduce_mean(tf.reduce_sum(tf.square(anchor), 1))
    norm_positive = tf.reduce_mean(tf.reduce_sum(tf.square(positive), 1))
    return tf.multiply(0.25 * reg_lambda, norm_anchor + norm_positive, name="l2loss")


def _cross_entropy(similarity: Any, same: Any, penalty: Any, print_losses: bool) -> Any:
    same /= tf.reduce_sum(same, 1, keepdims=True)
    entropy = tf.reduce_mean(
        tf.nn.softmax_cross_entropy_with_logits(logits=similarity, labels=same), name="xentropy"
    )
    if print_losses:
        entropy = tf.Print(entropy, ["cross entropy:", entropy, "l2loss:", penalty])
    return penalty + entropy


@public(*_names("npairs_loss_multilabel"))
def npairs_loss_multilabel(
    sparse_labels: Any, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: float = 0.002,
    print_losses: bool = False,
) -> tf.Tensor:
    """`npairs_loss` of examples that have several labels; what two share counts by how many they share.

    Args:
      sparse_labels: a list of `batch` sparse tensors, the labels of each example as 0 or 1.
      embeddings_anchor, embeddings_positive, reg_lambda, print_losses: as for `npairs_loss`.

    Raises:
      TypeError: a label is no sparse tensor.
    """
    if not all(isinstance(label, tf.SparseTensor) for label in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with tf.name_scope("NpairsLossMultiLabel"):
        penalty = _penalty(embeddings_anchor, embeddings_positive, reg_lambda)
        similarity = tf.matmul(embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True)
        same = _shared_labels(sparse_labels)
        return _cross_entropy(similarity, same, penalty, print_losses)


def _shared_labels(sparse_labels: Any) -> Any:
    """How many labels each two examples share, `[batch, batch]`."""
    count = len(sparse_labels)
    total = tf.zeros([count, count])
    for row, label in enumerate(sparse_labels):
        for column, other in enumerate(sparse_labels):
            shared = tf.sparse.reduce_sum(tf.sparse.minimum(label, other))
            shared = tf.expand_dims(tf.expand_dims(shared, 0), 1)
            total += tf.pad(shared, [[row, count - row - 1], [column, count - column - 1]])
    return total


@public(*_names("lifted_struct_loss"))
def lifted_struct_loss(labels: Any, embeddings: Any, margin: float = 1.0) -> tf.Tensor:
    """Of each pair with one label, its distance against all negatives of both, smoothly (Song et al. 2016).

    Args:
      labels: ints `[batch]`.
      embeddings: `[batch, d]`.
      margin: the distance that should lie between.

    Returns:
      A scalar.
    """
    labels = _column(labels)
    distances = pairwise_distance(embeddings)
    same = tf.equal(labels, tf.transpose(labels))
    other = tf.logical_not(same)
    count = tf.size(labels)
    lacking = margin - distances
    mask = tf.cast(other, tf.float32)
    of_row = _largest_where(lacking, mask)
    largest = tf.maximum(of_row, tf.transpose(of_row))
    lacking = tf.tile(lacking, [count, 1])
    mask = tf.tile(mask, [count, 1])
    of_pair = tf.reshape(tf.transpose(largest), [-1, 1])
    exponents = tf.reduce_sum(tf.multiply(tf.exp(lacking - of_pair), mask), 1, keepdims=True)
    exponents = tf.reshape(exponents, [count, count])
    smooth = largest + tf.log(exponents + tf.transpose(exponents)) + distances
    positives = tf.cast(same, tf.float32) - tf.diag(tf.ones([count]))
    pairs = tf.reduce_sum(positives) / 2.0
    return tf.truediv(
        0.25 * tf.reduce_sum(tf.square(tf.maximum(tf.multiply(smooth, positives), 0.0))), pairs,
        name="liftedstruct_loss",
    )


@public(*_names("cluster_loss"))
def cluster_loss(
    labels: Any, embeddings: Any, margin_multiplier: float, enable_pam_finetuning: bool = True,
    margin_type: str = "nmi", print_losses: bool = False,
) -> tf.Tensor:
    """The structured loss of clusterings (Song et al. 2017).

    Raises:
      NotImplementedError: always; Ossia has no facility location.
    """
    raise NotImplementedError("tf.contrib.losses.metric_learning.cluster_loss is not part of Ossia.")
