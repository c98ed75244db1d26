"""Scaling and moving: of numbers, and of vectors by a matrix."""

from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import constant, convert_to_tensor
from ossia_core.graph.scopes import control_dependencies
from ossia_core.graph.tensor import Tensor
from ossia_core.names.dtypes import float32
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity, with_dependencies
from ossia_debugging.comparisons import assert_none_equal
from ossia_distributions.bijectors.bijector import Bijector
from ossia_distributions.event_matrices import EventMatrices
from ossia_distributions.scale_operators import dimension_size, tril_scale
from ossia_linear_operators.low_rank_update import LinearOperatorLowRankUpdate
from ossia_linear_operators.operator import LinearOperator
from ossia_ops.array.fill import zeros
from ossia_ops.array.shape import shape
from ossia_ops.math.cast import cast
from ossia_ops.math.elementwise import abs as abs_op
from ossia_ops.math.exponential import log


@public("contrib.distributions.bijectors.AffineScalar")
class AffineScalar(Bijector):
    """`y = shift + scale x`, of every number by itself.

    Args:
      shift: what is added; nothing if None.
      scale: by what is multiplied; nothing if None.
      validate_args: whether runs check that `scale` is not zero.
      name: scope of its methods.
    """

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[scale, shift]):
            self._shift = shift
            self._scale = scale
            if self._shift is not None:
                self._shift = convert_to_tensor(shift, name="shift")
            if self._scale is not None:
                self._scale = convert_to_tensor(self._scale, name="scale")
                if validate_args:
                    nonzero = assert_none_equal(self._scale, zeros([], dtype=self._scale.dtype))
                    self._scale = with_dependencies([nonzero], self._scale)
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
        )

    @property
    def shift(self) -> Tensor | None:
        """What is added."""
        return self._shift

    @property
    def scale(self) -> Tensor | None:
        """By what is multiplied."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        y = identity(x)
        if self.scale is not None:
            y *= self.scale
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y: Tensor) -> Tensor:
        x = identity(y)
        if self.shift is not None:
            x -= self.shift
        if self.scale is not None:
            x /= self.scale
        return x

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return constant(0.0, dtype=x.dtype.base_dtype)
        return log(abs_op(self.scale))


@public("contrib.distributions.bijectors.Affine")
class Affine(Bijector):
    """`y = shift + scale x` of vectors, with a matrix that is the sum of what is given.

    Args:
      shift: what is added; nothing if None.
      scale_identity_multiplier: a multiple of the identity.
      scale_diag: a diagonal, of shape [..., k].
      scale_tril: a lower triangular matrix, of shape [..., k, k].
      scale_perturb_factor: a matrix `V` of shape [..., k, r]: `V D V^T` is added.
      scale_perturb_diag: the diagonal of `D`, of shape [..., r]; ones if None.
      validate_args: whether runs check that the matrix can be inverted.
      name: scope of its methods.

    Raises:
      ValueError: `scale_perturb_diag` is given and `scale_perturb_factor` is not.
      TypeError: `shift` and the matrix differ in dtype.
    """

    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
        # The size of a multiple of the identity is that of whatever it is applied to.
        self._is_only_identity_multiplier = scale_tril is None and scale_diag is None and scale_perturb_factor is None
        parts = [shift, scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor]
        with self._name_scope("init", values=parts):
            dtype = float32
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                dtype = shift.dtype.base_dtype
            self._shift = shift
            if self._is_only_identity_multiplier and scale_identity_multiplier is None:
                scale_identity_multiplier = convert_to_tensor(1.0, dtype=dtype)
            scale = self._matrix(
                scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_diag, scale_perturb_factor
            )
            if scale.dtype is not None:
                dtype = scale.dtype.base_dtype
            if scale is not None and not self._is_only_identity_multiplier:
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError(f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype}).")
                batch_ndims = scale.tensor_rank_tensor() - 2 if scale.tensor_rank is None else scale.tensor_rank - 2
            else:
                batch_ndims = 0
            self._scale = scale
            self._shaper = EventMatrices(batch_ndims=batch_ndims, event_ndims=1, validate_args=validate_args)
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=[scale] if isinstance(scale, Tensor) else scale.graph_parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    def _matrix(self, multiplier: Any, diag: Any, tril: Any, perturb_diag: Any, perturb_factor: Any) -> Any:
        """The sum of the matrices, as an operator; a number, where it is a multiple of the identity."""
        multiplier = _as_tensor(multiplier, "identity_multiplier")
        diag = _as_tensor(diag, "diag")
        tril = _as_tensor(tril, "tril")
        perturb_diag = _as_tensor(perturb_diag, "perturb_diag")
        perturb_factor = _as_tensor(perturb_factor, "perturb_factor")
        shape_hint = None if perturb_factor is None else dimension_size(perturb_factor, axis=-2)
        if self._is_only_identity_multiplier:
            if self.validate_args:
                nonzero = assert_none_equal(
                    multiplier, zeros([], multiplier.dtype), ["identity_multiplier should be non-zero."]
                )
                return with_dependencies([nonzero], multiplier)
            return multiplier
        scale = tril_scale(
            loc=self._shift,
            scale_tril=tril,
            scale_diag=diag,
            scale_identity_multiplier=multiplier,
            validate_args=self.validate_args,
            assert_positive=False,
            shape_hint=shape_hint,
        )
        if perturb_factor is None:
            return scale
        return LinearOperatorLowRankUpdate(
            scale,
            u=perturb_factor,
            diag_update=perturb_diag,
            is_diag_update_positive=perturb_diag is None,
            is_non_singular=True,
            is_self_adjoint=True,
            is_positive_definite=True,
            is_square=True,
        )

    @property
    def shift(self) -> Tensor | None:
        """What is added."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The matrix, as a LinearOperator, or the multiple of the identity."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        y = x
        if self._is_only_identity_multiplier:
            y *= self._scale
            return y if self.shift is None else y + self.shift
        y, sample_shape = self._shaper.to_matrices(y, expand_batch_dim=False)
        with control_dependencies(self._scale_checks()):
            y = self.scale.matmul(y)
        y = self._shaper.from_matrices(y, sample_shape, expand_batch_dim=False)
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y: Tensor) -> Tensor:
        x = y
        if self.shift is not None:
            x -= self.shift
        if self._is_only_identity_multiplier:
            return x / self._scale
        x, sample_shape = self._shaper.to_matrices(x, expand_batch_dim=False)
        x = self.scale.solve(x)
        return self._shaper.from_matrices(x, sample_shape, expand_batch_dim=False)

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self._is_only_identity_multiplier:
            size = cast(shape(x)[-1], x.dtype)
            return log(abs_op(self._scale)) * size
        return self.scale.log_abs_determinant()

    def _scale_checks(self) -> list:
        if not self.validate_args:
            return []
        try:
            return [self.scale.assert_non_singular()]
        except NotImplementedError:
            return []


