"""The model function of wide and deep models: a linear model and a deep network, whose logits are added."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.collections import GraphKeys, get_collection
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.primitives.identity import group
from ossia_core.variables.assignment import assign_add
from ossia_core.variables.variable_scope import variable_scope
from ossia_estimator.canned.choice_of_head import MIN_SLICE_SIZE, check_features, over_servers
from ossia_estimator.canned.dnn_model import dnn_logit_fn_builder, summarize_layer
from ossia_estimator.canned.linear_model import linear_logit_fn_builder
from ossia_estimator.canned.optimizers import optimizer_of
from ossia_estimator.model_spec import EstimatorSpec
from ossia_ops.nn.activation import relu
from ossia_ops.state.global_step import get_global_step

_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005


def combined_model_fn(
    features: Any, labels: Any, mode: str, head: Any, linear_feature_columns: Sequence[Any] = (),
    linear_optimizer: Any = "Ftrl", dnn_feature_columns: Sequence[Any] = (), dnn_optimizer: Any = "Adagrad",
    dnn_hidden_units: Sequence[int] | None = None, dnn_activation_fn: Callable = relu,
    dnn_dropout: float | None = None, input_layer_partitioner: Callable | None = None, config: Any = None,
    batch_norm: bool = False, linear_sparse_combiner: str = "sum",
) -> EstimatorSpec:
    """The model function of wide and deep models; see `DNNLinearCombinedClassifier`.

    Raises:
        ValueError: `features` is no dict, or there are no columns.
    """
    check_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    partitioner = input_layer_partitioner or over_servers(config, min_slice_size=MIN_SLICE_SIZE)
    values = tuple(features.values())
    parts: list[tuple[str, Any]] = []
    all_logits: list[Tensor] = []
    if dnn_feature_columns:
        made = optimizer_of(dnn_optimizer, _DNN_LEARNING_RATE)
        if not dnn_hidden_units:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        with variable_scope("dnn", values=values, partitioner=over_servers(config)) as scope:
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension, dnn_hidden_units, dnn_feature_columns, dnn_activation_fn, dnn_dropout,
                partitioner, batch_norm,
            )
            all_logits.append(logit_fn(features, mode))
            parts.append((scope.name, made))
    if linear_feature_columns:
        rate = min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(linear_feature_columns)))
        made = optimizer_of(linear_optimizer, rate)
        with variable_scope("linear", values=values, partitioner=partitioner) as scope:
            linear_fn = linear_logit_fn_builder(
                head.logits_dimension, linear_feature_columns, linear_sparse_combiner
            )
            all_logits.append(linear_fn(features))
            summarize_layer(all_logits[-1], scope.name)
            parts.append((scope.name, made))
    # The network's logits stand first, as the order of an addition shows in the graph.
    logits = all_logits[0] if len(all_logits) == 1 else all_logits[0] + all_logits[1]

    def train_op_fn(loss: Tensor) -> Any:
        steps = [
            made.minimize(loss, var_list=get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=name))
            for name, made in parts
        ]
        with control_dependencies([group(*steps)]):
            return assign_add(get_global_step(), 1).op

    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
    )
