"""`TPUEstimator` on other devices than TPUs."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import ossia as tf
from ossia_contrib.tpu.config import RunConfig
from ossia_contrib.tpu.spec import TPUEstimatorSpec
from ossia_core.plugins.api_table import public

_RESERVED = ("batch_size", "context")
NO_TPU = (
    "There is no TPU here: Ossia runs on CPUs and on the devices of installed backends. `use_tpu=False` runs the same "
    "model on them"
)


class TPUContext:
    """What an input function can ask about where it runs, as `params["context"]`."""

    num_hosts = 1
    num_replicas = 1
    num_cores_per_replica = 1
    current_host = 0

    def __init__(self, batch_size: int | None) -> None:
        self._batch_size = batch_size

    @property
    def current_input_fn_deployment(self) -> tuple[str, int, int, int]:
        """The device, the index of the call and of the host, and how many shards each call is for."""
        return "/device:CPU:0", 0, 0, 1


@public("contrib.tpu.TPUEstimator", "estimator.tpu.TPUEstimator")
class TPUEstimator(tf.estimator.Estimator):
    """An estimator whose model function returns a `TPUEstimatorSpec`, and whose input function takes the batch size.

    Args:
      model_fn: a function of `features`, `labels`, `mode` and `params`, where `params["batch_size"]` and
        `params["use_tpu"]` are given.
      model_dir: the folder of checkpoints and events.
      config: a `RunConfig` of this module.
      params: parameters for both functions.
      use_tpu: has to be false, see below.
      train_batch_size: the batch size in training.
      eval_batch_size: in evaluations.
      predict_batch_size: in predictions.
      batch_axis: not used.
      eval_on_tpu: not used.
      export_to_tpu: not used.
      export_to_cpu: not used.
      warm_start_from: a checkpoint or a `WarmStartSettings` to begin from.
      embedding_config_spec: embeddings on a TPU.
      export_saved_model_api_version: not used.

    Raises:
      NotImplementedError: `use_tpu` is true.
      ValueError: the configuration is of another class, or `params` has a reserved name.
    """

    def __init__(
        self, model_fn: Callable | None = None, model_dir: str | None = None, config: Any = None, params: Any = None,
        use_tpu: bool = True, train_batch_size: int | None = None, eval_batch_size: int | None = None,
        predict_batch_size: int | None = None, batch_axis: Any = None, eval_on_tpu: bool = True,
        export_to_tpu: bool = True, export_to_cpu: bool = True, warm_start_from: Any = None,
        embedding_config_spec: Any = None, export_saved_model_api_version: Any = None,
    ) -> None:
        if config is None or not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(name in params for name in _RESERVED):
            raise ValueError(f"{list(_RESERVED)} are reserved keys but existed in params {params}.")
        if use_tpu:
            raise NotImplementedError(NO_TPU)
        if embedding_config_spec is not None:
            raise ValueError("TPU embedding is only supported when use_tpu=True")
        self._log_every_n_steps = config.log_step_count_steps
        sizes = {"train": train_batch_size, "eval": eval_batch_size, "infer": predict_batch_size}
        self._batch_sizes = {mode: sizes[mode] or (train_batch_size if mode == "train" else None) for mode in sizes}
        super().__init__(
            model_fn=model_fn,  # type: ignore[arg-type]  # it refuses None itself
            model_dir=model_dir, config=config.replace(log_step_count_steps=None), params=params,
            warm_start_from=warm_start_from,
        )
        tf.logging.info("_TPUContext: eval_on_tpu %s", eval_on_tpu)
        if eval_on_tpu:
            tf.logging.warning("eval_on_tpu ignored because use_tpu is False.")

    def _assert_members(self) -> None:
        """This subclass may define `train`, `evaluate` and `predict`: it logs when they end."""

    def _create_global_step(self, graph: tf.Graph) -> Any:
        step = tf.GraphKeys.GLOBAL_STEP
        with graph.as_default(), graph.name_scope(None):
            return tf.get_variable(
                step, [], tf.int64, tf.zeros_initializer(), trainable=False, use_resource=True,
                collections=[tf.GraphKeys.GLOBAL_VARIABLES, tf.GraphKeys.GLOBAL_STEP],
            )

    def _parameters(self, mode: str, **more: Any) -> dict[str, Any]:
        given = self.params
        params = dict(given.values() if hasattr(given, "values") and not isinstance(given, dict) else given or {})
        if self._batch_sizes[mode] is not None:
            params["batch_size"] = self._batch_sizes[mode]
        return {**params, **more}

    def _call_input_fn(self, input_fn: Callable, mode: str, input_context: Any = None) -> Any:
        names = inspect.signature(input_fn).parameters
        context = {} if self._batch_sizes[mode] is None else {"context": TPUContext(self._batch_sizes[mode])}
        offered = {"params": self._parameters(mode, **context), "config": self.config, "mode": mode}
        taken = {name: value for name, value in offered.items() if name in names}
        with tf.device("/device:CPU:0"):
            return input_fn(**taken)

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        names = inspect.signature(self._model_fn).parameters
        if "params" not in names:
            raise ValueError(
                f"model_fn ({self._model_fn}) does not include params argument, required by TPUEstimator to pass batch "
                "size as params['batch_size']"
            )
        offered = {
            "labels": labels, "mode": mode, "config": config, "params": self._parameters(mode, use_tpu=False)
        }
        if "labels" not in names and labels is not None:
            raise ValueError("model_fn does not take labels, but input_fn returns labels.")
        tf.logging.info("Calling model_fn.")
        tf.logging.info("Running %s on CPU", mode)
        spec = self._model_fn(features, **{name: value for name, value in offered.items() if name in names})
        if isinstance(spec, TPUEstimatorSpec):
            spec = spec.as_estimator_spec()
        elif not isinstance(spec, tf.estimator.EstimatorSpec):
            raise RuntimeError(f"estimator_spec used by TPU train must have type`TPUEstimatorSpec`. Got {type(spec)}")
        tf.logging.info("Done calling model_fn.")
        if mode == tf.estimator.ModeKeys.TRAIN and self._batch_sizes[mode] and self._log_every_n_steps:
            counter = _ExamplesPerSecondHook(self._batch_sizes[mode] or 0, self.model_dir, self._log_every_n_steps)
            spec = spec._replace(training_hooks=(*spec.training_hooks, counter))
        return spec

    def train(self, *args: Any, **kwargs: Any) -> Any:
        """Trains the model; see `tf.estimator.Estimator.train`."""
        with _told("training_loop"):
            return super().train(*args, **kwargs)

    def evaluate(self, *args: Any, **kwargs: Any) -> Any:
        """Computes the metrics of the model; see `tf.estimator.Estimator.evaluate`."""
        with _told("evaluation_loop"):
            return super().evaluate(*args, **kwargs)

    def predict(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Yields predictions; see `tf.estimator.Estimator.predict`."""
        with _told("prediction_loop"):
            yield from super().predict(*args, **kwargs)
        tf.logging.info("prediction_loop marked as finished")


@contextlib.contextmanager
def _told(loop: str) -> Iterator[None]:
    """Logs when a loop ends, and of what."""
    failed = True
    try:
        yield
        failed = False
    except Exception as error:
        tf.logging.error("Error recorded from %s: %s", loop, error)
        raise
    finally:
        tf.logging.info("%s marked as finished", loop)
        if failed:
            tf.logging.warning("Reraising captured error")


class _ExamplesPerSecondHook(tf.train.StepCounterHook):
    """Logs and writes how many examples a second are trained on."""

    def __init__(self, batch_size: int, output_dir: str, every_n_steps: int) -> None:
        super().__init__(output_dir=output_dir, every_n_steps=every_n_steps)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        steps_per_second = elapsed_steps / elapsed_time
        examples_per_second = self._batch_size * steps_per_second
        if self._summary_writer is not None:
            for tag, value in (("global_step/sec", steps_per_second), ("examples/sec", examples_per_second)):
                summary = tf.Summary(value=[tf.Summary.Value(tag=tag, simple_value=value)])
                self._summary_writer.add_summary(summary, global_step)
        tf.logging.info("global_step/sec: %g", steps_per_second)
        tf.logging.info("examples/sec: %g", examples_per_second)
