"""Linear models that are trained by dual coordinate ascent, and support vector machines, which are such models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.layers.columns import dense, inputs
from ossia_contrib.learn.canned.predicting import Classifier
from ossia_contrib.learn.estimator import Estimator
from ossia_contrib.learn.heads import classes
from ossia_contrib.learn.specs import ModelFnOps
from ossia_contrib.linear_optimizer.optimizer import SDCAOptimizer
from ossia_core.plugins.api_table import public

_LOSSES = {
    "_BinaryLogisticHead": "logistic_loss", "_BinarySvmHead": "hinge_loss", "_RegressionHead": "squared_loss"
}


class UpdateWeightsHook(tf.train.SessionRunHook):
    """Gives the model what was trained, after each step of the chief."""

    def set_parameters(self, model: Any, train_op: Any) -> None:
        """Says which model, and after what.

        Args:
          model: an `SdcaModel`.
          train_op: what makes a step.
        """
        self._model, self._train_op = model, train_op

    def begin(self) -> None:
        self._update_op = self._model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs(self._update_op)


def model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any]) -> ModelFnOps:
    """A linear model.

    Args:
      features: features by name.
      labels: what the head takes.
      mode: one of `ModeKeys`.
      params: `head`, `feature_columns`, `optimizer`, `weight_column_name`, `update_weights_hook`.

    Raises:
      ValueError: the optimizer or the head is not for such models.
    """
    head, optimizer = params["head"], params["optimizer"]
    if not isinstance(optimizer, SDCAOptimizer):
        raise ValueError("Optimizer must be of type SDCAOptimizer")
    kind = type(head).__name__
    if kind not in _LOSSES:
        raise ValueError(f"Unsupported head type: {head}")
    assert head.logits_dimension == 1, "SDCA only applies for logits_dimension=1."
    columns = params["feature_columns"]
    with tf.variable_scope("linear", values=tuple(features.values()), partitioner=optimizer.partitioner) as scope:
        features = {**features, **inputs.transform_features(features, columns)}
        logits, variables, bias = inputs.weighted_sum_from_feature_columns(
            columns_to_tensors=features, feature_columns=columns, num_outputs=1, scope=scope
        )
        bias_column = dense.real_valued_column("tf_virtual_bias_column")
        rows = tf.shape(next(iter(features.values())))[0]
        features[bias_column] = tf.ones([rows, 1], dtype=tf.float32)
        variables[bias_column] = [bias]
    hook = params.get("update_weights_hook")

    def train_op_fn(loss: Any) -> Any:
        model, train_op = optimizer.get_train_step(
            variables, params.get("weight_column_name"), _LOSSES[kind], features, labels, tf.train.get_global_step()
        )
        if hook is not None:
            hook.set_parameters(model, train_op)
        return train_op

    ops = head.create_model_fn_ops(
        features={name: each for name, each in features.items() if isinstance(name, str)}, mode=mode, labels=labels,
        train_op_fn=train_op_fn, logits=logits,
    )
    if hook is not None:
        return ops._replace(training_chief_hooks=[*ops.training_chief_hooks, hook])
    return ops


@public("contrib.learn.SVM")
class SVM(Classifier):
    """A linear support vector machine of two classes.

    Args:
      example_id_column: the feature with a text for each example that no other has.
      feature_columns: the columns.
      weight_column_name: the feature with the weights of examples.
      model_dir: the folder of checkpoints and events.
      l1_regularization: the penalty of absolute weights.
      l2_regularization: that of squared weights.
      num_loss_partitions: how many parts of the examples are trained at once.
      kernels: not supported.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.

    Raises:
      ValueError: there are kernels.
    """

    def __init__(
        self, example_id_column: str, feature_columns: Sequence[Any], weight_column_name: str | None = None,
        model_dir: str | None = None, l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        num_loss_partitions: int = 1, kernels: Any = None, config: Any = None,
        feature_engineering_fn: Callable | None = None,
    ) -> None:
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        optimizer = SDCAOptimizer(
            example_id_column=example_id_column, num_loss_partitions=num_loss_partitions,
            symmetric_l1_regularization=l1_regularization, symmetric_l2_regularization=l2_regularization,
        )
        super().__init__(
            model_fn=model_fn, model_dir=model_dir, config=config,
            params={
                "head": classes.binary_svm_head(weight_column_name=weight_column_name),
                "feature_columns": feature_columns, "optimizer": optimizer,
                "weight_column_name": weight_column_name, "update_weights_hook": UpdateWeightsHook(),
            },
            feature_engineering_fn=feature_engineering_fn,
        )

    def predict(  # type: ignore[override]
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True,
    ) -> Any:
        """Predictions, as dicts; see `Estimator.predict`."""
        return Estimator.predict(self, x, input_fn, batch_size, outputs, as_iterable)
