"""What classifiers and regressors of old predict: classes, probabilities, numbers, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ossia_contrib.learn.estimator import Estimator
from ossia_contrib.learn.specs import PredictionKey


def _each(predictions: Iterator[Any], key: str) -> Iterator[Any]:
    for each in predictions:
        yield each[key]


class Predictor(Estimator):
    """An estimator whose `predict` gives one output, unless others are asked for."""

    _output: str

    def predict(  # type: ignore[override]
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None,
        outputs: Sequence[str] | None = None, as_iterable: bool = True,
    ) -> Any:
        """Predictions.

        Args:
          x: features, fed in batches, once.
          input_fn: a function that makes features, in their place.
          batch_size: how many rows of `x` a batch has, all by default.
          outputs: the names of predictions to give, as dicts; by default the values of one.
          as_iterable: whether to give one after the other.
        """
        if outputs:
            return super().predict(
                x=x, input_fn=input_fn, batch_size=batch_size, outputs=outputs, as_iterable=as_iterable
            )
        return self._values(self._output, x, input_fn, batch_size, as_iterable)

    def _values(
        self, key: str, x: Any, input_fn: Callable | None, batch_size: int | None, as_iterable: bool
    ) -> Any:
        found = super().predict(
            x=x, input_fn=input_fn, batch_size=batch_size, outputs=[key], as_iterable=as_iterable
        )
        return _each(found, key) if as_iterable else found[key]


class Classifier(Predictor):
    """An estimator of classes."""

    _output = PredictionKey.CLASSES

    def predict_classes(
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The class of each example; see `predict`."""
        return self._values(PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The probabilities of all classes for each example; see `predict`."""
        return self._values(PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable)


class Regressor(Predictor):
    """An estimator of numbers."""

    _output = PredictionKey.SCORES

    def predict_scores(
        self, x: Any = None, input_fn: Callable | None = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The numbers of each example; see `predict`."""
        return self._values(PredictionKey.SCORES, x, input_fn, batch_size, as_iterable)
