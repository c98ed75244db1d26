"""An estimator of a model function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import ossia as tf
from ossia_contrib.learn.base import BaseEstimator
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.specs import ModelFnOps
from ossia_core.plugins.api_table import public


@public("contrib.learn.Estimator", "contrib.learn.estimators.Estimator")
class Estimator(BaseEstimator):
    """An estimator of a model function.

    Args:
      model_fn: a function of `features` and `labels`, and, as it has such arguments, of `mode`, `params`, `config` and
        `model_dir`; it returns `ModelFnOps`, or predictions, loss and training op.
      model_dir: the folder of checkpoints and events.
      config: a `RunConfig`.
      params: parameters for the function.
      feature_engineering_fn: a function of features and labels that makes those that the model gets.

    Raises:
      ValueError: the function does not take what is there for it.
    """

    def __init__(
        self, model_fn: Callable | None = None, model_dir: str | None = None, config: Any = None, params: Any = None,
        feature_engineering_fn: Callable | None = None,
    ) -> None:
        super().__init__(model_dir=model_dir, config=config)
        self._model_fn_arguments: list[str] = []
        if model_fn is not None:
            try:
                self._model_fn_arguments = list(inspect.signature(model_fn).parameters)
            except (TypeError, ValueError):
                pass
            if params is not None and "params" not in self._model_fn_arguments:
                raise ValueError(
                    f"Estimator's model_fn ({model_fn}) does not have a params argument, but params ({params}) were "
                    "passed to the Estimator's constructor."
                )
            if params is None and "params" in self._model_fn_arguments:
                tf.logging.warning(
                    "Estimator's model_fn (%s) includes params argument, but params are not passed to Estimator.",
                    model_fn,
                )
        self._model_fn = model_fn
        self.params = params
        self._feature_engineering_fn = feature_engineering_fn or (lambda features, labels: (features, labels))

    def _model_ops(self, features: Any, labels: Any, mode: str) -> ModelFnOps:
        if self._model_fn is None:
            raise ValueError("An Estimator needs a model_fn")
        features, labels = self._feature_engineering_fn(features, labels)
        offered = {"mode": mode, "params": self.params, "config": self._config, "model_dir": self._model_dir}
        taken = {name: value for name, value in offered.items() if name in self._model_fn_arguments}
        result = self._model_fn(features, labels, **taken)
        if isinstance(result, ModelFnOps):
            return result
        if isinstance(result, tf.estimator.EstimatorSpec):
            raise ValueError("A model_fn of tf.contrib.learn returns ModelFnOps, this one an EstimatorSpec")
        if not isinstance(result, (list, tuple)) or len(result) != 3:
            raise ValueError("Unrecognized value returned by model_fn, please return ModelFnOps.")
        return ModelFnOps(mode=mode, predictions=result[0], loss=result[1], train_op=result[2])

    def export_savedmodel(
        self, export_dir_base: str, serving_input_fn: Callable, default_output_alternative_key: str | None = None,
        assets_extra: Mapping[str, str] | None = None, as_text: bool = False, checkpoint_path: str | None = None,
        graph_rewrite_specs: Any = None, strip_default_attrs: bool = False,
    ) -> bytes:
        """Exports the model as a SavedModel, in a new folder named by the time.

        Args:
          export_dir_base: the folder around it.
          serving_input_fn: a function that makes `InputFnOps`.
          default_output_alternative_key: which of several heads is the default.
          assets_extra: files to put into `assets.extra`, by their names there.
          as_text: whether the graph is written as text.
          checkpoint_path: the checkpoint, the last by default.
          graph_rewrite_specs: not used.
          strip_default_attrs: whether attributes that have their defaults are left out.

        Returns:
          The folder.

        Raises:
          NotFittedError: there is no checkpoint.
          ValueError: there is no `serving_input_fn`.
        """
        if serving_input_fn is None:
            raise ValueError("serving_input_fn must be defined.")
        checkpoint = self._checkpoint(checkpoint_path)

        def receiver() -> Any:
            ops = serving_input_fn()
            return tf.estimator.export.ServingInputReceiver(ops[0], ops[2])

        def model_fn(features: Any, labels: Any, mode: str) -> Any:
            return self._model_ops(features, labels, ModeKeys.INFER)._replace(
                mode=tf.estimator.ModeKeys.PREDICT
            ).estimator_spec(default_output_alternative_key)

        seed = tf.estimator.RunConfig(tf_random_seed=self._config.tf_random_seed)
        exported = tf.estimator.Estimator(model_fn, model_dir=self._model_dir, config=seed).export_saved_model(
            export_dir_base, receiver, assets_extra=assets_extra, as_text=as_text, checkpoint_path=checkpoint
        )
        return tf.compat.as_bytes(exported)
