"""Bijectors made of others or of functions: one after the other, backwards, and in line."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_distributions.bijectors.bijector import Bijector, static_ndims
from ossia_ops.array.shape import rank, shape, size
from ossia_ops.math.cast import cast


@public("contrib.distributions.bijectors.Chain")
class Chain(Bijector):
    """The last of several bijectors, then the one before it, and so on to the first.

    Args:
      bijectors: the bijectors; none for the identity.
      validate_args: without effect on them.
      name: scope of its methods; made of their names if None.

    Raises:
      ValueError: they differ in dtype.
    """

    def __init__(
        self, bijectors: Sequence[Bijector] | None = None, validate_args: bool = False, name: str | None = None
    ) -> None:
        bijectors = tuple(bijectors or ())
        self._bijectors = bijectors
        for bijector in bijectors:
            if not bijector._is_injective:
                raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        kinds = list({bijector.dtype for bijector in bijectors} - {None})
        if len(kinds) > 1:
            raise ValueError(f"incompatible dtypes: {sorted(str(kind) for kind in kinds)}")
        inverse = _least_ndims(bijectors, lambda b: b.inverse_min_event_ndims, lambda b: b.forward_min_event_ndims)
        forward = _least_ndims(
            bijectors[::-1], lambda b: b.forward_min_event_ndims, lambda b: b.inverse_min_event_ndims
        )
        super().__init__(
            graph_parents=list(itertools.chain.from_iterable(b.graph_parents for b in bijectors)),
            forward_min_event_ndims=forward,
            inverse_min_event_ndims=inverse,
            is_constant_jacobian=all(b.is_constant_jacobian for b in bijectors),
            validate_args=validate_args,
            dtype=kinds[0] if kinds else None,
            name=name or ("identity" if not bijectors else "_of_".join(["chain"] + [b.name for b in bijectors])),
        )

    @property
    def bijectors(self) -> tuple[Bijector, ...]:
        """The bijectors."""
        return self._bijectors

    def _through_shapes(self, method: str, sizes: Any, bijectors: Sequence[Bijector]) -> Any:
        for bijector in bijectors:
            sizes = getattr(bijector, method)(sizes)
        return sizes

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return self._through_shapes("forward_event_shape_tensor", input_shape, self.bijectors[::-1])

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self._through_shapes("forward_event_shape", input_shape, self.bijectors[::-1])

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return self._through_shapes("inverse_event_shape_tensor", output_shape, self.bijectors)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self._through_shapes("inverse_event_shape", output_shape, self.bijectors)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Tensor:
        for bijector in self.bijectors:
            y = bijector.inverse(y, **kwargs.get(bijector.name, {}))
        return y

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Tensor:
        ildj = cast(0.0, dtype=y.dtype.base_dtype)
        if not self.bijectors:
            return ildj
        sizes = _Sizes(y, self.inverse_min_event_ndims)
        for bijector in self.bijectors:
            named = kwargs.get(bijector.name, {})
            ildj += bijector.inverse_log_det_jacobian(y, event_ndims=sizes.ndims, **named)
            sizes.through(bijector.inverse_event_shape, bijector.inverse_event_shape_tensor)
            y = bijector.inverse(y, **named)
        return ildj

    def _forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        for bijector in reversed(self.bijectors):
            x = bijector.forward(x, **kwargs.get(bijector.name, {}))
        return x

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Tensor:
        x = convert_to_tensor(x, name="x")
        fldj = cast(0.0, dtype=x.dtype)
        if not self.bijectors:
            return fldj
        sizes = _Sizes(x, self.forward_min_event_ndims)
        for bijector in reversed(self.bijectors):
            named = kwargs.get(bijector.name, {})
            fldj += bijector.forward_log_det_jacobian(x, event_ndims=sizes.ndims, **named)
            sizes.through(bijector.forward_event_shape, bijector.forward_event_shape_tensor)
            x = bijector.forward(x, **named)
        return fldj


class _Sizes:
    """The shape of an event on its way through a chain; a tensor where its rank is not known."""

    def __init__(self, at: Tensor, ndims: int) -> None:
        self._known = at.shape.is_fully_defined()
        self._sizes: Any = (
            at.shape[at.shape.ndims - ndims:] if self._known else shape(at)[rank(at) - ndims:]
        )
        self.ndims: Any = ndims

    def through(self, static: Callable, dynamic: Callable) -> None:
        self._sizes = static(self._sizes) if self._known else dynamic(self._sizes)
        if self._known:
            self.ndims = self._sizes.ndims
            return
        self.ndims = size(self._sizes)
        known = static_ndims(self.ndims)
        self.ndims = self.ndims if known is None else known


def _least_ndims(bijectors: Sequence[Bijector], taken: Callable, given: Callable) -> int:
    """The number of axes that a chain, its first member at the outside, needs."""
    least = 0
    reached = 0
    for bijector in bijectors:
        reached -= taken(bijector)
        least = max(least, -reached)
        reached = max(reached, 0) + given(bijector) if reached >= 0 else reached + given(bijector)
    return least


@public("contrib.distributions.bijectors.Invert")
class Invert(Bijector):
    """A bijector backwards.

    Args:
      bijector: the bijector.
      validate_args: without effect on it.
      name: scope of its methods; "invert_" and the name of the bijector, if None.

    Raises:
      NotImplementedError: the bijector is not injective.
    """

    def __init__(self, bijector: Bijector, validate_args: bool = False, name: str | None = None) -> None:
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            graph_parents=bijector.graph_parents,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            is_constant_jacobian=bijector.is_constant_jacobian,
            validate_args=validate_args,
            dtype=bijector.dtype,
            name=name or "_".join(["invert", bijector.name]),
        )

    @property
    def bijector(self) -> Bijector:
        """The bijector that is inverted."""
        return self._bijector

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


@public("contrib.distributions.bijectors.Inline")
class Inline(Bijector):
    """A bijector made of functions.

    Args:
      forward_fn: the map; with the argument, and whatever is given by name.
      inverse_fn: its inverse.
      inverse_log_det_jacobian_fn: the logarithm of the determinant of the inverse.
      forward_log_det_jacobian_fn: the logarithm of the determinant.
      forward_event_shape_fn: from the TensorShape of an event to that of its image; unchanged if None.
      forward_event_shape_tensor_fn: the same of tensors.
      inverse_event_shape_fn: the way back.
      inverse_event_shape_tensor_fn: the same of tensors.
      is_constant_jacobian: whether the determinant is the same everywhere.
      validate_args: without effect on the functions.
      forward_min_event_ndims: over how many axes the map works, at least.
      inverse_min_event_ndims: over how many its inverse does; the same if None.
      name: scope of its methods.
    """

    def __init__(
        self,
        forward_fn: Callable | None = None,
        inverse_fn: Callable | None = None,
        inverse_log_det_jacobian_fn: Callable | None = None,
        forward_log_det_jacobian_fn: Callable | None = None,
        forward_event_shape_fn: Callable | None = None,
        forward_event_shape_tensor_fn: Callable | None = None,
        inverse_event_shape_fn: Callable | None = None,
        inverse_event_shape_tensor_fn: Callable | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str = "inline",
    ) -> None:
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._functions = {
            "forward_fn": forward_fn,
            "inverse_fn": inverse_fn,
            "inverse_log_det_jacobian_fn": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian_fn": forward_log_det_jacobian_fn,
        }
        given: dict[str, Callable | None] = {
            "_forward_event_shape": forward_event_shape_fn,
            "_forward_event_shape_tensor": forward_event_shape_tensor_fn,
            "_inverse_event_shape": inverse_event_shape_fn,
            "_inverse_event_shape_tensor": inverse_event_shape_tensor_fn,
        }
        for method, function in given.items():
            setattr(self, method, function or _unchanged)

    def _of(self, name: str, x: Tensor, kwargs: dict) -> Tensor:
        function = self._functions[name]
        if not callable(function):
            raise NotImplementedError(f"{name} is not a callable function.")
        return function(x, **kwargs)

    def _forward(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self._of("forward_fn", x, kwargs)

    def _inverse(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self._of("inverse_fn", y, kwargs)

    def _inverse_log_det_jacobian(self, y: Tensor, **kwargs: Any) -> Tensor:
        return self._of("inverse_log_det_jacobian_fn", y, kwargs)

    def _forward_log_det_jacobian(self, x: Tensor, **kwargs: Any) -> Tensor:
        return self._of("forward_log_det_jacobian_fn", x, kwargs)


def _unchanged(sizes: Any) -> Any:
    return sizes
