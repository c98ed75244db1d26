"""`basic_session_run_hooks`: hooks of sessions each run of which makes several steps."""

from __future__ import annotations

from typing import Any

import ossia as tf

_HOOKS = "hooks"
_STEPS_PER_RUN_VAR = "steps_per_run"


def get_or_create_steps_per_run_variable() -> Any:
    """The local variable that says how many steps the next run makes.

    Raises:
        ValueError: There are several.
    """
    key = f"{_HOOKS}_{_STEPS_PER_RUN_VAR}"
    found = tf.get_collection(key)
    if len(found) > 1:
        raise ValueError("Multiple steps_per_run_var in collection.")
    if found:
        return found[0]
    with tf.variable_scope(_HOOKS, reuse=tf.AUTO_REUSE):
        return tf.get_variable(
            _STEPS_PER_RUN_VAR, shape=[], dtype=tf.int32, initializer=tf.ones_initializer(), trainable=False,
            collections=[tf.GraphKeys.LOCAL_VARIABLES, key], use_resource=True,
        )


def _as_graph_element(obj: Any) -> Any:
    """An operation or tensor of the default graph, or what a name or an object stands for.

    Raises:
        ValueError: The object is of another graph.
    """
    graph = tf.get_default_graph()
    if not isinstance(obj, str):
        if not hasattr(obj, "graph") or obj.graph is not graph:
            raise ValueError(f"Passed {obj} should have graph attribute that is equal to current graph {graph}.")
        return obj
    return graph.as_graph_element(obj if ":" in obj else f"{obj}:0")


class _MultiStepStopAtStepHook(tf.train.SessionRunHook):
    """Stops at a global step, where each run makes several steps: the last run as many as are left."""

    def __init__(self, num_steps: int | None = None, last_step: int | None = None, steps_per_run: int = 1) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        if steps_per_run is None or steps_per_run < 1:
            raise ValueError("steps_per_run should be greater than 0")
        self._num_steps = num_steps
        self._last_step = last_step
        self._steps_per_run_initial_value = steps_per_run

    def begin(self) -> None:
        self._global_step_tensor = tf.train.get_global_step()
        if self._global_step_tensor is None:
            raise RuntimeError("Global step should be created to use StopAtStepHook.")
        self._steps_per_run_variable = get_or_create_steps_per_run_variable()

    def _update_steps_per_run_variable(self, global_step: int, session: Any) -> None:
        assert self._last_step is not None  # found when the session was made
        steps = min(self._last_step - global_step, self._steps_per_run_initial_value)
        self._steps_per_run_variable.load(steps, session=session)

    def after_create_session(self, session: Any, coord: Any) -> None:
        step = session.run(self._global_step_tensor)
        if self._last_step is None:
            self._last_step = step + self._num_steps
        self._update_steps_per_run_variable(step, session)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = run_context.session.run(self._global_step_tensor)
        if step >= self._last_step:
            run_context.request_stop()
        else:
            self._update_steps_per_run_variable(step, run_context.session)


class _HookTimer:
    """What timers of hooks have in common."""

    def reset(self) -> None:
        """Forgets the last time."""

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is time at `step`."""
        raise NotImplementedError

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Notes that it was time at `step`."""
        raise NotImplementedError

    def last_triggered_step(self) -> int | None:
        """The step of the last time."""
        raise NotImplementedError
