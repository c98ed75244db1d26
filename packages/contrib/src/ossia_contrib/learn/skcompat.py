"""Estimators with the arguments that scikit-learn has."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_contrib.learn import feeding, running
from ossia_contrib.learn.estimator import Estimator
from ossia_core.plugins.api_table import public


@public("contrib.learn.SKCompat")
class SKCompat:
    """An estimator with the arguments that scikit-learn has.

    Args:
      estimator: the estimator.
    """

    def __init__(self, estimator: Estimator) -> None:
        self._estimator = estimator

    def fit(
        self, x: Any, y: Any, batch_size: int = 128, steps: int | None = None, max_steps: int | None = None,
        monitors: Any = None,
    ) -> SKCompat:
        """Trains on arrays."""
        make, feed = feeding.input_and_feed(x, y, None, batch_size, shuffle=True, epochs=None)
        hooks = running.hooks_of(monitors, self._estimator)
        if steps or max_steps:
            hooks.append(tf.train.StopAtStepHook(steps, max_steps))
        self._estimator._train(make, feed, hooks)
        return self

    def score(
        self, x: Any, y: Any, batch_size: int = 128, steps: int | None = None, metrics: Any = None,
        name: str | None = None,
    ) -> Any:
        """The metrics on arrays."""
        results = self._estimator.evaluate(x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name)
        return results

    def predict(self, x: Any, batch_size: int = 128, outputs: Any = None) -> Any:
        """The predictions for an array, all at once."""
        return self._estimator.predict(x, batch_size=batch_size, outputs=outputs, as_iterable=False)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, as scikit-learn asks for them."""
        return {"estimator": self._estimator}
