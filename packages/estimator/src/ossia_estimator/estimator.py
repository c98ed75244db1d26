"""`tf.estimator.Estimator`: a model function with its directory."""
from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ossia_checkpoint.reader import load_checkpoint
from ossia_checkpoint.saver import Saver
from ossia_checkpoint.state import latest_checkpoint
from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.scopes import device
from ossia_core.graph.seeds import set_random_seed
from ossia_core.graph.stack import get_default_graph
from ossia_core.names import logging
from ossia_core.plugins.api_table import public
from ossia_estimator import evaluation, exporting, replicated_training
from ossia_estimator.input_results import call_input_fn, features_and_labels, warn_if_endless
from ossia_estimator.model_fns import call_model_fn, check_model_fn
from ossia_estimator.modes import ModeKeys
from ossia_estimator.predictions import batch_size, selected
from ossia_estimator.run_config import RunConfig, device_setter, resolved
from ossia_estimator.warm_start_settings import apply_settings, settings_from
from ossia_ops.state.global_step import (
    assert_global_step,
    create_global_step,
    get_or_create_global_step_read,
)
from ossia_session.creators import ChiefSessionCreator
from ossia_session.hooks.checkpoint_saver import CheckpointSaverHook, CheckpointSaverListener
from ossia_session.hooks.logging_tensor import LoggingTensorHook
from ossia_session.hooks.nan_tensor import NanTensorHook
from ossia_session.hooks.stop_at_step import StopAtStepHook
from ossia_session.monitored import MonitoredSession, MonitoredTrainingSession
from ossia_session.run_hook import SessionRunHook
from ossia_summary.scalar import scalar

_OVERRIDABLE = {
    "_call_input_fn", "_call_model_fn", "_create_global_step", "_convert_train_steps_to_hooks",
    "_convert_eval_steps_to_hooks", "_create_and_assert_global_step", "_tf_api_names", "_tf_api_names_v1",
    "_estimator_api_names", "_estimator_api_names_v1", "_estimator_api_constants", "_estimator_api_constants_v1",
    "_validate_features_in_predict_input", "_add_meta_graph_for_mode", "_export_all_saved_models",
}