def _as_tensor(x: Any, name: str) -> Tensor | None:
    return None if x is None else convert_to_tensor(x, name=name)


@public("contrib.distributions.bijectors.AffineLinearOperator")
class AffineLinearOperator(Bijector):
    """`y = shift + scale x` of vectors, with a matrix that is a LinearOperator.

    Args:
      shift: what is added; nothing if None.
      scale: the LinearOperator; the identity if None.
      validate_args: whether it is asked to be not singular, and runs check that.
      name: scope of its methods.

    Raises:
      TypeError: `scale` is no LinearOperator, or differs in dtype from `shift`.
      ValueError: `validate_args` is set, and the operator does not say that it is not singular.
    """

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_linear_operator"
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        graph_parents = []
        with self._name_scope("init", values=[shift]):
            dtype = float32
            if shift is not None:
                shift = convert_to_tensor(shift, name="shift")
                graph_parents += [shift]
                dtype = shift.dtype.base_dtype
            self._shift = shift
            if scale is not None:
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError(f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype}).")
                if not isinstance(scale, LinearOperator):
                    raise TypeError("scale is not an instance of tf.LinearOperator")
                if validate_args and not scale.is_non_singular:
                    raise ValueError("Scale matrix must be non-singular.")
                graph_parents += scale.graph_parents
                if scale.tensor_rank is not None:
                    batch_ndims: Any = scale.tensor_rank - 2
                else:
                    batch_ndims = scale.tensor_rank_tensor() - 2
                    graph_parents += [batch_ndims]
                dtype = scale.dtype.base_dtype
            else:
                batch_ndims = 0  # the identity has none
            self._scale = scale
            self._shaper = EventMatrices(batch_ndims=batch_ndims, event_ndims=1, validate_args=validate_args)
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=graph_parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    @property
    def shift(self) -> Tensor | None:
        """What is added."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The LinearOperator."""
        return self._scale

    def _forward(self, x: Tensor) -> Tensor:
        y = x
        if self.scale is not None:
            y, sample_shape = self._shaper.to_matrices(y, expand_batch_dim=False)
            with control_dependencies(self._scale_checks()):
                y = self.scale.matmul(y)
            y = self._shaper.from_matrices(y, sample_shape, expand_batch_dim=False)
        if self.shift is not None:
            y += self.shift
        return y

    def _inverse(self, y: Tensor) -> Tensor:
        x = y
        if self.shift is not None:
            x -= self.shift
        if self.scale is not None:
            x, sample_shape = self._shaper.to_matrices(x, expand_batch_dim=False)
            x = self.scale.solve(x)
            x = self._shaper.from_matrices(x, sample_shape, expand_batch_dim=False)
        return x

    def _forward_log_det_jacobian(self, x: Tensor) -> Tensor:
        if self.scale is None:
            return constant(0, dtype=x.dtype.base_dtype)
        with control_dependencies(self._scale_checks()):
            return self.scale.log_abs_determinant()

    def _scale_checks(self) -> list:
        if not self.validate_args:
            return []
        try:
            return [self.scale.assert_non_singular()]
        except NotImplementedError:
            return []
