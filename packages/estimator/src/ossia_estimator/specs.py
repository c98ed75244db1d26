"""`tf.estimator.TrainSpec` and `EvalSpec`: what `train_and_evaluate` trains and evaluates on."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ossia_core.plugins.api_table import public
from ossia_estimator.exporters import Exporter
from ossia_session.run_hook import SessionRunHook


class _TrainSpec(NamedTuple):
    input_fn: Callable
    max_steps: int | None
    hooks: tuple


class _EvalSpec(NamedTuple):
    input_fn: Callable
    steps: int | None
    name: str | None
    hooks: tuple
    exporters: tuple
    start_delay_secs: float
    throttle_secs: float


def _check(input_fn: Any, hooks: Any, steps_name: str, steps: Any) -> tuple:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")
    if steps is not None and steps <= 0:
        raise ValueError(f"Must specify {steps_name} > 0, given: {steps}")
    for hook in hooks or ():
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, given: {hook}")
    return tuple(hooks or ())


@public("estimator.TrainSpec", "compat.v2.estimator.TrainSpec")
class TrainSpec(_TrainSpec):
    """What to train on.

    Args:
        input_fn: As for `Estimator.train`.
        max_steps: The global step to stop at; None to go on until the input ends.
        hooks: SessionRunHooks.

    Raises:
        TypeError: The function cannot be called, or a hook is something else.
        ValueError: `max_steps` is not positive.
    """

    __slots__ = ()

    def __new__(
        cls, input_fn: Callable, max_steps: int | None = None, hooks: Sequence[SessionRunHook] | None = None
    ) -> TrainSpec:
        """Checks the arguments; see the class."""
        return super().__new__(cls, input_fn, max_steps, _check(input_fn, hooks, "max_steps", max_steps))


@public("estimator.EvalSpec", "compat.v2.estimator.EvalSpec")
class EvalSpec(_EvalSpec):
    """What to evaluate on, and what to export then.

    Args:
        input_fn: As for `Estimator.evaluate`.
        steps: How many batches to take; None for all.
        name: Of the evaluation, for its own directory.
        hooks: SessionRunHooks.
        exporters: An Exporter, or several with different names.
        start_delay_secs: How long an evaluator of a cluster waits at first, in seconds.
        throttle_secs: Seconds between two evaluations at least.

    Raises:
        TypeError: Something is of the wrong type.
        ValueError: A number is out of range, or two exporters have one name.
    """

    __slots__ = ()

    def __new__(
        cls, input_fn: Callable, steps: int | None = 100, name: str | None = None,
        hooks: Sequence[SessionRunHook] | None = None, exporters: Any = None, start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> EvalSpec:
        """Checks the arguments; see the class."""
        checked = _check(input_fn, hooks, "steps", steps)
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        if start_delay_secs < 0:
            raise ValueError(f"Must specify start_delay_secs >= 0, given: {start_delay_secs}")
        if throttle_secs < 0:
            raise ValueError(f"Must specify throttle_secs >= 0, given: {throttle_secs}")
        return super().__new__(
            cls, input_fn, steps, name, checked, _exporters(exporters), start_delay_secs, throttle_secs
        )


def _exporters(given: Any) -> tuple[Exporter, ...]:
    made = (given,) if isinstance(given, Exporter) else given or ()
    if not isinstance(made, (list, tuple)) or not all(isinstance(exporter, Exporter) for exporter in made):
        raise TypeError(f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {given}.")
    names = [exporter.name for exporter in made]
    if None in names or len(set(names)) != len(names):
        raise ValueError(f"`exporters` must have unique names, and none `None`. All exporter names: {names}")
    return tuple(made)
