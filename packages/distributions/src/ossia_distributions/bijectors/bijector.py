"""The base class of bijectors, which remembers what it mapped to what."""

from __future__ import annotations

import abc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import as_dtype, int32
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import Variable
from ossia_debugging.comparisons import assert_greater_equal
from ossia_debugging.ranks import assert_rank
from ossia_ops.array.fill import ones
from ossia_ops.array.shape import rank as rank_op
from ossia_ops.array.shape import shape
from ossia_ops.math.broadcast import broadcast_static_shape
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sequence import range as range_op


class _Known:
    """An argument, its image, and the logarithms of determinants by the number of event axes."""

    def __init__(self) -> None:
        self.x: Tensor | None = None
        self.y: Tensor | None = None
        self.ildj: dict[Any, Tensor] = {}


@public("contrib.distributions.bijectors.Bijector")
class Bijector(metaclass=abc.ABCMeta):
    """A map `y = g(x)` between tensors, with its inverse, and the logarithms of its Jacobian determinants.

    A kind of bijector is a subclass with a constructor of its own, that has `_forward`, `_inverse` and one of
    `_forward_log_det_jacobian` and `_inverse_log_det_jacobian`, for the least number of event axes that it maps. One
    that is not injective says so in `_is_injective`, and its inverse gives a tuple.

    Args:
      graph_parents: tensors that the bijector is made of.
      is_constant_jacobian: whether the determinant is the same everywhere.
      validate_args: whether runs check arguments.
      dtype: dtype of arguments; any, if None.
      forward_min_event_ndims: over how many axes, at least, `forward` works.
      inverse_min_event_ndims: over how many its inverse does; the same if None.
      name: scope that its methods build in.

    Raises:
      ValueError: no number of event axes is given, or a negative one, or a graph parent is no tensor.
      TypeError: a number of event axes is no int.
    """

    @abc.abstractmethod
    def __init__(
        self,
        graph_parents: list | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: Any = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        self._graph_parents = graph_parents or []
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError("Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`.")
        forward = inverse_min_event_ndims if forward_min_event_ndims is None else forward_min_event_ndims
        inverse = forward_min_event_ndims if inverse_min_event_ndims is None else inverse_min_event_ndims
        for direction, ndims in (("forward", forward), ("inverse", inverse)):
            if not isinstance(ndims, int):
                raise TypeError(f"Expected {direction}_min_event_ndims to be of type int, got {type(ndims).__name__}")
            if ndims < 0:
                raise ValueError(f"{direction}_min_event_ndims must be a non-negative integer.")
        self._forward_min_event_ndims: Any = forward
        self._inverse_min_event_ndims: Any = inverse
        self._is_constant_jacobian = is_constant_jacobian
        self._constant_ildj: dict[Any, Tensor] = {}
        self._validate_args = validate_args
        self._dtype = dtype
        self._from_x: dict[Any, _Known] = {}
        self._from_y: dict[Any, _Known] = {}
        self._name = name or _snake_case(type(self).__name__.lstrip("_"))
        for position, parent in enumerate(self._graph_parents):
            if parent is None or not isinstance(parent, (Tensor, Variable)):
                raise ValueError(f"Graph parent item {position} is not a Tensor; {parent}.")

    # -- what it is -------------------------------------------------------------------------------

    @property
    def graph_parents(self) -> list:
        """The tensors that it is made of."""
        return self._graph_parents

    @property
    def forward_min_event_ndims(self) -> int:
        """Over how many axes, at least, `forward` works."""
        return self._forward_min_event_ndims

    @property
    def inverse_min_event_ndims(self) -> int:
        """Over how many axes, at least, `inverse` works."""
        return self._inverse_min_event_ndims

    @property
    def is_constant_jacobian(self) -> bool:
        """Whether the determinant is the same everywhere."""
        return self._is_constant_jacobian

    @property
    def _is_injective(self) -> bool:
        return True

    @property
    def validate_args(self) -> bool:
        """Whether runs check arguments."""
        return self._validate_args

    @property
    def dtype(self) -> Any:
        """The dtype of arguments, None for any."""
        return self._dtype

    @property
    def name(self) -> str:
        """The scope that methods build in."""
        return self._name

    # -- shapes -----------------------------------------------------------------------------------

    def _forward_event_shape_tensor(self, input_shape: Tensor) -> Tensor:
        return input_shape

    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Tensor:
        """The shape of the image of one event of shape `input_shape`, a vector."""
        with self._name_scope(name, [input_shape]):
            sizes = convert_to_tensor(input_shape, dtype=int32, name="input_shape")
            return self._forward_event_shape_tensor(sizes)

    def _forward_event_shape(self, input_shape: TensorShape) -> TensorShape:
        return input_shape

    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The same, as far as it is known."""
        return TensorShape(self._forward_event_shape(TensorShape(input_shape)))

    def _inverse_event_shape_tensor(self, output_shape: Tensor) -> Tensor:
        return output_shape

    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Tensor:
        """The shape of what has an image of shape `output_shape`, a vector."""
        with self._name_scope(name, [output_shape]):
            sizes = convert_to_tensor(output_shape, dtype=int32, name="output_shape")
            return self._inverse_event_shape_tensor(sizes)

    def _inverse_event_shape(self, output_shape: TensorShape) -> TensorShape:
        return output_shape

    def inverse_event_shape(self, output_shape: Any) -> TensorShape:
        """The same, as far as it is known."""
        return TensorShape(self._inverse_event_shape(TensorShape(output_shape)))

    # -- the map ----------------------------------------------------------------------------------

    def _forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _inverse(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    def _forward_log_det_jacobian(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _inverse_log_det_jacobian(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def forward(self, x: Any, name: str = "forward") -> Tensor:
        """The image of `x`.

        Raises:
          TypeError: `x` has another dtype than the bijector.
          NotImplementedError: the kind has no `_forward`.
        """
        return self._call_forward(x, name)

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """What has the image `y`: a tensor, or a tuple of all that do if the bijector is not injective."""
        return self._call_inverse(y, name)

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian") -> Tensor:
        """The logarithm of the absolute determinant of the derivatives at `x`, over the last `event_ndims` axes.

        Raises:
          TypeError: `x` has another dtype than the bijector.
          ValueError: there are fewer event axes than the bijector maps, or they are no whole number.
          NotImplementedError: it cannot be computed, or the bijector is not injective.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian") -> Any:
        """The same of the inverse at `y`; a tuple if the bijector is not injective."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Tensor:
        with self._name_scope(name, [x]):
            x = self._argument(x, "x")
            if not self._is_injective:
                return self._forward(x, **kwargs)
            known = self._lookup(self._from_x, x, kwargs)
            if known.y is None:
                known.y = self._forward(x, **kwargs)
                self._remember(x, known.y, known, kwargs)
            return known.y

    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._argument(y, "y")
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            known = self._lookup(self._from_y, y, kwargs)
            if known.x is None:
                known.x = self._inverse(y, **kwargs)
                self._remember(known.x, y, known, kwargs)
            return known.x

    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            key = _key(event_ndims)
            if key in self._constant_ildj:
                return self._constant_ildj[key]
            y = self._argument(y, "y")
            with control_dependencies(self._checked_ndims(self.inverse_min_event_ndims, event_ndims)):
                if not self._is_injective:
                    return self._ildj_of_all(y, event_ndims, kwargs)
                known = self._lookup(self._from_y, y, kwargs)
                if key not in known.ildj:
                    try:
                        ildj = self._inverse_log_det_jacobian(y, **kwargs)
                        ildj = self._sum_over_event(y, ildj, self.inverse_min_event_ndims, event_ndims)
                    except NotImplementedError as refusal:
                        try:
                            if known.x is None:
                                known.x = self._inverse(y, **kwargs)
                            ildj = -self._forward_log_det_jacobian(known.x, **kwargs)
                        except NotImplementedError:
                            raise refusal from None
                        ildj = self._sum_over_event(known.x, ildj, self.forward_min_event_ndims, event_ndims)
                    self._keep_ildj(known, key, ildj)
                    self._remember(known.x, y, known, kwargs)
                return known.ildj[key]

    def _ildj_of_all(self, y: Tensor, event_ndims: Any, kwargs: dict) -> tuple:
        at, sign, ndims = y, 1, self.inverse_min_event_ndims
        try:
            ildjs = self._inverse_log_det_jacobian(y, **kwargs)
        except NotImplementedError as refusal:
            try:
                at, sign, ndims = self._inverse(y, **kwargs), -1, self.forward_min_event_ndims
                ildjs = self._forward_log_det_jacobian(at, **kwargs)
            except NotImplementedError:
                raise refusal from None
        return tuple(self._sum_over_event(at, ildj if sign > 0 else -ildj, ndims, event_ndims) for ildj in ildjs)

    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Tensor:
        if not self._is_injective:
            raise NotImplementedError("forward_log_det_jacobian cannot be implemented for non-injective transforms.")
        with self._name_scope(name, [x]):
            key = _key(event_ndims)
            with control_dependencies(self._checked_ndims(self.forward_min_event_ndims, event_ndims)):
                if key in self._constant_ildj:
                    return -1.0 * self._constant_ildj[key]
                x = self._argument(x, "x")
                known = self._lookup(self._from_x, x, kwargs)
                if key not in known.ildj:
                    try:
                        ildj = -self._forward_log_det_jacobian(x, **kwargs)
                        ildj = self._sum_over_event(x, ildj, self.forward_min_event_ndims, event_ndims)
                    except NotImplementedError as refusal:
                        try:
                            if known.y is None:
                                known.y = self._forward(x, **kwargs)
                            ildj = self._inverse_log_det_jacobian(known.y, **kwargs)
                        except NotImplementedError:
                            raise refusal from None
                        ildj = self._sum_over_event(known.y, ildj, self.inverse_min_event_ndims, event_ndims)
                    self._keep_ildj(known, key, ildj)
                    self._remember(x, known.y, known, kwargs)
                return -known.ildj[key]

    # -- what it remembers ------------------------------------------------------------------------

    def _lookup(self, known: dict[Any, _Known], tensor: Tensor, kwargs: dict) -> _Known:
        return known.get((tensor, _key(kwargs))) or _Known()

    def _remember(self, x: Tensor | None, y: Tensor | None, known: _Known, kwargs: dict) -> None:
        known.x, known.y = x, y
        if x is not None:
            self._from_x[x, _key(kwargs)] = known
        if y is not None:
            self._from_y[y, _key(kwargs)] = known

    def _keep_ildj(self, known: _Known, key: Any, ildj: Tensor) -> None:
        known.ildj[key] = ildj
        if self.is_constant_jacobian:
            self._constant_ildj[key] = ildj

    # -- arguments --------------------------------------------------------------------------------

    @contextmanager
    def _name_scope(self, name: str | None = None, values: list | None = None) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*(values or []), *self.graph_parents]) as scope:
            yield scope

    def _argument(self, x: Any, name: str) -> Tensor:
        x = convert_to_tensor(x, name=name)
        if self.dtype is not None and as_dtype(self.dtype).base_dtype != x.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {x.dtype}.")
        return x

    def _checked_ndims(self, least: int, event_ndims: Any) -> list:
        event_ndims = convert_to_tensor(event_ndims, name="event_ndims")
        known, asserted = constant(event_ndims), []
        if not event_ndims.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {event_ndims.dtype}")
        if known is not None:
            if event_ndims.shape.ndims != 0:
                raise ValueError(f"Expected scalar event_ndims, got shape {event_ndims.shape}")
            if least > known:
                raise ValueError(f"event_ndims ({known}) must be larger than min_event_ndims ({least})")
        elif self.validate_args:
            asserted.append(assert_greater_equal(event_ndims, least))
        if event_ndims.shape.is_fully_defined():
            if event_ndims.shape.ndims != 0:
                raise ValueError(f"Expected scalar shape, got ndims {event_ndims.shape.ndims}")
        elif self.validate_args:
            asserted.append(assert_rank(event_ndims, 0, message="Expected scalar."))
        return asserted

    def _sum_over_event(self, at: Tensor, ildj: Any, least: int, event_ndims: Any) -> Tensor:
        """The sum over the event axes above the `least` that the bijector itself looks at."""
        rank = rank_op(at)
        sizes = shape(at)[rank - event_ndims:rank - least]
        known = static_ndims(event_ndims)
        spread = ones(sizes, ildj.dtype) * ildj
        axes = [-axis for axis in range(1, known - least + 1)] if known is not None else range_op(
            -(event_ndims - least), 0
        )
        summed = reduce_sum(spread, axis=axes)
        if known is not None and at.shape.ndims is not None and ildj.shape.ndims is not None:
            static = at.shape[at.shape.ndims - known:at.shape.ndims - least]
            static = broadcast_static_shape(ildj.shape, static)
            summed.set_shape(static[:static.ndims - (known - least)])
        return summed


def static_ndims(event_ndims: Any) -> int | None:
    """A number of axes as an int; None if it is not known before a run."""
    known = constant(event_ndims) if isinstance(event_ndims, Tensor) else event_ndims
    if isinstance(known, (np.generic, np.ndarray)):
        if known.dtype not in (np.int32, np.int64):
            raise ValueError(f"Expected integer dtype, got dtype {known.dtype}")
        if known.ndim:
            raise ValueError(f"Expected a scalar integer, got {known}")
        return int(known)
    return known


def _key(value: Any) -> Any:
    """Something hashable that stands for an argument."""
    if isinstance(value, dict):
        return tuple(sorted((name, _key(member)) for name, member in value.items()))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def _snake_case(name: str) -> str:
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)).lower()
