"""Data sets by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ossia_contrib.learn.datasets import base, mnist, synthetic
from ossia_core.plugins.api_table import public, public_value

DATASETS: dict[str, Callable[[], Any]] = {
    "iris": base.load_iris,  # type: ignore[has-type]  # the stubs of the API import this module
    "boston": base.load_boston,  # type: ignore[has-type]
    "mnist": mnist.load_mnist,
}
SYNTHETIC = {"circles": synthetic.circles, "spirals": synthetic.spirals}
public_value("contrib.learn.datasets.DATASETS", name="DATASETS")
public_value("contrib.learn.datasets.SYNTHETIC", name="SYNTHETIC")


@public("contrib.learn.datasets.load_dataset")
def load_dataset(name: str, size: str = "small", test_with_fake_data: bool = False) -> Any:
    """Loads a data set by its name.

    Args:
      name: one of `DATASETS`.
      size: not used.
      test_with_fake_data: not used.

    Raises:
      ValueError: no data set is called so.
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    return DATASETS[name]()  # type: ignore[operator]


@public("contrib.learn.datasets.make_dataset")
def make_dataset(
    name: str, n_samples: int = 100, noise: float | None = None, seed: int | None = 42, *args: Any, **kwargs: Any
) -> base.Dataset:
    """Makes up a data set.

    Args:
      name: one of `SYNTHETIC`.
      n_samples: how many points.
      noise: the standard deviation of what is added to them.
      seed: of NumPy's generator.
      *args: what else the kind of data takes.
      **kwargs: the same by name.

    Raises:
      ValueError: no kind is called so, or an argument is out of range.
    """
    if name not in SYNTHETIC:
        raise ValueError(f"Synthetic dataset not found or not implemeted: {name}")
    return SYNTHETIC[name](n_samples, noise, seed, *args, **kwargs)  # type: ignore[operator]
