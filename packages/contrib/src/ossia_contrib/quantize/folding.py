"""Batch norms folded into the layers before them."""

from __future__ import annotations

import dataclasses
from typing import Any

import ossia as tf
from ossia_contrib.graph_editor.reroute import reroute_ts
from ossia_contrib.quantize.ranges import quantization_step

LAYERS = frozenset(["Conv2D", "DepthwiseConv2dNative", "MatMul"])
_FUSED = frozenset(["FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"])


@tf.RegisterGradient("FoldFusedBatchNormGrad")
def _grad(op: Any, _: Any, grad_mean: Any, grad_var: Any, *__: Any) -> Any:
    """What mean and variance give back to the inputs; the outputs are not used any more."""
    x = op.inputs[0]
    count = x.get_shape().num_elements() / grad_mean.get_shape().num_elements()
    of_mean = grad_mean / count
    of_variance = 2 * grad_var * (x - op.outputs[1]) / (count - 1)
    return of_mean + of_variance, None, None, None, None


@dataclasses.dataclass
class _Norm:
    """A batch norm behind a layer: the tensors it is made of."""

    layer: Any
    source: Any
    norm: Any
    output: Any
    weights: Any
    gamma: Any
    beta: Any
    mean: Any
    variance: Any
    moving_mean: Any = None
    moving_variance: Any = None
    decay_mean: Any = None
    decay_variance: Any = None

    @property
    def training(self) -> bool:
        return bool(self.norm.get_attr("is_training"))


def scope_of(name: str) -> str:
    """The name scope of an operation's name, "" if it has none."""
    return name.rpartition("/")[0]


def _moving(tensor: Any) -> tuple[Any, Any]:
    """The moving average that a statistic goes into, and the tensor that says by how much."""
    for difference in tensor.consumers():
        if difference.type != "Sub":
            continue
        for scaled in difference.outputs[0].consumers():
            if scaled.type == "Mul":
                other = [each for each in difference.inputs if each is not tensor][0]
                return other, scaled.inputs[1]
    raise ValueError(f"No moving average takes {tensor.name}; batch norms in training are folded with their averages.")


def _found(norm: Any) -> _Norm | None:
    source, output = norm.inputs[0], norm.outputs[0]
    if source.op.type == "Reshape" and source.op.inputs[0].op.type == "MatMul":
        reshapes = [op for op in output.consumers() if op.type == "Reshape"]
        if not reshapes:
            return None
        source, output = source.op.inputs[0], reshapes[0].outputs[0]
    layer = source.op
    if layer.type not in LAYERS or norm.get_attr("data_format") != b"NHWC" or not output.consumers():
        return None
    gamma, beta, mean, variance = norm.inputs[1:5]
    found = _Norm(layer, layer.inputs[0], norm, output, layer.inputs[1], gamma, beta, mean, variance)
    if found.training:
        found.mean = norm.outputs[1]
        found.moving_mean, found.decay_mean = _moving(norm.outputs[1])
        found.moving_variance, found.decay_variance = _moving(norm.outputs[2])
        with tf.name_scope(scope_of(norm.name) + "/"):
            count = tf.cast(tf.size(source) / tf.size(found.mean), tf.float32)
            found.variance = tf.multiply(norm.outputs[2], (count - 1) / count, name="Undo_Bessel_Correction")
        norm._set_attr("_gradient_op_type", tf.AttrValue(s=b"FoldFusedBatchNormGrad"))
    return found


