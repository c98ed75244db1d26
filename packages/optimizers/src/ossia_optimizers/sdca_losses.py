"""The losses of stochastic dual coordinate ascent: each with its dual, and the step that is best for one example."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ossia_core.names.errors import InvalidArgumentError

_STEPS = 10  # of Newton's method, which converges long before


class DualLoss(ABC):
    """A convex loss of a linear model's output `wx`. `pull` is `partitions * weight * |x|^2 / l2`: how far a unit of
    dual moves `wx`."""

    smoothness = 0.0  # the inverse of how fast the slope may change; 0 if there is no limit

    def label(self, label: float) -> float:
        """The label as the formulas want it.

        Raises:
          InvalidArgumentError: a label that the loss does not know.
        """
        return label

    @abstractmethod
    def primal(self, wx: float, label: float) -> float:
        """The loss."""

    @abstractmethod
    def slope(self, wx: float, label: float) -> float:
        """The derivative of the loss by `wx`."""

    @abstractmethod
    def dual(self, dual: float, label: float) -> float:
        """The conjugate of the loss at minus the dual variable; infinite outside of its domain."""

    @abstractmethod
    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        """The dual variable that maximises the dual objective while all others stay."""


class SquaredLoss(DualLoss):
    """`(wx - label)^2 / 2`."""

    smoothness = 1.0

    def primal(self, wx: float, label: float) -> float:
        return (wx - label) ** 2 / 2

    def slope(self, wx: float, label: float) -> float:
        return wx - label

    def dual(self, dual: float, label: float) -> float:
        return dual * (dual / 2 - label)

    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        return dual + (label - dual - wx) / (1 + pull)


class _BinaryLoss(DualLoss):
    """A loss with labels 0 and 1, which become -1 and 1; `label * dual` lies between 0 and 1."""

    def label(self, label: float) -> float:
        if label not in (0.0, 1.0):
            raise InvalidArgumentError(
                None, None, f"Only labels of 0.0 or 1.0 are supported right now. Found example with label: {label:g}"
            )
        return 1.0 if label else -1.0

    @staticmethod
    def _within(label: float, dual: float) -> float:
        return 0.0 if label * dual < 0 else label if label * dual > 1 else dual


class HingeLoss(_BinaryLoss):
    """`max(0, 1 - label * wx)`."""

    def primal(self, wx: float, label: float) -> float:
        return max(0.0, 1 - label * wx)

    def slope(self, wx: float, label: float) -> float:
        return -label if label * wx < 1 else 0.0

    def dual(self, dual: float, label: float) -> float:
        return -label * dual if 0 <= label * dual <= 1 else np.inf

    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        if not pull:
            return label if label * (label - wx) > 0 else 0.0
        return self._within(label, dual + (label - wx) / pull)


class SmoothHingeLoss(_BinaryLoss):
    """The hinge loss, rounded off by a parabola between 0 and 1."""

    smoothness = 1.0

    def primal(self, wx: float, label: float) -> float:
        y_wx = label * wx
        return 0.0 if y_wx >= 1 else 0.5 - y_wx if y_wx <= 0 else (1 - y_wx) ** 2 / 2

    def slope(self, wx: float, label: float) -> float:
        return -label * min(max(1 - label * wx, 0.0), 1.0)

    def dual(self, dual: float, label: float) -> float:
        return -label * dual + dual * dual / 2 if 0 <= label * dual <= 1 else np.inf

    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        return self._within(label, dual + (label - wx - dual) / (pull + 1))


class LogisticLoss(_BinaryLoss):
    """`log(1 + exp(-label * wx))`."""

    smoothness = 4.0

    def primal(self, wx: float, label: float) -> float:
        y_wx = label * wx
        return np.log1p(np.exp(-y_wx)) if y_wx > 0 else np.log1p(np.exp(y_wx)) - y_wx

    def slope(self, wx: float, label: float) -> float:
        return -label * (1 - np.tanh(label * wx / 2)) / 2

    def dual(self, dual: float, label: float) -> float:
        share = label * dual
        if share < 0 or share > 1:
            return np.inf
        return 0.0 if share in (0.0, 1.0) else np.log(share) * share + np.log(1 - share) * (1 - share)

    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        # With `label * dual = (1 + tanh x) / 2` the optimum is where x satisfies `-2 label x = wx + pull * change of
        # dual`.
        x = 0.0
        for _ in range(_STEPS):
            t = np.tanh(x)
            value = -2 * label * x - wx - pull * (0.5 * (1 + t) / label - dual)
            x -= value / (-2 * label - pull * (1 - t * t) * 0.5 / label)
        return 0.5 * (1 + np.tanh(x)) / label


class PoissonLoss(DualLoss):
    """`exp(wx) - label * wx`, for counts."""

    smoothness = 1.0  # the original's, though the slope may change as fast as it likes

    def label(self, label: float) -> float:
        if label < 0:
            raise InvalidArgumentError(
                None,
                None,
                f"Only non-negative labels can be used with the Poisson log loss. Found example with label: {label:g}",
            )
        return label

    def primal(self, wx: float, label: float) -> float:
        return np.exp(wx) - wx * label

    def slope(self, wx: float, label: float) -> float:
        return np.exp(wx) - label

    def dual(self, dual: float, label: float) -> float:
        rest = label - dual
        return 0.0 if not rest else np.inf if rest < 0 else rest * (np.log(rest) - 1)

    def best(self, label: float, dual: float, wx: float, pull: float) -> float:
        # The optimum is `label - exp(x)` where `x = wx + pull * (label - exp(x) - dual)`. From the right, Newton's
        # method never overshoots.
        rest = label - dual
        x = max(wx, np.log(rest)) if rest > 0 else wx
        for _ in range(_STEPS * _STEPS):
            e = np.exp(x)
            step = (x - wx - pull * (rest - e)) / (1 + pull * e)
            x -= step
            if abs(step) < 1e-12 * (1 + abs(x)):
                break
        return label - np.exp(x)


LOSSES: dict[bytes, DualLoss] = {
    b"squared_loss": SquaredLoss(),
    b"hinge_loss": HingeLoss(),
    b"smooth_hinge_loss": SmoothHingeLoss(),
    b"logistic_loss": LogisticLoss(),
    b"poisson_loss": PoissonLoss(),
}
