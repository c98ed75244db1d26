"""Points in the plane on circles and spirals."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_contrib.learn.datasets.base import Dataset


def circles(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, factor: float = 0.8, n_classes: int = 2,
    *args: Any, **kwargs: Any,
) -> Dataset:
    """Points on circles around the origin, in random order.

    Args:
      n_samples: how many points.
      noise: the standard deviation of what is added to them; nothing by default.
      seed: of NumPy's generator.
      factor: the radius of a circle as a part of the one around it.
      n_classes: how many circles.

    Returns:
      float64 `[n_samples, 2]`, and the circle of each, int32.

    Raises:
      ValueError: `noise` is negative.
    """
    if seed is not None:
        np.random.seed(seed)
    angles = np.linspace(0, 2 * np.pi, n_samples // n_classes)
    radii = factor ** np.arange(n_classes)[:, np.newaxis]
    points = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1).reshape(-1, 2)
    classes = np.repeat(np.arange(n_classes, dtype=np.int32), len(angles))
    return _scattered(points, classes, noise, n_samples)


def _scattered(points: np.ndarray, classes: np.ndarray, noise: float | None, count: int) -> Dataset:
    rest = count - len(points)  # what does not divide evenly lies anywhere, with the first class
    points = np.concatenate([points, np.random.uniform(-1, 1, [rest, 2])])
    classes = np.concatenate([classes, np.zeros(rest, np.int32)])
    order = np.random.permutation(count)
    if noise is not None:
        points = points + np.random.normal(scale=noise, size=points.shape)
    return Dataset(data=points[order], target=classes[order])


def spirals(
    n_samples: int = 100, noise: float | None = None, seed: int | None = None, mode: str = "archimedes",
    n_loops: int = 2, *args: Any, **kwargs: Any,
) -> Dataset:
    """Points on two spirals, in random order.

    Args:
      n_samples: how many points.
      noise: the standard deviation of what is added to them; nothing by default.
      seed: of NumPy's generator.
      mode: the kind of spiral: `archimedes`, `bernoulli` or `fermat`.
      n_loops: how often each goes around.

    Returns:
      float64 `[n_samples, 2]`, and the spiral of each, int32.

    Raises:
      ValueError: another `mode`, or `noise` is negative.
    """
    if mode not in ("archimedes", "bernoulli", "fermat"):
        raise ValueError(f"Cannot generate spiral with mode {mode}")
    if seed is not None:
        np.random.seed(seed)
    theta = np.linspace(0, n_loops * 2 * np.pi, n_samples // 2)
    radius = {"archimedes": theta, "bernoulli": np.exp(0.1 * theta), "fermat": np.sqrt(theta)}[mode]
    arm = np.stack([radius * np.cos(theta), radius * np.sin(theta)], axis=-1)
    arm /= np.abs(arm).max(axis=0)
    classes = np.repeat(np.arange(2, dtype=np.int32), len(theta))
    return _scattered(np.concatenate([arm, -arm]), classes, noise, n_samples)
