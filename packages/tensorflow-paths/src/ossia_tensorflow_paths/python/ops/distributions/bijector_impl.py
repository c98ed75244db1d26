"""`distributions.bijector_impl`: invertible maps between tensors, with log-determinants of their Jacobians."""

from __future__ import annotations

import abc
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import ossia as tf


class _Mapping:
    """A tensor `x`, its image `y`, and log-determinants of the inverse by rank of events, as far as known."""

    def __init__(self, x: Any = None, y: Any = None) -> None:
        self.x, self.y = x, y
        self.ildj_map: dict[Any, Any] = {}


class Bijector(abc.ABC):
    """An invertible map. A subclass has `_forward`, `_inverse`, and one of `_forward_log_det_jacobian` and
    `_inverse_log_det_jacobian`.

    A tensor that came out of one direction goes back to the tensor it came from, without an op.

    Args:
        graph_parents: Tensors that the map depends on.
        is_constant_jacobian: Whether the Jacobian is the same everywhere.
        validate_args: Whether arguments are checked in runs, too.
        dtype: The dtype of what is mapped; any if None.
        forward_min_event_ndims: The number of dimensions that `forward` maps as one; that of `inverse` if None.
        inverse_min_event_ndims: The number of dimensions that `inverse` maps as one; that of `forward` if None.
        name: The scope of the ops; made from the name of the class if None.

    Raises:
        TypeError: A number of dimensions is no int.
        ValueError: Neither number of dimensions is given, or a negative one; a parent that is no tensor.
    """

    @abc.abstractmethod
    def __init__(
        self, graph_parents: Any = None, is_constant_jacobian: bool = False, validate_args: bool = False,
        dtype: Any = None, forward_min_event_ndims: int | None = None, inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        self._graph_parents = graph_parents or []
        for i, parent in enumerate(self._graph_parents):
            if parent is None or not tf.is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if forward_min_event_ndims is None and inverse_min_event_ndims is None:
            raise ValueError(
                "Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`."
            )
        if inverse_min_event_ndims is None:
            inverse_min_event_ndims = forward_min_event_ndims
        if forward_min_event_ndims is None:
            forward_min_event_ndims = inverse_min_event_ndims
        for what, ndims in (("forward", forward_min_event_ndims), ("inverse", inverse_min_event_ndims)):
            if not isinstance(ndims, int):
                raise TypeError(f"Expected {what}_min_event_ndims to be of type int, got {type(ndims).__name__}")
            if ndims < 0:
                raise ValueError(f"{what}_min_event_ndims must be a non-negative integer.")
        self._forward_min_event_ndims, self._inverse_min_event_ndims = forward_min_event_ndims, inverse_min_event_ndims
        self._is_constant_jacobian, self._validate_args, self._dtype = is_constant_jacobian, validate_args, dtype
        self._constant_ildj_map: dict[Any, Any] = {}
        self._from_x: dict[int, _Mapping] = {}
        self._from_y: dict[int, _Mapping] = {}
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", type(self).__name__)
        self._name = name or words.lower()

    graph_parents = property(lambda self: self._graph_parents)
    forward_min_event_ndims = property(lambda self: self._forward_min_event_ndims)
    inverse_min_event_ndims = property(lambda self: self._inverse_min_event_ndims)
    is_constant_jacobian = property(lambda self: self._is_constant_jacobian)
    validate_args = property(lambda self: self._validate_args)
    dtype = property(lambda self: self._dtype)
    name = property(lambda self: self._name)
    _is_injective = property(lambda self: True)

    # -- shapes -------------------------------------------------------------------------------------------

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        return output_shape

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        return output_shape

    def forward_event_shape_tensor(self, input_shape: Any, name: str = "forward_event_shape_tensor") -> Any:
        """The shape of one event after `forward`, an int32 vector."""
        with self._name_scope(name, [input_shape]):
            return self._forward_event_shape_tensor(tf.convert_to_tensor(input_shape, tf.int32, name="input_shape"))

    def forward_event_shape(self, input_shape: Any) -> Any:
        """The static shape of one event after `forward`."""
        return self._forward_event_shape(tf.TensorShape(input_shape))

    def inverse_event_shape_tensor(self, output_shape: Any, name: str = "inverse_event_shape_tensor") -> Any:
        """The shape of one event after `inverse`, an int32 vector."""
        with self._name_scope(name, [output_shape]):
            return self._inverse_event_shape_tensor(tf.convert_to_tensor(output_shape, tf.int32, name="output_shape"))

    def inverse_event_shape(self, output_shape: Any) -> Any:
        """The static shape of one event after `inverse`."""
        return self._inverse_event_shape(tf.TensorShape(output_shape))

    # -- the two directions -------------------------------------------------------------------------------

    def _forward(self, x: Any) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError("inverse not implemented")

    def forward(self, x: Any, name: str = "forward") -> Any:
        """The image of `x`.

        Raises:
            TypeError: `x` has another dtype than the map.
            NotImplementedError: There is no `_forward`.
        """
        return self._call_forward(x, name)

    def inverse(self, y: Any, name: str = "inverse") -> Any:
        """What `forward` maps to `y`.

        Raises:
            TypeError: `y` has another dtype than the map.
            NotImplementedError: There is no `_inverse`.
        """
        return self._call_inverse(y, name)

    def _call_forward(self, x: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            x = self._converted(x, "x")
            mapping = self._of(x=x)
            if mapping.y is None:
                mapping.y = self._forward(x, **kwargs)
                self._from_y[id(mapping.y)] = mapping
            return mapping.y

    def _call_inverse(self, y: Any, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._converted(y, "y")
            mapping = self._of(y=y)
            if mapping.x is None:
                mapping.x = self._inverse(y, **kwargs)
                self._from_x[id(mapping.x)] = mapping
            return mapping.x

    # -- log-determinants ---------------------------------------------------------------------------------

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian") -> Any:
        """The logarithm of the determinant of the Jacobian of `forward`, for each event.

        Args:
            x: A tensor.
            event_ndims: The number of last dimensions that make one event.
            name: The scope of the ops.

        Raises:
            ValueError: `event_ndims` is no integer, no scalar, or less than the dimensions that are mapped as one.
            NotImplementedError: Neither direction has its log-determinant.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian") -> Any:
        """The logarithm of the determinant of the Jacobian of `inverse`, for each event; see
        `forward_log_det_jacobian`."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _call_forward_log_det_jacobian(self, x: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with (
            self._name_scope(name, [x]),
            tf.control_dependencies(self._check_valid_event_ndims(self.forward_min_event_ndims, event_ndims)),
        ):
            x = self._converted(x, "x")
            mapping = self._of(x=x)

            def direct() -> Any:
                return self._over_event(
                    x, -self._forward_log_det_jacobian(x, **kwargs), self.forward_min_event_ndims, event_ndims)

            def other() -> Any:
                y = mapping.y if mapping.y is not None else self._forward(x, **kwargs)
                return self._over_event(
                    y, self._inverse_log_det_jacobian(y, **kwargs), self.inverse_min_event_ndims, event_ndims)

            return -self._known_ildj(mapping, event_ndims, direct, other)

    def _call_inverse_log_det_jacobian(self, y: Any, event_ndims: Any, name: str, **kwargs: Any) -> Any:
        with (
            self._name_scope(name, [y]),
            tf.control_dependencies(self._check_valid_event_ndims(self.inverse_min_event_ndims, event_ndims)),
        ):
            y = self._converted(y, "y")
            mapping = self._of(y=y)

            def direct() -> Any:
                return self._over_event(
                    y, self._inverse_log_det_jacobian(y, **kwargs), self.inverse_min_event_ndims, event_ndims)

            def other() -> Any:
                x = mapping.x if mapping.x is not None else self._inverse(y, **kwargs)
                return self._over_event(
                    x, -self._forward_log_det_jacobian(x, **kwargs), self.forward_min_event_ndims, event_ndims)

            return self._known_ildj(mapping, event_ndims, direct, other)

    def _known_ildj(self, mapping: _Mapping, ndims: Any, direct: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """The log-determinant of the inverse: what is known of it, else `direct`, else `other`."""
        if ndims in mapping.ildj_map:
            return mapping.ildj_map[ndims]
        if ndims not in self._constant_ildj_map:
            try:
                made = direct()
            except NotImplementedError as reason:
                try:
                    made = other()
                except NotImplementedError:
                    raise reason from None
            if not self.is_constant_jacobian:
                mapping.ildj_map[ndims] = made
                return made
            self._constant_ildj_map[ndims] = made
        return self._constant_ildj_map[ndims]

    def _over_event(self, value: Any, log_det: Any, min_event_ndims: int, event_ndims: Any) -> Any:
        """The sum of log-determinants over the dimensions of an event that are not mapped as one."""
        rank = tf.rank(value)
        ones = tf.ones(tf.shape(value)[rank - event_ndims : rank - min_event_ndims], log_det.dtype)
        ndims = self._maybe_get_static_event_ndims(event_ndims)
        axes = (
            -tf.range(1, event_ndims - min_event_ndims + 1)
            if ndims is None
            else [-i for i in range(1, ndims - min_event_ndims + 1)]
        )
        return tf.reduce_sum(ones * log_det, axis=axes)

    # -- what both share ----------------------------------------------------------------------------------

    def _check_valid_event_ndims(self, min_event_ndims: int, event_ndims: Any) -> list[Any]:
        """Assertions about `event_ndims`, as far as it is not known while the graph is built."""
        given = tf.convert_to_tensor(event_ndims, name="event_ndims")
        if not given.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {given.dtype}")
        if given.shape.ndims not in (None, 0):
            raise ValueError(f"Expected scalar event_ndims, got shape {given.shape}")
        ndims = tf.get_static_value(given)
        if ndims is not None and ndims < min_event_ndims:
            raise ValueError(f"event_ndims ({ndims}) must be larger than min_event_ndims ({min_event_ndims})")
        checks: list[Any] = []
        if self.validate_args:
            if ndims is None:
                checks.append(tf.debugging.assert_greater_equal(given, min_event_ndims))
            if given.shape.ndims is None:
                checks.append(tf.debugging.assert_rank(given, 0, message="Expected scalar."))
        return checks

    def _maybe_get_static_event_ndims(self, event_ndims: Any) -> Any:
        """The number of dimensions as an int, or None if it is a tensor that only a run knows."""
        static = tf.get_static_value(event_ndims) if tf.is_tensor(event_ndims) else event_ndims
        return None if static is None else int(static)

    def _converted(self, value: Any, name: str) -> Any:
        value = tf.convert_to_tensor(value, name=name)
        self._maybe_assert_dtype(value)
        return value

    def _maybe_assert_dtype(self, x: Any) -> None:
        if self.dtype is not None and self.dtype.base_dtype != x.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {x.dtype}.")

    def _of(self, x: Any = None, y: Any = None) -> _Mapping:
        """What is known of a tensor; nothing yet, if it is new."""
        if x is not None:
            return self._from_x.setdefault(id(x), _Mapping(x=x))
        return self._from_y.setdefault(id(y), _Mapping(y=y))

    @contextmanager
    def _name_scope(self, name: str | None = None, values: Any = None) -> Iterator[str]:
        with tf.name_scope(self.name), tf.name_scope(name, values=[*(values or []), *self.graph_parents]) as scope:
            yield scope


class Identity(Bijector):
    """The map that changes nothing."""

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
        )

    def _forward(self, x: Any) -> Any:
        return x

    def _inverse(self, y: Any) -> Any:
        return y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return tf.constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return tf.constant(0.0, dtype=x.dtype)
