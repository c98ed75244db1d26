"""What the first estimators have in common: `fit`, `evaluate` and `predict` on arrays or on input functions."""

from __future__ import annotations

import copy
import os
import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import ossia as tf
from ossia_contrib.learn import feeding, running
from ossia_contrib.learn.modes import ModeKeys
from ossia_contrib.learn.run_config import RunConfig
from ossia_contrib.learn.specs import MetricSpec, ModelFnOps
from ossia_core.plugins.api_table import public
from ossia_ops.state.global_step import get_or_create_global_step_read


@public("contrib.learn.NotFittedError")
class NotFittedError(ValueError, AttributeError):
    """A model is used that is not trained."""


@public("contrib.learn.Evaluable")
class Evaluable:
    """Anything with `evaluate`."""

    model_dir: Any

    def evaluate(self, *args: Any, **kwargs: Any) -> Any:
        """Evaluates."""
        raise NotImplementedError


@public("contrib.learn.Trainable")
class Trainable:
    """Anything with `fit`."""

    def fit(self, *args: Any, **kwargs: Any) -> Any:
        """Trains."""
        raise NotImplementedError


@public("contrib.learn.BaseEstimator")
class BaseEstimator(Evaluable, Trainable):
    """What is common to the first estimators; subclasses say how a model is built, `_model_ops`.

    Args:
      model_dir: the folder of checkpoints and events; a new one by default.
      config: a `RunConfig`.

    Raises:
      ValueError: the configuration names another folder.
    """

    def __init__(self, model_dir: str | None = None, config: Any = None) -> None:
        if config is None:
            tf.logging.info("Using default config.")
        self._config: Any = RunConfig() if config is None else config
        if model_dir is not None and self._config.model_dir is not None and model_dir != self._config.model_dir:
            raise ValueError(
                f"model_dir are set both in constructor and RunConfig, but with different values. In constructor: "
                f"'{model_dir}', in RunConfig: '{self._config.model_dir}' "
            )
        self._model_dir = model_dir or self._config.model_dir or tempfile.mkdtemp()
        if not (model_dir or self._config.model_dir):
            tf.logging.warning("Using temporary folder as model directory: %s", self._model_dir)
        if self._config.model_dir is None:
            self._config = copy.copy(self._config)
            self._config._model_dir = self._model_dir
        tf.logging.info("Using config: %s", str(vars(self._config)))
        self._features_info: Any = None
        self._labels_info: Any = None

    @property
    def config(self) -> Any:
        """A copy of the configuration."""
        return copy.deepcopy(self._config)

    @property
    def model_dir(self) -> str:  # type: ignore[override]
        """The folder of checkpoints and events."""
        return self._model_dir

    @property
    def model_fn(self) -> Callable:
        """The function of a model, with the signature of a model function of `tf.estimator`."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: Any = None) -> ModelFnOps:
            return self._model_ops(features, labels, mode)

        return public_model_fn

    def fit(
        self, x: Any = None, y: Any = None, input_fn: Callable | None = None, steps: int | None = None,
        batch_size: int | None = None, monitors: Any = None, max_steps: int | None = None,
    ) -> Any:
        """Trains the model.

        Args:
          x: features `[rows, ...]`, fed in batches in random order.
          y: labels of the rows.
          input_fn: a function that makes features and labels, in their place.
          steps: how many steps to train on; without an end by default.
          batch_size: how many rows of `x` a batch has, all by default.
          monitors: hooks and monitors.
          max_steps: the global step to train to.

        Returns:
          The estimator.

        Raises:
          ValueError: arguments exclude each other.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        make, feed = feeding.input_and_feed(x, y, input_fn, batch_size, shuffle=True, epochs=None)
        if max_steps is not None and tf.train.latest_checkpoint(self._model_dir):
            start = int(self.get_variable_value("global_step"))
            if max_steps <= start:
                tf.logging.info("Skipping training since max_steps has already saved.")
                return self
        hooks = running.hooks_of(monitors, self)
        if steps is not None or max_steps is not None:
            hooks.append(tf.train.StopAtStepHook(steps, max_steps))
        loss = self._train(make, feed, hooks)
        tf.logging.info("Loss for final step: %s.", loss)
        return self

    def partial_fit(
        self, x: Any = None, y: Any = None, input_fn: Callable | None = None, steps: int | None = 1,
        batch_size: int | None = None, monitors: Any = None,
    ) -> Any:
        """Trains on, one step by default; see `fit`."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Callable | None = None, feed_fn: Callable | None = None,
        batch_size: int | None = None, steps: int | None = None, metrics: Any = None, name: str | None = None,
        checkpoint_path: str | None = None, hooks: Any = None, log_progress: bool = True,
    ) -> Any:
        """Evaluates the model.

        Args:
          x: features, fed in batches, once.
          y: labels.
          input_fn: a function that makes features and labels, in their place.
          feed_fn: a function that makes the feeds of a step.
          batch_size: how many rows of `x` a batch has, all by default.
          steps: how many batches; by default until the input ends.
          metrics: more metrics, by name: `MetricSpec`s.
          name: of the evaluation, for several in one folder.
          checkpoint_path: the checkpoint, by default the last.
          hooks: session hooks.
          log_progress: whether to log how far it is.

        Returns:
          The metrics by name, with `loss` and `global_step`; None for no steps.

        Raises:
          NotFittedError: there is no checkpoint.
          ValueError: arguments exclude each other.
        """
        make, feed = feeding.input_and_feed(x, y, input_fn, batch_size, shuffle=False, epochs=1)
        if metrics is not None and not isinstance(metrics, dict) or isinstance(metrics, MetricSpec):
            raise ValueError(f"Metrics argument should be None or dict. Got {metrics}.")
        checkpoint = self._checkpoint(checkpoint_path)
        if steps == 0:
            return None
        directory = os.path.join(self._model_dir, "eval" if not name else f"eval_{name}")
        with tf.Graph().as_default() as graph:
            self._begin(graph)
            features, labels = make()
            ops = self._model_ops(features, labels, ModeKeys.EVAL)
            updates = dict(ops.eval_metric_ops)
            for key, spec in (metrics or {}).items():
                updates[key] = spec.create_metric_ops(features, labels, ops.predictions)
            if ops.loss is not None:
                updates.setdefault("loss", tf.metrics.mean(ops.loss))
            results = running.evaluated(
                ops.scaffold, updates, [*(hooks or [])], checkpoint, feed or feed_fn, steps, self._config, log_progress
            )
        step = results["global_step"]
        running.write_evaluation(directory, results, step)
        return results

    def predict(
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None, outputs: Any = None,
        as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:
        """Predictions of the model.

        Args:
          x: features, fed in batches, once.
          input_fn: a function that makes features, in their place.
          batch_size: how many rows of `x` a batch has, all by default.
          outputs: the names of predictions to give, all by default.
          as_iterable: whether to give one after the other.
          iterate_batches: whether to give those of a batch together.

        Returns:
          An iterator of predictions, dicts if the model makes a dict; without `as_iterable`, arrays of all of them.

        Raises:
          NotFittedError: there is no checkpoint.
          ValueError: arguments exclude each other.
        """
        make, feed = feeding.input_and_feed(x, None, input_fn, batch_size, shuffle=False, epochs=1)
        checkpoint = self._checkpoint(None)
        everything = feed is not None and not as_iterable  # then the original gives all outputs, whichever are named
        batches = self._predicted(make, feed, None if everything else outputs, checkpoint)
        if as_iterable:
            return batches if iterate_batches else _rows(batches)
        found = list(batches)
        if isinstance(found[0], dict):
            return {key: np.concatenate([each[key] for each in found]) for key in found[0]}
        return np.concatenate(found)

    def _predicted(self, make: Callable, feed: Callable | None, outputs: Any, checkpoint: str) -> Iterator[Any]:
        with tf.Graph().as_default() as graph:
            self._begin(graph)
            made = make()
            features = made[0] if isinstance(made, (list, tuple)) else made
            ops = self._model_ops(features, self._label_placeholders(), ModeKeys.INFER)
            predictions = _selected(ops.predictions, outputs)
            session = running.inference_session(ops.scaffold, checkpoint, self._config)
            constant = feed is None and not graph.get_collection(tf.GraphKeys.QUEUE_RUNNERS) and not _iterates(graph)
            with session:
                while not session.should_stop():
                    try:
                        values = session.run(predictions, feed() if feed else None)
                    except (StopIteration, tf.errors.OutOfRangeError):
                        return
                    yield values
                    if constant:
                        return

    def __repr__(self) -> str:
        return f"{type(self).__name__}(params={getattr(self, 'params', None)!r})"

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The public attributes, as scikit-learn asks for them.

        Args:
          deep: whether those of attributes that have such, too, are there.
        """
        found = {}
        for name, value in vars(self).items():
            if name.startswith("_"):
                continue
            found[name] = value
            if deep and hasattr(value, "get_params"):
                found.update({f"{name}__{inner}": each for inner, each in value.get_params().items()})
        return found

    def set_params(self, **params: Any) -> BaseEstimator:
        """Sets public attributes; `a__b` is attribute `b` of attribute `a`.

        Raises:
          ValueError: there is no such attribute.
        """
        known = self.get_params(deep=True)
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in known:
                raise ValueError(f"Invalid parameter {outer} for estimator {type(self).__name__}")
            if inner:
                known[outer].set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def get_variable_value(self, name: str) -> np.ndarray:
        """The value of a variable in the last checkpoint."""
        return tf.train.load_variable(self._model_dir, name)

    def get_variable_names(self) -> list[str]:
        """The names of all variables in the last checkpoint."""
        return [name for name, _ in tf.train.list_variables(self._model_dir)]

    def _checkpoint(self, given: str | None) -> str:
        found = given or tf.train.latest_checkpoint(self._model_dir)
        if not found:
            raise NotFittedError(f"Couldn't find trained model at {self._model_dir}.")
        return found

    def _begin(self, graph: tf.Graph) -> Any:
        tf.set_random_seed(self._config.tf_random_seed)
        return tf.train.create_global_step(graph)

    def _train(self, make: Callable, feed: Callable | None, hooks: list[Any]) -> Any:
        with tf.Graph().as_default() as graph:
            self._begin(graph)
            features, labels = make()
            self._labels_info = tf.nest.map_structure(lambda each: (each.dtype, each.shape), labels)
            get_or_create_global_step_read(graph)
            ops = self._model_ops(features, labels, ModeKeys.TRAIN)
            tf.add_to_collection(tf.GraphKeys.LOSSES, ops.loss)
            return running.trained(ops, hooks, self._model_dir, feed, self._config)

    def _label_placeholders(self) -> Any:
        """Placeholders like the labels of the training, as far as this estimator trained."""
        if self._labels_info is None:
            return None
        structure = self._labels_info

        def made(info: Any) -> Any:
            dtype, shape = info
            return tf.placeholder(dtype, [None, *shape[1:]] if shape.ndims else shape)

        if isinstance(structure, dict):
            return {name: made(info) for name, info in structure.items()}
        return made(structure)

    def _model_ops(self, features: Any, labels: Any, mode: str) -> ModelFnOps:
        raise NotImplementedError(f"{type(self).__name__} does not say how its model is built")


def _selected(predictions: Any, outputs: Any) -> Any:
    if outputs is None or not isinstance(predictions, dict):
        return predictions
    existing = {name: each for name, each in predictions.items() if name in outputs}
    if not existing:
        raise ValueError(f"Expected to run at least one output from {sorted(predictions)}, provided {outputs}.")
    return existing


def _iterates(graph: tf.Graph) -> bool:
    """Whether an iterator of a dataset gives the input, which ends by itself."""
    return any(operation.type == "IteratorGetNext" for operation in graph.get_operations())


def _rows(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        if isinstance(batch, dict):
            for index in range(len(next(iter(batch.values())))):
                yield {name: each[index] for name, each in batch.items()}
        else:
            yield from batch
