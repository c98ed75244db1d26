"""`tf.estimator.tpu.TPUEstimator`, on a CPU."""
from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import Any

from ossia_core.graph.graph import Graph
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_core.variables.global_step import create_global_step
from ossia_core.variables.scope import get_variable_scope
from ossia_core.variables.variable_scope import variable_scope
from ossia_estimator.estimator import Estimator
from ossia_estimator.input_results import arguments, call_input_fn
from ossia_estimator.model_fns import call_model_fn
from ossia_estimator.modes import ModeKeys
from ossia_estimator.tpu.config import RunConfig
from ossia_estimator.tpu.spec import TPUEstimatorSpec
from ossia_session.hooks.step_counter import StepCounterHook

_RESERVED = ("batch_size", "context")


class _ExamplesPerSecondHook(StepCounterHook):
    """Logs and writes how many examples are taken a second, too."""

    def __init__(self, batch_size: int, every_n_steps: int, output_dir: str) -> None:
        super().__init__(every_n_steps, output_dir=output_dir)
        self._batch_size = batch_size

    def _log_and_record(self, elapsed_steps: int, elapsed_time: float, global_step: int) -> None:
        super()._log_and_record(elapsed_steps, elapsed_time, global_step)
        speed = self._batch_size * elapsed_steps / elapsed_time if elapsed_time > 0 else float("inf")
        if self._summary_writer is not None:
            from ossia_core.proto import Summary

            summary = Summary(value=[Summary.Value(tag="examples/sec", simple_value=speed)])
            self._summary_writer.add_summary(summary, global_step)
        logging.info("examples/sec: %g", speed)


@public("estimator.tpu.TPUEstimator", "contrib.tpu.TPUEstimator")
class TPUEstimator(Estimator):
    """An Estimator whose functions are written for a TPU; it runs on a CPU, with `use_tpu=False`.

    Args:
        model_fn: Builds the model: takes `features`, `params` with `batch_size` in them, and those of `labels`, `mode`
            and `config` that it needs, and returns a TPUEstimatorSpec or an EstimatorSpec.
        model_dir: Directory of checkpoints and event files.
        config: A `tf.estimator.tpu.RunConfig`.
        params: A dict, passed to both functions with `batch_size` added.
        use_tpu: Whether there is a TPU.
        train_batch_size: How many examples the input function is asked for in training.
        eval_batch_size: In evaluation.
        predict_batch_size: In prediction.
        batch_axis: Has no effect without a TPU, as have the next.
        eval_on_tpu: Whether evaluations run there.
        export_to_tpu: Whether graphs for a TPU are exported.
        export_to_cpu: Whether graphs for a CPU are exported.
        warm_start_from: A checkpoint to begin with, or WarmStartSettings.
        embedding_config_spec: Tables of embeddings on a TPU.
        export_saved_model_api_version: How graphs for a TPU are exported.

    Raises:
        ValueError: The config is of another class, `params` has reserved names, or a batch size is missing.
    """

    def __init__(
        self, model_fn: Callable | None = None, model_dir: str | None = None, config: Any = None, params: Any = None,
        use_tpu: bool = True, train_batch_size: int | None = None, eval_batch_size: int | None = None,
        predict_batch_size: int | None = None, batch_axis: Any = None, eval_on_tpu: bool = True,
        export_to_tpu: bool = True, export_to_cpu: bool = True, warm_start_from: Any = None,
        embedding_config_spec: Any = None, export_saved_model_api_version: Any = None,
    ) -> None:
        if not isinstance(config, RunConfig):
            raise ValueError("`config` must be provided with type `tpu_config.RunConfig`")
        if params is not None and any(name in params for name in _RESERVED):
            raise ValueError(f"{list(_RESERVED)} are reserved keys but existed in params {params}.")
        if use_tpu and train_batch_size is None:
            raise ValueError("`train_batch_size` cannot be `None`")
        if model_fn is None:
            raise ValueError("model_fn must be provided to TPUEstimator.")
        self._use_tpu = use_tpu
        self._batch_sizes = {
            ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size, ModeKeys.PREDICT: predict_batch_size,
        }
        self._has_input = False
        super().__init__(model_fn, model_dir, config, params, warm_start_from)
        self._log_every_n_steps = self._config.log_step_count_steps
        self._config = self._config.replace(log_step_count_steps=None)
        logging.info("_TPUContext: eval_on_tpu %s", eval_on_tpu)
        if not use_tpu and eval_on_tpu:
            logging.warning("eval_on_tpu ignored because use_tpu is False.")

    def _assert_members(self) -> None:
        """Nothing: this class knows what it overrides."""

    def _create_global_step(self, graph: Graph) -> Any:
        with graph.as_default(), variable_scope(get_variable_scope(), use_resource=True):
            return create_global_step(graph)

    def _params_for(self, mode: str) -> dict[str, Any]:
        params = copy.deepcopy(self._params)
        if self._batch_sizes[mode] is not None:
            params["batch_size"] = self._batch_sizes[mode]
        return params

    def _call_input_fn(self, input_fn: Callable, mode: str) -> Any:
        if self._use_tpu:
            raise RuntimeError(
                "Cannot find any TPU cores in the system. Please double check Tensorflow master address and TPU "
                "worker(s)."
            )
        self._has_input = True
        return call_input_fn(input_fn, mode, self._params_for(mode), self.config)

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: Any) -> Any:
        if "params" not in arguments(self._model_fn):
            raise ValueError(
                f"model_fn ({self._model_fn}) does not include params argument, required by TPUEstimator to pass "
                "batch size as params['batch_size']"
            )
        params = self._params_for(mode)
        if not self._has_input:  # an export has no batches
            params.pop("batch_size", None)
        self._has_input = False
        params["use_tpu"] = False
        spec = call_model_fn(self._on_cpu(mode), features, labels, mode, params, config)
        batch_size = self._batch_sizes[ModeKeys.TRAIN]
        if mode == ModeKeys.TRAIN and self._log_every_n_steps and batch_size:
            speed = _ExamplesPerSecondHook(batch_size, self._log_every_n_steps, self.model_dir)
            spec = spec._replace(training_hooks=(*spec.training_hooks, speed))
        return spec

    def _on_cpu(self, mode: str) -> Callable:
        names = arguments(self._model_fn)

        def model_fn(features: Any, labels: Any, mode: str, params: Any, config: Any) -> Any:
            logging.info("Running %s on CPU", mode)
            offered = {"labels": labels, "mode": mode, "params": params, "config": config}
            if "labels" not in names and labels is not None:
                raise ValueError("model_fn does not take labels, but input_fn returns labels.")
            spec = self._model_fn(features=features, **{name: offered[name] for name in names if name in offered})
            return spec.as_estimator_spec() if isinstance(spec, TPUEstimatorSpec) else spec

        return model_fn

    def train(self, *args: Any, **kwargs: Any) -> TPUEstimator:
        """Trains the model; see `tf.estimator.Estimator.train`."""
        with _told("training_loop"):
            super().train(*args, **kwargs)
        return self

    def evaluate(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Computes the metrics; see `tf.estimator.Estimator.evaluate`."""
        with _told("evaluation_loop"):
            return super().evaluate(*args, **kwargs)

    def predict(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Yields predictions; see `tf.estimator.Estimator.predict`."""
        with _told("prediction_loop"):
            yield from super().predict(*args, **kwargs)


@contextlib.contextmanager
def _told(loop: str) -> Iterator[None]:
    """Logs how a loop ends."""
    try:
        yield
    except Exception as error:
        logging.error("Error recorded from %s: %s", loop, error)
        raise
    finally:
        logging.info("%s marked as finished", loop)
