"""Mixtures of distributions of different kinds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_debugging.comparisons import assert_equal
from ossia_distributions.categorical import Categorical
from ossia_distributions.distribution import Distribution, given
from ossia_distributions.mixtures.padding import for_events
from ossia_distributions.reparameterization import NOT_REPARAMETERIZED
from ossia_distributions.seeds import further_seed
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones_like
from ossia_ops.array.gather import gather
from ossia_ops.array.one_hot import one_hot
from ossia_ops.array.partition import dynamic_partition, dynamic_stitch
from ossia_ops.array.shape import expand_dims, reshape, shape
from ossia_ops.array.shape import size as size_op
from ossia_ops.array.stacking import stack, unstack
from ossia_ops.array.tiling import tile
from ossia_ops.linalg.matmul import matmul
from ossia_ops.math.elementwise import sqrt, square
from ossia_ops.math.reduction import reduce_prod, reduce_sum
from ossia_ops.math.sequence import range as range_op
from ossia_ops.math.statistics import reduce_logsumexp
from ossia_ops.math.sums import add_n
from ossia_ops.nn.softmax import log_softmax, softmax


@public("contrib.distributions.Mixture")
class Mixture(Distribution):
    """A mixture of distributions.

    Args:
      cat: the Categorical distribution over the components.
      components: the components, a list of distributions of one dtype, batch shape and event shape.
      validate_args: whether runs check that batch shapes fit.
      allow_nan_stats: whether statistics that are not defined are NaN.
      use_static_graph: whether samples of all components are drawn for each value; if not, only as many as it takes.
      name: scope of its tensors.

    Raises:
      TypeError: `cat` is no Categorical, or a component no distribution, or they differ in dtype.
      ValueError: there are no components, or not as many as categories, or their shapes are not known or do not fit.
    """

    def __init__(
        self,
        cat: Categorical,
        components: Sequence[Distribution],
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:
        parameters = given(locals())
        if not isinstance(cat, Categorical):
            raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
        if not components:
            raise ValueError("components must be a non-empty list or tuple")
        if not isinstance(components, (list, tuple)):
            raise TypeError(f"components must be a list or tuple, but saw: {components}")
        if not all(isinstance(component, Distribution) for component in components):
            raise TypeError(f"all entries in components must be Distribution instances but saw: {components}")
        dtype = components[0].dtype
        if not all(component.dtype == dtype for component in components):
            kinds = [(component.name, component.dtype) for component in components]
            raise TypeError(f"All components must have the same dtype, but saw dtypes: {kinds}")
        event_shape, batch_shape = components[0].event_shape, cat.batch_shape
        for component in components:
            event_shape = event_shape.merge_with(component.event_shape)
            batch_shape = batch_shape.merge_with(component.batch_shape)
        if event_shape.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, but none of the components provide a static "
                "number of ndims"
            )
        with name_scope(name, values=[cat.logits]) as name:
            count = constant(cat.event_size)
            if count is None:
                raise ValueError(
                    "Could not infer number of classes from cat and unable to compare this value to the number of "
                    "components passed in."
                )
            if int(count) != len(components):
                raise ValueError(f"cat.num_classes != len(components): {count} vs. {len(components)}")
            cat_batch_shape = cat.batch_shape_tensor()
            cat_batch_rank = size_op(cat_batch_shape)
            self._assertions: list = []
            if validate_args:
                shapes = [component.batch_shape_tensor() for component in components]
                ranks = [size_op(sizes) for sizes in shapes]
                message = "components[%d] batch shape must match cat batch shape"
                for found, wanted in ((ranks, cat_batch_rank), (shapes, cat_batch_shape)):
                    self._assertions += [
                        assert_equal(wanted, part, message=message % place) for place, part in enumerate(found)
                    ]
            self._cat = cat
            self._components = list(components)
            self._num_components = int(count)
            self._static_event_shape, self._static_batch_shape = event_shape, batch_shape
            self._use_static_graph = use_static_graph
        graph_parents = list(cat._graph_parents)
        for component in components:
            graph_parents += component._graph_parents
        super().__init__(
            dtype=dtype,
            reparameterization_type=NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=graph_parents,
            name=name,
        )

    @property
    def cat(self) -> Categorical:
        """The distribution over the components."""
        return self._cat

    @property
    def components(self) -> list[Distribution]:
        """The components."""
        return self._components

    @property
    def num_components(self) -> int:
        """How many components there are."""
        return self._num_components

    def _batch_shape_tensor(self) -> Tensor:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self._static_batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self._static_event_shape

    # -- statistics and densities -----------------------------------------------------------------

    def _event_weights(self) -> list[Tensor]:
        """The probability of each component, with the axes of an event."""
        return [self._with_event_axes(weight) for weight in self._weights(softmax)]

    def _with_event_axes(self, x: Tensor) -> Tensor:
        for _ in range(self.event_shape.ndims):
            x = expand_dims(x, -1)
        return x

    def _weights(self, normalized: Any) -> list[Tensor]:
        return unstack(normalized(self.cat.logits), num=self.num_components, axis=-1)

    def _mean(self) -> Tensor:
        with control_dependencies(self._assertions):
            means = [component.mean() for component in self.components]
            weights = self._event_weights()
            return add_n([weight * mean for weight, mean in zip(weights, means)])

    def _stddev(self) -> Tensor:
        with control_dependencies(self._assertions):
            count = len(self.components)
            means = [component.mean() for component in self.components]
            deviations = [component.stddev() for component in self.components]
            weights = self._weights(softmax)
            all_means, all_deviations = stack(means, axis=-1), stack(deviations, axis=-1)
            weights = [self._with_event_axes(weight) for weight in weights]
            spread = stack(weights, axis=-1) * ones_like(all_means)
            rows = [reshape(part, [-1, count]) for part in (spread, all_means, all_deviations)]
            return reshape(_deviation(*rows), shape(spread)[:-1])

    def _log_prob(self, x: Tensor) -> Tensor:
        return self._mixed_logarithms(x, "log_prob")

    def _log_cdf(self, x: Tensor) -> Tensor:
        return self._mixed_logarithms(x, "log_cdf")

    def _mixed_logarithms(self, x: Tensor, method: str) -> Tensor:
        with control_dependencies(self._assertions):
            x = convert_to_tensor(x, name="x")
            logarithms = [getattr(component, method)(x) for component in self.components]
            weights = self._weights(log_softmax)
            total = [weight + logarithm for weight, logarithm in zip(weights, logarithms)]
            return reduce_logsumexp(stack(total, 0), [0])

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Tensor:
        """The mean of the entropies of the components, which that of the mixture is not below."""
        with self._name_scope(name, [self.cat.logits]):
            with control_dependencies(self._assertions):
                entropies = [component.entropy() for component in self.components]
                weights = self._weights(softmax)
                return add_n([weight * entropy for weight, entropy in zip(weights, entropies)])

    # -- draws ------------------------------------------------------------------------------------

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return self._sample_all(n, seed) if self._use_static_graph else self._sample_parts(n, seed)

    def _sample_all(self, n: Any, seed: int | None) -> Tensor:
        drawn = []
        chosen = self.cat.sample(n, seed=seed)
        for component in self.components:
            seed = further_seed(seed, "mixture")
            drawn.append(component.sample(n, seed=seed))
        x = stack(drawn, -self._static_event_shape.ndims - 1)
        kind = x.dtype.as_numpy_dtype
        mask = one_hot(indices=chosen, depth=self._num_components, on_value=kind(1), off_value=kind(0))
        mask = for_events(mask, self, self._cat, self._static_event_shape.ndims)
        return reduce_sum(x * mask, axis=-1 - self._static_event_shape.ndims)

    def _sample_parts(self, n: Any, seed: int | None) -> Tensor:
        with control_dependencies(self._assertions):
            n = convert_to_tensor(n, name="n")
            known = constant(n)
            n = n if known is None else int(known)
            chosen = self.cat.sample(n, seed=seed)
            if chosen.shape.is_fully_defined():
                sizes: Any = chosen.shape.as_list()
                size: Any = chosen.shape.num_elements()
            else:
                sizes, size = shape(chosen), size_op(chosen)
            batch_size: Any = self.batch_shape.num_elements()
            if batch_size is None:
                batch_size = reduce_prod(self.batch_shape_tensor())
            event_shape: Any = (
                np.array(self.event_shape.as_list(), dtype=np.int32)
                if self.event_shape.is_fully_defined()
                else self.event_shape_tensor()
            )
            # Where the values of each component go, and of which members of the batch they are.
            places = dynamic_partition(
                data=reshape(range_op(0, size), sizes), partitions=chosen, num_partitions=self.num_components
            )
            members = dynamic_partition(
                data=reshape(tile(range_op(0, batch_size), [n]), sizes),
                partitions=chosen,
                num_partitions=self.num_components,
            )
            drawn = []
            for component, place, member in zip(self.components, places, members):
                count = size_op(place)
                seed = further_seed(seed, "mixture")
                values = component.sample(count, seed=seed)
                # Each draw is one of the whole batch, of which the member's value is taken.
                rows = batch_size * range_op(count) + member
                values = reshape(values, concat([[count * batch_size], event_shape], 0))
                drawn.append(gather(values, rows, name="samples_class_c_gather"))
            x = dynamic_stitch(indices=places, data=drawn)
            x = reshape(x, concat([sizes, self.event_shape_tensor()], 0))
            x.set_shape(chosen.shape.concatenate(self.event_shape))
            return x


def _deviation(weights: Tensor, means: Tensor, deviations: Tensor) -> Tensor:
    """Standard deviations of mixtures, of rows of `[mixtures, components]`."""
    weights = expand_dims(weights, axis=1)
    means = expand_dims(means, axis=2)
    deviations = expand_dims(deviations, axis=2)
    mean = reshape(matmul(weights, means), (-1,))
    variance = reshape(matmul(weights, square(deviations)), (-1,))
    mean_square = reshape(matmul(weights, square(means)), (-1,))
    return sqrt(variance + mean_square - square(mean))