@public("estimator.Estimator")
class Estimator:
    """A model, trained, evaluated, used and exported in graphs that it makes anew each time.

    Args:
        model_fn: Builds the model: takes `features`, and those of `labels`, `mode`, `params` and `config` that it
            needs, and returns an EstimatorSpec.
        model_dir: Directory of checkpoints and event files; that of the config, or else a temporary one.
        config: A RunConfig.
        params: Passed to `model_fn`.
        warm_start_from: A checkpoint or SavedModel to begin with, or WarmStartSettings.

    Raises:
        ValueError: `model_fn` takes other arguments, two directories are given, or a subclass overrides methods.

    Example:
        estimator = tf.estimator.Estimator(model_fn, "/tmp/model")
        estimator.train(input_fn, steps=100)
        print(estimator.evaluate(input_fn, steps=10))
    """

    def __init__(
        self, model_fn: Callable, model_dir: str | None = None, config: RunConfig | None = None, params: Any = None,
        warm_start_from: Any = None,
    ) -> None:
        self._assert_members()
        self._config = resolved(config, model_dir)
        self._session_config = self._config.session_config
        self._model_dir = self._config.model_dir
        logging.info("Using config: %s", str(vars(self._config)))
        self._device_fn = self._config.device_fn or device_setter(self._config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_model_fn(model_fn, params)
        self._model_fn = model_fn
        self._params = copy.deepcopy(params or {})
        self._warm_start_settings = settings_from(warm_start_from)

    def _assert_members(self) -> None:
        own = {name for name in vars(Estimator) if not name.startswith("__")} - _OVERRIDABLE
        for kind in type(self).__mro__:
            if kind is Estimator:
                return
            overridden = own & set(vars(kind))
            if overridden:
                raise ValueError(
                    f"Subclasses of Estimator cannot override members of Estimator. {kind} does override "
                    f"{sorted(overridden)}"
                )

    @property
    def model_dir(self) -> str:
        """Directory of checkpoints and event files."""
        return self._model_dir

    @property
    def config(self) -> RunConfig:
        """A copy of the RunConfig."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> Any:
        """A copy of what the model function gets as `params`."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable:
        """A function of `features, labels, mode, config` that builds the model."""

        def public_model_fn(features: Any, labels: Any, mode: str, config: RunConfig) -> Any:
            return self._call_model_fn(features, labels, mode, config)

        return public_model_fn

    def get_variable_value(self, name: str) -> np.ndarray:
        """The value of a variable in the newest checkpoint.

        Raises:
            ValueError: There is no checkpoint.
        """
        return self._reader().get_tensor(name)

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the newest checkpoint; raises ValueError where there is none."""
        return sorted(self._reader().get_variable_to_shape_map())

    def _reader(self) -> Any:
        if not self.latest_checkpoint():
            raise ValueError(f"Could not find trained model in model_dir: {self._model_dir}.")
        return load_checkpoint(self._model_dir)

    def latest_checkpoint(self) -> str | None:
        """The newest checkpoint; None if there is none."""
        return latest_checkpoint(self._model_dir)

    def eval_dir(self, name: str | None = None) -> str:
        """Directory of the event file of evaluations with a name."""
        return os.path.join(self._model_dir, f"eval_{name}" if name else "eval")

    def train(
        self, input_fn: Callable, hooks: Sequence[SessionRunHook] | None = None, steps: int | None = None,
        max_steps: int | None = None, saving_listeners: Sequence[CheckpointSaverListener] | None = None,
    ) -> Estimator:
        """Trains the model from its newest checkpoint on, until the input ends or a limit is reached.

        Args:
            input_fn: Returns features, or a pair of features and labels, or a dataset of them.
            hooks: SessionRunHooks.
            steps: How many steps to make.
            max_steps: The global step to stop at; at most one of both is given.
            saving_listeners: CheckpointSaverListeners.

        Returns:
            The estimator itself.

        Raises:
            ValueError: Both limits are given, or one that is not positive.
            TypeError: A hook or listener is something else.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        _require_positive("steps", steps)
        _require_positive("max_steps", max_steps)
        if max_steps is not None and max_steps <= self._saved_step():
            logging.info("Skipping training since max_steps has already saved.")
            return self
        for listener in saving_listeners or ():
            if not isinstance(listener, CheckpointSaverListener):
                raise TypeError(f"saving_listeners must be a list of CheckpointSaverListener, given: {listener}")
        all_hooks = [*_checked_hooks(hooks), *self._convert_train_steps_to_hooks(steps, max_steps)]
        loss = self._train_model(input_fn, all_hooks, saving_listeners)
        logging.info("Loss for final step: %s.", loss)
        return self

    def _saved_step(self) -> int:
        latest = self.latest_checkpoint()
        return int(load_checkpoint(latest).get_tensor(GraphKeys.GLOBAL_STEP)) if latest else 0

    def _convert_train_steps_to_hooks(self, steps: int | None, max_steps: int | None) -> list[SessionRunHook]:
        return [] if steps is None and max_steps is None else [StopAtStepHook(steps, max_steps)]

    def _convert_eval_steps_to_hooks(self, steps: int | None) -> list[SessionRunHook]:
        if steps is None:
            return []
        _require_positive("steps", steps)
        return [evaluation.StopAfterEvaluations(steps)]

    def _create_global_step(self, graph: Graph) -> Any:
        return create_global_step(graph)

    def _create_and_assert_global_step(self, graph: Graph) -> Any:
        step = self._create_global_step(graph)
        assert_global_step(step)
        return step

    def _call_input_fn(self, input_fn: Callable, mode: str, input_context: Any = None) -> Any:
        return call_input_fn(input_fn, mode, self.params, self.config, input_context)

    def _call_model_fn(self, features: Any, labels: Any, mode: str, config: RunConfig) -> Any:
        return call_model_fn(self._model_fn, features, labels, mode, self.params, config)

    def _train_model(self, input_fn: Callable, hooks: list, saving_listeners: Any) -> Any:
        if self._config.train_distribute is not None:
            return self._train_replicated(self._config.train_distribute, input_fn, hooks, saving_listeners)
        with Graph().as_default() as graph, device(self._device_fn):
            set_random_seed(self._config.tf_random_seed)
            step = self._create_and_assert_global_step(graph)
            get_or_create_global_step_read(graph)
            features, labels, input_hooks = features_and_labels(self._call_input_fn(input_fn, ModeKeys.TRAIN))
            spec = self._call_model_fn(features, labels, ModeKeys.TRAIN, self.config)
            return self._run_training(spec, [*input_hooks, *hooks], step, saving_listeners)

    def _train_replicated(self, strategy: Any, input_fn: Callable, hooks: list, saving_listeners: Any) -> Any:
        scaled, strategy._scale_loss_for_estimator = strategy._scale_loss_for_estimator, True
        try:
            with Graph().as_default() as graph, strategy.scope():
                set_random_seed(self._config.tf_random_seed)
                features, labels, input_hooks = replicated_training.batches(
                    strategy, lambda context: self._call_input_fn(input_fn, ModeKeys.TRAIN, context)
                )
                step = self._create_and_assert_global_step(graph)
                get_or_create_global_step_read(graph)
                spec = replicated_training.replicated_spec(
                    strategy, lambda x, y: self._call_model_fn(x, y, ModeKeys.TRAIN, self.config), features, labels
                )
                return self._run_training(spec, [*input_hooks, *hooks], step, saving_listeners)
        finally:
            strategy._scale_loss_for_estimator = scaled

    def _run_training(self, spec: Any, hooks: list, step: Any, saving_listeners: Any) -> Any:
        config = self._config
        graph = get_default_graph()
        if self._warm_start_settings:
            apply_settings(self._warm_start_settings)
        if not any(item.op.name == evaluation.LOSS for item in graph.get_collection(GraphKeys.SUMMARIES)):
            scalar(evaluation.LOSS, spec.loss)
        graph.add_to_collection(GraphKeys.LOSSES, spec.loss)
        hooks.append(NanTensorHook(spec.loss))
        if config.log_step_count_steps is not None:
            hooks.append(
                LoggingTensorHook({"loss": spec.loss, "step": step}, every_n_iter=config.log_step_count_steps)
            )
        hooks.extend(spec.training_hooks)
        if not (spec.scaffold.saver or graph.get_collection(GraphKeys.SAVERS)):
            saver = Saver(
                sharded=True, max_to_keep=config.keep_checkpoint_max,
                keep_checkpoint_every_n_hours=config.keep_checkpoint_every_n_hours, defer_build=True,
                save_relative_paths=True,
            )
            graph.add_to_collection(GraphKeys.SAVERS, saver)
        chief_hooks = self._saving_hooks(spec, hooks, saving_listeners)
        with MonitoredTrainingSession(
            master=config.master, is_chief=config.is_chief, checkpoint_dir=self._model_dir, scaffold=spec.scaffold,
            hooks=hooks, chief_only_hooks=[*chief_hooks, *spec.training_chief_hooks], save_checkpoint_secs=0,
            save_summaries_steps=config.save_summary_steps, config=self._session_config,
            max_wait_secs=config.session_creation_timeout_secs, log_step_count_steps=config.log_step_count_steps,
        ) as session:
            loss, stepped = None, False
            while not session.should_stop():
                _, loss = session.run([spec.train_op, spec.loss])
                stepped = True
        if not stepped:
            logging.warning("Training with estimator made no steps. Perhaps input is empty or misspecified.")
        return loss

    def _saving_hooks(self, spec: Any, hooks: list, listeners: Any) -> list[SessionRunHook]:
        """The hook that saves, if no other does; the listeners are told by the first that does."""
        present = [hook for hook in [*hooks, *spec.training_chief_hooks] if isinstance(hook, CheckpointSaverHook)]
        config = self._config
        if not present and (config.save_checkpoints_secs or config.save_checkpoints_steps):
            return [
                CheckpointSaverHook(
                    self._model_dir, save_secs=config.save_checkpoints_secs, save_steps=config.save_checkpoints_steps,
                    scaffold=spec.scaffold, listeners=listeners,
                )
            ]
        if listeners and not present:
            raise ValueError("There should be a CheckpointSaverHook to use saving_listeners. Please set one of the "
                             "RunConfig.save_checkpoints_steps or RunConfig.save_checkpoints_secs.")
        if listeners:
            present[0]._listeners.extend(listeners)
        return []

    def evaluate(
        self, input_fn: Callable, steps: int | None = None, hooks: Sequence[SessionRunHook] | None = None,
        checkpoint_path: str | None = None, name: str | None = None,
    ) -> dict[str, Any]:
        """Computes the metrics of the model.

        Args:
            input_fn: As for `train`.
            steps: How many batches to take; None for all.
            hooks: SessionRunHooks.
            checkpoint_path: The checkpoint, by default the newest; without one the model is initialised.
            name: Of the evaluation, for its own directory.

        Returns:
            The values by name, with `loss` and `global_step`.

        Raises:
            ValueError: `steps` is not positive, or a metric has the name of another.
            TypeError: A hook is something else.
        """
        if steps and self._config.eval_distribute is not None:
            # Metrics add up over batches, so one replica does the work of all: a step is a batch for each.
            steps *= self._config.eval_distribute.num_replicas_in_sync
        all_hooks = [*_checked_hooks(hooks), *self._convert_eval_steps_to_hooks(steps)]
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if not checkpoint_path:
            self._log_initialized("evaluate")
        with Graph().as_default() as graph, device(self._device_fn):
            scaffold, update, values, all_hooks = self._build_evaluation(graph, input_fn, all_hooks, checkpoint_path)
            results = evaluation.evaluate_once(
                scaffold, update, values, all_hooks, checkpoint_path, self._config.evaluation_master,
                self._session_config,
            )
            step = results[GraphKeys.GLOBAL_STEP]
            evaluation.write_results(self.eval_dir(name), results, step)
            if checkpoint_path:
                evaluation.write_checkpoint_path(self.eval_dir(name), checkpoint_path, step)
        return results

    def _build_evaluation(
        self, graph: Graph, input_fn: Callable, hooks: list, checkpoint_path: str | None
    ) -> tuple[Any, Any, dict[str, Any], list]:
        """The scaffold, the updates, the values and the hooks of an evaluation, built in a graph."""
        set_random_seed(self._config.tf_random_seed)
        self._create_and_assert_global_step(graph)
        context = replicated_training.context_of(self._config.eval_distribute)
        result = self._call_input_fn(input_fn, ModeKeys.EVAL, context)
        features, labels, input_hooks = features_and_labels(result)
        spec = self._call_model_fn(features, labels, ModeKeys.EVAL, self.config)
        if self._warm_start_settings and not checkpoint_path:
            apply_settings(self._warm_start_settings)
        update, values = evaluation.evaluation_ops(spec)
        return spec.scaffold, update, values, [*input_hooks, *hooks, *spec.evaluation_hooks]

    def _log_initialized(self, purpose: str) -> None:
        logging.info(
            "Could not find trained model in model_dir: %s, running initialization to %s.", self._model_dir, purpose
        )

    def predict(
        self, input_fn: Callable, predict_keys: Any = None, hooks: Sequence[SessionRunHook] | None = None,
        checkpoint_path: str | None = None, yield_single_examples: bool = True,
    ) -> Iterator[Any]:
        """Yields predictions.

        Args:
            input_fn: Returns features; labels beside them are dropped.
            predict_keys: Names of the predictions to yield; None for all.
            hooks: SessionRunHooks.
            checkpoint_path: The checkpoint, by default the newest; without one the model is initialised.
            yield_single_examples: Whether to yield example by example, instead of batches.

        Yields:
            Values of the predictions: arrays, or dicts of them.

        Raises:
            ValueError: No prediction has such a name, or batches differ in size.
        """
        all_hooks = _checked_hooks(hooks)
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if not checkpoint_path:
            self._log_initialized("predict")
        with Graph().as_default() as graph, device(self._device_fn):
            set_random_seed(self._config.tf_random_seed)
            self._create_and_assert_global_step(graph)
            result = self._call_input_fn(input_fn, ModeKeys.PREDICT)
            features, _, input_hooks = features_and_labels(result)
            self._validate_features_in_predict_input(result)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self.config)
            if self._warm_start_settings and not checkpoint_path:
                apply_settings(self._warm_start_settings)
            predictions = selected(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                checkpoint_filename_with_path=checkpoint_path, master=self._config.master, scaffold=spec.scaffold,
                config=self._session_config,
            )
            with MonitoredSession(creator, hooks=[*input_hooks, *all_hooks, *spec.prediction_hooks]) as session:
                while not session.should_stop():
                    values = session.run(predictions)
                    if not yield_single_examples:
                        yield values
                    elif not isinstance(values, Mapping):
                        yield from values
                    else:
                        for number in range(batch_size(values)):
                            yield {name: value[number] for name, value in values.items()}

    def _validate_features_in_predict_input(self, result: Any) -> None:
        warn_if_endless(result)

    def export_saved_model(
        self, export_dir_base: str, serving_input_receiver_fn: Callable, assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False, checkpoint_path: str | None = None, experimental_mode: str = ModeKeys.PREDICT,
    ) -> bytes:
        """Writes a SavedModel of the model into a new directory, named by the time.

        Args:
            export_dir_base: Where to make the directory.
            serving_input_receiver_fn: Returns a ServingInputReceiver.
            assets_extra: Files to copy beside the model: their sources by their paths there.
            as_text: Whether to write the description as text.
            checkpoint_path: The checkpoint, by default the newest.
            experimental_mode: Which graph to write, a mode of ModeKeys; to train or to evaluate with, it
                needs a receiver with labels.

        Returns:
            The directory.

        Raises:
            ValueError: There is no checkpoint or no receiver.
        """
        receivers = {experimental_mode: serving_input_receiver_fn}
        return self._export(export_dir_base, receivers, assets_extra, as_text, checkpoint_path, True)

    def export_savedmodel(
        self, export_dir_base: str, serving_input_receiver_fn: Callable, assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False, checkpoint_path: str | None = None, strip_default_attrs: bool = False,
    ) -> bytes:
        """The older `export_saved_model`.

        Args:
            export_dir_base: As there, as are the next.
            serving_input_receiver_fn: Returns a ServingInputReceiver.
            assets_extra: Files to copy.
            as_text: Whether to write text.
            checkpoint_path: The checkpoint.
            strip_default_attrs: Whether to leave out attributes that have their default value.
        """
        receivers = {ModeKeys.PREDICT: serving_input_receiver_fn}
        return self._export(
            export_dir_base, receivers, assets_extra, as_text, checkpoint_path, strip_default_attrs
        )

    def experimental_export_all_saved_models(
        self, export_dir_base: str, input_receiver_fn_map: Mapping[str, Callable],
        assets_extra: Mapping[str, str] | None = None, as_text: bool = False, checkpoint_path: str | None = None,
    ) -> bytes:
        """Like `export_saved_model`, with a graph for each mode that has a function for its receiver."""
        return self._export(export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path, True)

    def _export(
        self, base: str, receivers: Mapping[str, Callable], assets_extra: Any, as_text: bool, checkpoint_path: Any,
        strip_default_attrs: bool,
    ) -> bytes:
        if any(receiver is None for receiver in receivers.values()):
            raise ValueError("An input_receiver_fn must be defined.")
        checkpoint_path = checkpoint_path or self.latest_checkpoint()
        if not checkpoint_path:
            raise ValueError(f"Couldn't find trained model at {self._model_dir}.")
        # The graph for training comes first: it has all the variables.
        modes = [mode for mode in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT) if receivers.get(mode)]
        if not modes:
            raise ValueError(f"No valid modes for exporting found. Got {receivers.keys()}.")

        def add(saved_model: Any) -> None:
            for mode in modes:
                with Graph().as_default() as graph:
                    self._create_and_assert_global_step(graph)
                    set_random_seed(self._config.tf_random_seed)
                    receiver = receivers[mode]()
                    labels = getattr(receiver, "labels", None)
                    spec = self._call_model_fn(receiver.features, labels, mode, self.config)
                    exporting.add_graph(
                        saved_model, mode, spec, receiver, checkpoint_path, self._session_config,
                        strip_default_attrs, with_variables=mode == modes[0],
                    )

        return exporting.write_saved_model(base, add, assets_extra, as_text)


def _require_positive(name: str, value: int | None) -> None:
    if value is not None and value <= 0:
        raise ValueError(f"Must specify {name} > 0, given: {value}")


def _checked_hooks(hooks: Any) -> list[SessionRunHook]:
    for hook in hooks or ():
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"Hooks must be a SessionRunHook, given: {hook}")
    return list(hooks or ())