def _corrections(found: _Norm, epsilon: float, freeze_delay: int | None) -> tuple[Any, Any, Any]:
    """What makes weights scale by the moving deviation, though the outputs are normalized by that of the batch."""
    with tf.name_scope("batch_norm_correction"):
        of_moving = tf.rsqrt(found.moving_variance + epsilon)
        of_batch = tf.rsqrt(found.variance + epsilon)
        scale = tf.identity(tf.divide(of_moving, of_batch, name="scale_compute"), name="correction_scale")
        undo = tf.reciprocal(scale, name="reciprocal_compute")
        shift = tf.multiply(
            found.gamma, found.mean * of_batch - found.moving_mean * of_moving, name="offset_compute"
        )
        if freeze_delay is None:
            return scale, undo, tf.zeros(shift.shape)
        frozen = tf.greater_equal(quantization_step(), freeze_delay, name="use_moving_average")
        for decay, name in ((found.decay_mean, "freeze_moving_mean"), (found.decay_variance, "freeze_moving_var")):
            users = decay.consumers()
            kept = tf.cond(frozen, lambda: tf.constant(0.0), lambda decay=decay: decay, name=name)
            reroute_ts([kept], [decay], can_modify=users)
        undo = tf.cond(frozen, lambda: tf.ones(scale.shape), lambda: undo, name="correction_recip")
        shift = tf.cond(frozen, lambda: shift, lambda: tf.zeros(scale.shape), name="correction_offset")
        return scale, undo, shift


def _like(layer: Any, source: Any, weights: Any, name: str) -> Any:
    attributes = {key: value for key, value in layer.node_def.attr.items() if not key.startswith("_")}
    if layer.type == "DepthwiseConv2dNative":
        strides, padding = layer.get_attr("strides"), layer.get_attr("padding").decode()
        return tf.nn.depthwise_conv2d(source, weights, strides, padding, name=name)
    return layer.graph.create_op(
        layer.type, [source, weights], [layer.outputs[0].dtype], name=name, attrs=attributes
    ).outputs[0]


def fold_batch_norms(graph: Any, freeze_batch_norm_delay: int | None = None) -> None:
    """Give each layer that a fused batch norm follows weights scaled by that norm, and a bias in its place.

    Args:
      graph: the graph, which changes.
      freeze_batch_norm_delay: from which step on the moving averages stay, and are what outputs are normalized by.

    Raises:
      NotImplementedError: a batch norm in training is not fused.
    """
    with graph.as_default(), graph.name_scope(None):
        operations = graph.get_operations()
        every = [_found(op) for op in operations if op.type in _FUSED]
        for found in filter(None, every):
            _fold(found, freeze_batch_norm_delay)
        for op in operations:
            _refuse(op)


def _refuse(op: Any) -> None:
    """Says so if an operation is of a batch norm that is left as it is."""
    name = f"tf.contrib.quantize: the batch norm {scope_of(op.name)}"
    sources = [each.op.type for each in op.inputs]
    if op.type in _FUSED and "BatchToSpaceND" in sources:
        raise NotImplementedError(f"{name} follows a dilated convolution, and is not folded into it.")
    if op.type == "Mul" and "/batchnorm" in op.name and LAYERS.intersection(sources):
        raise NotImplementedError(f"{name} is not fused; make it with fused=True.")


def _fold(found: _Norm, freeze_delay: int | None) -> None:
    context = scope_of(found.layer.name)
    slash = context and context + "/"
    epsilon = found.norm.get_attr("epsilon")
    correction = undo = None
    weights = found.weights
    with tf.name_scope(f"{slash}BatchNorm_Fold") as inner:
        scale = found.gamma * tf.rsqrt(found.variance + epsilon)
        bias = tf.subtract(found.beta, found.mean * scale, name="bias")
        if found.training:
            correction, undo, shift = _corrections(found, epsilon, freeze_delay)
    if found.layer.type == "DepthwiseConv2dNative":
        shape = weights.shape[2:].as_list()
        with tf.name_scope(inner):
            scale = tf.reshape(scale, shape, name="scale_reshape")
            correction = correction if undo is None else tf.reshape(correction, shape, name="correction_reshape")
    with tf.name_scope(slash or None):
        if undo is not None:
            weights = tf.multiply(correction, weights, name="correction_mult")
        scaled = tf.multiply(weights, scale, name="mul_fold")
        output = _like(found.layer, found.source, scaled, found.layer.name.rpartition("/")[2] + "_Fold")
        if undo is not None:
            output = tf.add(tf.multiply(undo, output, name="post_conv_mul"), shift, name="correction_add")
        output = tf.add(output, bias, name="add_fold")
    reroute_ts([output], [found.output])
