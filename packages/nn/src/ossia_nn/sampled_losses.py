"""Losses over very many classes, estimated from a sample of them."""

from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor, is_tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.variables.partition import PartitionedVariable
from ossia_ops.array.fill import ones, ones_like, zeros_like
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.math.arithmetic import multiply
from ossia_ops.math.cast import cast
from ossia_ops.math.exponential import log
from ossia_ops.nn.cross_entropy import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits_v2


def sum_rows(x: Tensor) -> Tensor:
    """The sum of each row of a matrix, as a product with ones."""
    columns = shape(x)[1]
    return reshape(builder("matmul")(x, ones(builder("stack")([columns, 1]), x.dtype)), [-1])


def _looked_up(table: Any, ids: Tensor, partition_strategy: str, kind: Any) -> Tensor:
    rows = builder("nn.embedding_lookup")(table, ids, partition_strategy=partition_strategy)
    return rows if rows.dtype == kind else cast(rows, kind)


def sampled_logits(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int,
    sampled_values: Any,
    remove_accidental_hits: bool,
    partition_strategy: str,
    name: str | None,
    seed: int | None = None,
    subtract_log_q: bool = True,
) -> tuple[Tensor, Tensor]:
    """Logits and labels of the true and the sampled classes.

    Args:
      weights, biases: tables of all classes, [num_classes, dim] and [num_classes].
      labels: the true classes, [batch, num_true].
      inputs: [batch, dim].
      num_sampled, num_classes, num_true: how many classes are sampled, there are, and are true.
      sampled_values: what a sampler of candidates gives; drawn if None.
      remove_accidental_hits: whether sampled classes that are true ones do not count.
      partition_strategy: that of `embedding_lookup`.
      name: name of the ops.
      seed: of the draw.
      subtract_log_q: whether the log of how often a class is expected is taken from its logit.

    Returns:
      Logits and labels, [batch, num_true + num_sampled] both.
    """
    concat, slice_, stack = builder("concat"), builder("slice"), builder("stack")
    if isinstance(weights, PartitionedVariable):
        weights = list(weights)
    if not isinstance(weights, list):
        weights = [weights]
    with name_scope(name, "compute_sampled_logits", [*weights, biases, inputs, labels]):
        if not is_tensor(labels):
            labels = convert_to_tensor(labels)
        if labels.dtype != dtypes.int64:  # a variable by reference is of another dtype, and each use reads a variable
            labels = cast(labels, dtypes.int64)
        flat = reshape(labels, [-1])
        if sampled_values is None:
            sampled_values = builder("nn.log_uniform_candidate_sampler")(
                true_classes=labels,
                num_true=num_true,
                num_sampled=num_sampled,
                unique=True,
                range_max=num_classes,
                seed=seed,
            )
        stop = builder("stop_gradient")
        sampled, true_count, sampled_count = (stop(s) for s in sampled_values)
        sampled = cast(sampled, dtypes.int64)
        ids = concat([flat, sampled], 0)
        inputs = convert_to_tensor(inputs)
        rows = _looked_up(weights, ids, partition_strategy, inputs.dtype)
        true_rows = slice_(rows, [0, 0], stack([shape(flat)[0], -1]))
        sampled_rows = slice_(rows, stack([shape(flat)[0], 0]), [-1, -1])
        sampled_products = builder("matmul")(inputs, sampled_rows, transpose_b=True)
        shifts = _looked_up(biases, ids, partition_strategy, inputs.dtype)
        true_shifts = slice_(shifts, [0], shape(flat))
        sampled_shifts = slice_(shifts, shape(flat), [-1])
        dim = shape(true_rows)[1:2]
        products_shape = concat([[-1, num_true], dim], 0)
        products = multiply(expand_dims(inputs, 1), reshape(true_rows, products_shape))
        true_logits = reshape(sum_rows(reshape(products, concat([[-1], dim], 0))), [-1, num_true])
        true_logits += reshape(true_shifts, [-1, num_true])
        sampled_products += sampled_shifts
        if remove_accidental_hits:
            sampled_products += _accidental(labels, sampled, num_true, num_sampled, sampled_products.dtype)
        if subtract_log_q:
            true_logits -= log(true_count)
            sampled_products -= log(sampled_count)
        logits = concat([true_logits, sampled_products], 1)
        return logits, concat([ones_like(true_logits) / num_true, zeros_like(sampled_products)], 1)


def _accidental(labels: Tensor, sampled: Tensor, num_true: int, num_sampled: int, kind: Any) -> Tensor:
    """Very low logits where a sampled class is a true one."""
    concat = builder("concat")
    indices, ids, weights = builder("nn.compute_accidental_hits")(labels, sampled, num_true=num_true)
    rows = reshape(indices, [-1, 1])
    columns = reshape(cast(ids, dtypes.int32), [-1, 1])
    places = concat([rows, columns], 1, "sparse_indices")
    sizes = concat([shape(labels)[:1], expand_dims(num_sampled, 0)], 0)
    if kind != weights.dtype:
        weights = cast(weights, kind)
    return builder("sparse_to_dense")(places, sizes, weights, default_value=0.0, validate_indices=False)


@public("nn.nce_loss")
def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str = "nce_loss",
) -> Tensor:
    """Noise-contrastive estimation: tells true classes from sampled ones (Gutmann & Hyvarinen 2010).

    Args:
      weights: [classes, dim], or a list of parts of it.
      biases: [classes].
      labels: the true classes, [batch, num_true].
      inputs: [batch, dim].
      num_sampled: how many classes are sampled per batch.
      num_classes: how many classes there are.
      num_true: true classes per example.
      sampled_values: what a candidate sampler returned; by default the log-uniform sampler is used.
      remove_accidental_hits: leave out sampled classes that are true ones.
      partition_strategy: how `weights` is divided: "mod" or "div".
      name: name of the scope.

    Returns:
      One loss per example.
    """
    logits, labels = sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        partition_strategy,
        name,
    )
    return sum_rows(sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="sampled_losses"))


@public("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str = "sampled_softmax_loss",
    seed: int | None = None,
) -> Tensor:
    """The softmax cross entropy over the true and the sampled classes (Jean et al. 2014); arguments as for `nce_loss`.

    Args:
      seed: seed of the sampler.

    Returns:
      One loss per example.
    """
    logits, labels = sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        partition_strategy,
        name,
        seed,
    )
    labels = builder("stop_gradient")(labels, name="labels_stop_gradient")
    return softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits)


@public("compat.v2.nn.nce_loss")
def nce_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str = "nce_loss",
) -> Tensor:
    """`nce_loss` with tables divided into contiguous parts: its strategy "div"."""
    return nce_loss(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits,
        partition_strategy="div", name=name,
    )


@public("compat.v2.nn.sampled_softmax_loss")
def sampled_softmax_loss_v2(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: int | None = None,
    name: str = "sampled_softmax_loss",
) -> Tensor:
    """`sampled_softmax_loss` with tables divided into contiguous parts: its strategy "div"."""
    return sampled_softmax_loss(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values, remove_accidental_hits,
        partition_strategy="div", name=name, seed=seed,
    )
