"""The base class of distributions: what every one of them can be asked, in terms of what a kind of them says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable import Variable
from ossia_distributions import divergence
from ossia_distributions.reparameterization import ReparameterizationType
from ossia_distributions.sample_shapes import as_vector, is_scalar
from ossia_ops.array.concat import concat
from ossia_ops.array.shape import reshape, shape
from ossia_ops.math.elementwise import sqrt, square
from ossia_ops.math.exponential import exp, log, log1p


def given(values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a constructor, from its `locals()`."""
    return {name: value for name, value in values.items() if name not in ("self", "__class__")}


@public("distributions.Distribution", "contrib.distributions.Distribution")
class Distribution:
    """A distribution, or a batch of distributions of one kind with parameters of their own.

    A kind of distributions is a subclass that has some of `_sample_n`, `_prob` or `_log_prob`, `_cdf` or `_log_cdf`,
    `_survival_function`, `_log_survival_function`, `_quantile`, `_entropy`, `_mean`, `_mode`, `_stddev` or `_variance`,
    `_covariance`, and says its shapes in `_batch_shape`, `_batch_shape_tensor`, `_event_shape` and
    `_event_shape_tensor`. What it has not, its users are refused with NotImplementedError, unless it follows from the
    rest.

    Args:
      dtype: dtype of the values.
      reparameterization_type: whether gradients flow through samples.
      validate_args: whether parameters and values are checked when they are used, at a cost.
      allow_nan_stats: whether statistics that are not defined are NaN; if not, runs fail there.
      parameters: the arguments of the constructor, for `copy`.
      graph_parents: tensors that the distribution is made of.
      name: the name under which its methods build.

    Raises:
      ValueError: a graph parent is no tensor.
    """

    def __init__(
        self,
        dtype: Any,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: list | None = None,
        name: str | None = None,
    ) -> None:
        graph_parents = graph_parents or []
        for position, parent in enumerate(graph_parents):
            if parent is None or not isinstance(parent, (Tensor, Variable)):
                raise ValueError(f"Graph parent item {position} is not a Tensor; {parent}.")
        if not name or name[-1] != "/":
            with name_scope(name or type(self).__name__) as name:
                pass
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._validate_args = validate_args
        self._allow_nan_stats = allow_nan_stats
        self._parameters = parameters or {}
        self._graph_parents = graph_parents
        self._name = name

    # -- what it is -------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The scope that methods build in, with a slash at its end."""
        return self._name

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self._dtype

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that it was made with."""
        return {name: value for name, value in self._parameters.items() if not name.startswith("__") and name != "self"}

    @property
    def reparameterization_type(self) -> ReparameterizationType:
        """Whether gradients flow through samples into the parameters."""
        return self._reparameterization_type

    @property
    def allow_nan_stats(self) -> bool:
        """Whether statistics that are not defined are NaN."""
        return self._allow_nan_stats

    @property
    def validate_args(self) -> bool:
        """Whether parameters and values are checked when they are used."""
        return self._validate_args

    def copy(self, **override_parameters_kwargs: Any) -> Distribution:
        """A distribution of the same kind and arguments, but for those given here."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    @classmethod
    def param_shapes(cls, sample_shape: Any, name: str = "DistributionParamShapes") -> dict[str, Tensor]:
        """Shapes of the parameters with which one draw would have the shape `sample_shape`, as tensors."""
        with name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: Any) -> dict[str, TensorShape]:
        """The same, as static shapes.

        Raises:
          ValueError: `sample_shape` is not known before a run.
        """
        unknown = "sample_shape must be a fully-defined TensorShape or list/tuple"
        if isinstance(sample_shape, TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError(unknown)
            sample_shape = sample_shape.as_list()
        sizes = {}
        for name, tensor in cls.param_shapes(sample_shape).items():
            known = constant(tensor)
            if known is None:
                raise ValueError(unknown)
            sizes[name] = TensorShape(known)
        return sizes

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Tensor]:
        raise NotImplementedError("_param_shapes not implemented")

    # -- shapes -----------------------------------------------------------------------------------

    def _batch_shape_tensor(self) -> Tensor:
        raise NotImplementedError(f"batch_shape_tensor is not implemented: {type(self).__name__}")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """How many distributions there are along each axis of the batch."""
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return convert_to_tensor(self.batch_shape.as_list(), dtypes.int32, name="batch_shape")
            return self._batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return TensorShape(None)

    @property
    def batch_shape(self) -> TensorShape:
        """The same, as far as it is known."""
        return TensorShape(self._batch_shape())

    def _event_shape_tensor(self) -> Tensor:
        raise NotImplementedError(f"event_shape_tensor is not implemented: {type(self).__name__}")

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Tensor:
        """The shape of one value of one distribution."""
        with self._name_scope(name):
            if self.event_shape.is_fully_defined():
                return convert_to_tensor(self.event_shape.as_list(), dtypes.int32, name="event_shape")
            return self._event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return TensorShape(None)

    @property
    def event_shape(self) -> TensorShape:
        """The same, as far as it is known."""
        return TensorShape(self._event_shape())

    def is_scalar_event(self, name: str = "is_scalar_event") -> Tensor:
        """Whether values are single numbers."""
        with self._name_scope(name):
            return convert_to_tensor(is_scalar(self.event_shape, self.event_shape_tensor), name="is_scalar_event")

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Tensor:
        """Whether there is one distribution, and no batch."""
        with self._name_scope(name):
            return convert_to_tensor(is_scalar(self.batch_shape, self.batch_shape_tensor), name="is_scalar_batch")

    # -- draws ------------------------------------------------------------------------------------

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        raise NotImplementedError(f"sample_n is not implemented: {type(self).__name__}")

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample") -> Tensor:
        """Draws `sample_shape` values from each distribution.

        Args:
          sample_shape: how many, a number or a shape.
          seed: see `set_random_seed`.
          name: scope of the result.

        Returns:
          Values of shape `sample_shape + batch_shape + event_shape`.
        """
        return self._call_sample_n(sample_shape, seed, name)

    def _call_sample_n(self, sample_shape: Any, seed: int | None, name: str, **kwargs: Any) -> Tensor:
        with self._name_scope(name, [sample_shape]):
            sample_shape = convert_to_tensor(sample_shape, dtypes.int32, name="sample_shape")
            sample_shape, count = as_vector(sample_shape)
            x = self._sample_n(count, seed, **kwargs)
            x = reshape(x, concat([sample_shape, shape(x)[1:]], 0))
            return self._with_static_shape(x, sample_shape)

    def _with_static_shape(self, x: Tensor, sample_shape: Tensor) -> Tensor:
        known = constant(sample_shape)
        drawn = TensorShape(None) if known is None else TensorShape(list(known))
        x.set_shape(drawn.concatenate(self.batch_shape).concatenate(self.event_shape))
        return x

    # -- densities --------------------------------------------------------------------------------

    def _log_prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"log_prob is not implemented: {type(self).__name__}")

    def log_prob(self, value: Any, name: str = "log_prob") -> Tensor:
        """The logarithm of the density, or of the probability of a discrete value."""
        return self._call_log_prob(value, name)

    def _call_log_prob(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._log_prob, lambda x: log(self._prob(x, **kwargs)), kwargs)

    def _prob(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"prob is not implemented: {type(self).__name__}")

    def prob(self, value: Any, name: str = "prob") -> Tensor:
        """The density, or the probability of a discrete value."""
        return self._call_prob(value, name)

    def _call_prob(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._prob, lambda x: exp(self._log_prob(x, **kwargs)), kwargs)

    def _log_cdf(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"log_cdf is not implemented: {type(self).__name__}")

    def log_cdf(self, value: Any, name: str = "log_cdf") -> Tensor:
        """The logarithm of `cdf`."""
        return self._call_log_cdf(value, name)

    def _call_log_cdf(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._log_cdf, lambda x: log(self._cdf(x, **kwargs)), kwargs)

    def _cdf(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"cdf is not implemented: {type(self).__name__}")

    def cdf(self, value: Any, name: str = "cdf") -> Tensor:
        """The probability of values up to `value`."""
        return self._call_cdf(value, name)

    def _call_cdf(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._cdf, lambda x: exp(self._log_cdf(x, **kwargs)), kwargs)

    def _log_survival_function(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"log_survival_function is not implemented: {type(self).__name__}")

    def log_survival_function(self, value: Any, name: str = "log_survival_function") -> Tensor:
        """The logarithm of the probability of values above `value`, exact where that is small if the kind knows how."""
        return self._call_log_survival_function(value, name)

    def _call_log_survival_function(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._log_survival_function, lambda x: log1p(-self.cdf(x, **kwargs)), kwargs)

    def _survival_function(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"survival_function is not implemented: {type(self).__name__}")

    def survival_function(self, value: Any, name: str = "survival_function") -> Tensor:
        """The probability of values above `value`."""
        return self._call_survival_function(value, name)

    def _call_survival_function(self, value: Any, name: str, **kwargs: Any) -> Tensor:
        return self._of_value(value, name, self._survival_function, lambda x: 1.0 - self.cdf(x, **kwargs), kwargs)

    def _quantile(self, value: Tensor) -> Tensor:
        raise NotImplementedError(f"quantile is not implemented: {type(self).__name__}")

    def quantile(self, value: Any, name: str = "quantile") -> Tensor:
        """The value below which a share of `value` lies: the inverse of `cdf`."""
        return self._of_value(value, name, self._quantile)

    def _of_value(
        self,
        value: Any,
        name: str,
        direct: Callable,
        derived: Callable | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> Tensor:
        with self._name_scope(name, [value]):
            value = convert_to_tensor(value, name="value", preferred_dtype=self.dtype)
            return _first_of(
                lambda: direct(value, **(kwargs or {})), None if derived is None else lambda: derived(value)
            )

    # -- statistics -------------------------------------------------------------------------------

    def _entropy(self) -> Tensor:
        raise NotImplementedError(f"entropy is not implemented: {type(self).__name__}")

    def entropy(self, name: str = "entropy") -> Tensor:
        """Shannon's entropy, in nats."""
        with self._name_scope(name):
            return self._entropy()

    def _mean(self) -> Tensor:
        raise NotImplementedError(f"mean is not implemented: {type(self).__name__}")

    def mean(self, name: str = "mean") -> Tensor:
        """The expected value."""
        with self._name_scope(name):
            return self._mean()

    def _variance(self) -> Tensor:
        raise NotImplementedError(f"variance is not implemented: {type(self).__name__}")

    def variance(self, name: str = "variance") -> Tensor:
        """The expected square of the distance from the mean, of each component."""
        with self._name_scope(name):
            return _first_of(self._variance, lambda: square(self._stddev()))

    def _stddev(self) -> Tensor:
        raise NotImplementedError(f"stddev is not implemented: {type(self).__name__}")

    def stddev(self, name: str = "stddev") -> Tensor:
        """The square root of the variance."""
        with self._name_scope(name):
            return _first_of(self._stddev, lambda: sqrt(self._variance()))

    def _covariance(self) -> Tensor:
        raise NotImplementedError(f"covariance is not implemented: {type(self).__name__}")

    def covariance(self, name: str = "covariance") -> Tensor:
        """The matrix of covariances of the components of a value."""
        with self._name_scope(name):
            return self._covariance()

    def _mode(self) -> Tensor:
        raise NotImplementedError(f"mode is not implemented: {type(self).__name__}")

    def mode(self, name: str = "mode") -> Tensor:
        """The likeliest value."""
        with self._name_scope(name):
            return self._mode()

    # -- beside another ---------------------------------------------------------------------------

    def _cross_entropy(self, other: Distribution) -> Tensor:
        return divergence.cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def cross_entropy(self, other: Distribution, name: str = "cross_entropy") -> Tensor:
        """The mean of `-other.log_prob` under this distribution, in nats."""
        with self._name_scope(name):
            return self._cross_entropy(other)

    def _kl_divergence(self, other: Distribution) -> Tensor:
        return divergence.kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other: Distribution, name: str = "kl_divergence") -> Tensor:
        """KL(self || other), in nats: see `tf.distributions.kl_divergence`."""
        with self._name_scope(name):
            return self._kl_divergence(other)

    def __str__(self) -> str:
        shapes = "".join(
            f", {what}={known}"
            for what, known in (("batch_shape", self.batch_shape), ("event_shape", self.event_shape))
            if known.ndims is not None
        )
        return f'tfp.distributions.{type(self).__name__}("{self.name}"{shapes}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' batch_shape={self.batch_shape} "
            f"event_shape={self.event_shape} dtype={self.dtype.name}>"
        )

    @contextmanager
    def _name_scope(self, name: str | None = None, values: list | None = None) -> Iterator[str]:
        with name_scope(self.name), name_scope(name, values=[*(values or []), *self._graph_parents]) as scope:
            yield scope


def _first_of(direct: Callable[[], Tensor], derived: Callable[[], Tensor] | None) -> Tensor:
    """What `direct` returns, or else `derived`; the refusal of the first, if neither is there."""
    try:
        return direct()
    except NotImplementedError as refusal:
        if derived is None:
            raise
        try:
            return derived()
        except NotImplementedError:
            raise refusal from None
