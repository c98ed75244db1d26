"""The Kullback-Leibler divergence: functions registered for pairs of classes, and the choice among them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_ops.math.comparison import is_nan
from ossia_ops.math.logical import logical_not
from ossia_ops.math.reduction import reduce_any

registered: dict[tuple[type, type], Callable] = {}
"""The functions by pairs of classes."""


def registered_for(kind_a: type, kind_b: type) -> Callable | None:
    """The function of the nearest bases of both classes, counted along their orders of resolution."""
    found = (
        (distance_a + distance_b, distance_a, registered[base_a, base_b])
        for distance_a, base_a in enumerate(inspect.getmro(kind_a))
        for distance_b, base_b in enumerate(inspect.getmro(kind_b))
        if (base_a, base_b) in registered
    )
    nearest = min(found, key=lambda candidate: candidate[:2], default=None)
    return nearest and nearest[2]


@public("distributions.kl_divergence", "contrib.distributions.kl_divergence")
def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Tensor:
    """The divergence KL(a || b), the mean under `a` of the logarithm of the ratio of densities.

    Args:
      distribution_a: a distribution.
      distribution_b: another, over the same space.
      allow_nan_stats: whether NaN is returned where the divergence is not defined; if not, the run fails there.
      name: scope of the result.

    Returns:
      One number per distribution of the batch.

    Raises:
      NotImplementedError: nothing is registered for the two classes or bases of theirs.
    """
    function = registered_for(type(distribution_a), type(distribution_b))
    if function is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{type(distribution_a).__name__} and distribution_b type {type(distribution_b).__name__}"
        )
    with name_scope("KullbackLeibler"):
        divergence = function(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return divergence
        divergence = identity(divergence, name="kl")
        defined = logical_not(reduce_any(is_nan(divergence)))
        message = (
            f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN values (and was "
            "called with allow_nan_stats=False). Values:"
        )
        with control_dependencies([builder("Assert")(defined, [message, divergence])]):
            return identity(divergence, name="checked_kl")


def cross_entropy(ref: Any, other: Any, allow_nan_stats: bool = True, name: str | None = None) -> Tensor:
    """The mean of `-log_prob` of `other` under `ref`.

    Args:
      ref: the distribution that values are drawn from.
      other: the distribution whose density is looked at.
      allow_nan_stats: see `kl_divergence`.
      name: scope of the result.
    """
    with name_scope(name, "cross_entropy"):
        return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)


@public("distributions.RegisterKL", "contrib.distributions.RegisterKL")
class RegisterKL:
    """A decorator that makes a function the divergence of two classes of distributions, and of what derives from them.

    Args:
      dist_cls_a: class of the first distribution.
      dist_cls_b: class of the second.
    """

    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key = (dist_cls_a, dist_cls_b)

    def __call__(self, kl_fn: Callable) -> Callable:
        """Registers `kl_fn(distribution_a, distribution_b, name=None)`, and returns it.

        Raises:
          TypeError: `kl_fn` cannot be called.
          ValueError: the two classes have one already.
        """
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in registered:
            raise ValueError(
                f"KL({self._key[0].__name__} || {self._key[1].__name__}) has already been registered to: "
                f"{registered[self._key]}"
            )
        registered[self._key] = kl_fn
        return kl_fn
