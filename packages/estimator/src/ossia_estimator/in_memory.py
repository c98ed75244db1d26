"""`tf.estimator.experimental.InMemoryEvaluatorHook`: evaluations in the middle of training, without checkpoints."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_core.graph.graph import Graph
from ossia_core.graph.stack import get_default_graph
from ossia_core.plugins.api_table import public
from ossia_estimator.estimator import Estimator
from ossia_estimator.evaluation import evaluate_once, write_results
from ossia_session.hooks.timer import SecondOrStepTimer
from ossia_session.run_hook import SessionRunContext, SessionRunHook, SessionRunValues
from ossia_session.scaffold import Scaffold


@public(
    "estimator.experimental.InMemoryEvaluatorHook", "compat.v2.estimator.experimental.InMemoryEvaluatorHook",
    "contrib.estimator.InMemoryEvaluatorHook",
)
class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates the variables of the session that trains, at its start, every so many steps and at its end.

    Args:
        estimator: The estimator that trains.
        input_fn: As for `Estimator.evaluate`.
        steps: How many batches to take; None for all.
        hooks: SessionRunHooks of the evaluations.
        name: Of the evaluation, for its own directory.
        every_n_iter: Steps between two evaluations.

    Raises:
        ValueError: `every_n_iter` is not positive.
        TypeError: `estimator` is none.
    """

    def __init__(
        self, estimator: Any, input_fn: Callable, steps: int | None = None,
        hooks: Sequence[SessionRunHook] | None = None, name: str | None = None, every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if not isinstance(estimator, Estimator):
            raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluatorHook supports only single worker (aka local) setting.")
        self._estimator = estimator
        self._input_fn = input_fn
        self._steps = steps
        self._name = name
        self._hooks = list(hooks or ())
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)
        self._iterations = 0

    def begin(self) -> None:
        self._timer.reset()
        self._iterations = 0
        self._trained = {variable.name: variable for variable in self._saved_variables()}
        with Graph().as_default() as self._graph:
            hooks = [*self._hooks, *self._estimator._convert_eval_steps_to_hooks(self._steps)]
            scaffold, self._update, self._values, self._all_hooks = self._estimator._build_evaluation(
                self._graph, self._input_fn, hooks, None
            )
            self._variables = [v for v in self._saved_variables() if v.name in self._trained]
            self._scaffold = Scaffold(init_fn=self._transfer, copy_from_scaffold=scaffold)

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._evaluate(session)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._iterations += 1
        if self._timer.should_trigger_for_step(self._iterations):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        self._evaluate(session)

    @staticmethod
    def _saved_variables() -> list[Any]:
        graph = get_default_graph()
        return [*graph.get_collection(GraphKeys.GLOBAL_VARIABLES), *graph.get_collection(GraphKeys.SAVEABLE_OBJECTS)]

    def _transfer(self, scaffold: Any, session: Any) -> None:
        for variable, value in zip(self._variables, self._current):
            variable.load(value, session)

    def _evaluate(self, session: Any) -> None:
        self._timer.update_last_triggered_step(self._iterations)
        self._current = session.run([self._trained[variable.name] for variable in self._variables])
        with self._graph.as_default():
            results = evaluate_once(
                self._scaffold, self._update, self._values, self._all_hooks, None,
                self._estimator.config.evaluation_master, self._estimator.config.session_config,
            )
        write_results(self._estimator.eval_dir(self._name), results, results[GraphKeys.GLOBAL_STEP])
