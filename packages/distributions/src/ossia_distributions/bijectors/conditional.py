"""Bijectors that depend on something besides their argument."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.tensor import Tensor
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.bijector import Bijector


@public("contrib.distributions.bijectors.ConditionalBijector")
class ConditionalBijector(Bijector):
    """A bijector whose methods pass further arguments by name on to `_forward`, `_inverse` and the others."""

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Tensor:
        """The image of `x`."""
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """What has the image `y`."""
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        """The logarithm of the determinant of the inverse at `y`."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian", **condition_kwargs: Any
    ) -> Tensor:
        """The logarithm of the determinant at `x`."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)
