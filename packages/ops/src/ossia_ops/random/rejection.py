"""Values of the gamma and Poisson distributions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import broadcast, constant_shape, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.array.concat import concat
from ossia_ops.array.fill import ones, zeros_like
from ossia_ops.array.shape import reshape
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.element_types import INDEX
from ossia_ops.math import special_values
from ossia_ops.math.arithmetic import maximum
from ossia_ops.math.reduction import reduce_sum
from ossia_ops.math.sequence import range
from ossia_ops.random.samplers import rejection
from ossia_ops.random.streams import sizes_of, stream_of

_FLOATS = "{half, float, double}"
_NUMBERS = "{half, float, double, int32, int64}"


def _shape(shape: Tensor, parameter: Tensor) -> TensorShape:
    with_rank(shape, 1)
    return constant_shape(shape).concatenate(parameter.shape)


def _kernel_for(draw: Any) -> Any:
    def kernel_for(node, *, session):
        stream, dtype = stream_of(node, session), np.dtype(node.outputs[0].dtype.as_numpy_dtype)

        def kernel(shape, parameter):
            parameter = np.asarray(parameter)
            dims, count = sizes_of(shape, parameter.size * dtype.itemsize)
            start = stream.reserve(count * parameter.size * rejection.RESERVED)
            return draw(start, count, parameter, dtype).reshape((*dims, *parameter.shape))

        return kernel

    return kernel_for


random_gamma_op = op(
    "RandomGamma(shape: S, alpha: T) -> output: T", seed="int = 0", seed2="int = 0", S=INDEX, T=_FLOATS, stateful=True
)
random_gamma_op.draws()
random_gamma_op.in_any_order()


random_gamma_op.shape(_shape)
random_gamma_op.kernel_for(_kernel_for(rejection.gamma))


@random_gamma_op.gradient
def _(node, grad):
    shape, alpha = node.inputs
    with control_dependencies([grad]):
        count = shape_of(shape)[0]
        aligned = reshape(alpha, concat([ones([count], dtype=dtypes.int32), shape_of(alpha)], axis=0))
        partial = random_gamma_grad_op(aligned, node.outputs[0])
        return None, reduce_sum(grad * partial, axis=range(count))


random_gamma_op.samples(
    plain=sample([3], [0.5, 1.0, 2.0], seed=1),
    scalar=sample(np.zeros(0, np.int32), 4.0, seed=1),
    empty=sample([0], [1.0], seed=1),
    double=sample([2], np.array([1e-3, 1e6]), seed=1),
)


random_gamma_grad_op = op("RandomGammaGrad(alpha: T, sample: T) -> output: T", T="{float, double}")


random_gamma_grad_op.shape(broadcast)


@random_gamma_grad_op.kernel
def _(alpha, sample):
    return special_values.in_double(special_values.random_gamma_grad)(alpha, sample)


random_gamma_grad_op.samples(plain=([0.5, 1.0, 20.0], [0.3, 0.7, 22.0]), broadcast=([[2.0]], [1.0, 2.0, 3.0]))


@public("random_gamma", "random.gamma", "compat.v2.random.gamma")
def random_gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Gamma-distributed values, `shape` of them for each pair of parameters.

    Args:
      shape: sizes, a list, TensorShape or integer tensor.
      alpha: shape parameters, a number or tensor.
      beta: inverse scales, which broadcast with `alpha`; 1 if None.
      dtype: half, float32 or float64.
      seed: see `set_random_seed`.
      name: scope of the result.

    Returns:
      Values of shape `shape + shape(alpha + beta)`, differentiable in `alpha` and `beta`.
    """
    with name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = convert_to_tensor(shape, dtypes.int32, name="shape")
        alpha = convert_to_tensor(alpha, dtype, name="alpha")
        beta = convert_to_tensor(1 if beta is None else beta, dtype, name="beta")
        alpha = alpha + zeros_like(beta)
        seed1, seed2 = get_seed(seed)
        values = random_gamma_op(shape, alpha, seed=seed1, seed2=seed2) / beta
        return maximum(np.finfo(alpha.dtype.as_numpy_dtype).tiny, values)


random_poisson_v2_op = op(
    "RandomPoissonV2(shape: S, rate: R) -> output: dtype",
    seed="int = 0",
    seed2="int = 0",
    S=INDEX,
    R=_NUMBERS + " = DT_DOUBLE",
    dtype=_NUMBERS + " = DT_INT64",
    stateful=True,
)
random_poisson_v2_op.draws()
random_poisson_v2_op.in_any_order()


random_poisson_v2_op.shape(_shape)
random_poisson_v2_op.kernel_for(_kernel_for(rejection.poisson))
random_poisson_v2_op.samples(
    plain=sample([3], np.array([0.5, 5.0, 50.0]), seed=1),
    empty=sample([0], np.array([1.0]), seed=1),
    half=sample([3], [2.0, 20.0], dtype=dtypes.float16, seed=1),
    zero=sample([2], np.array([0.0]), seed=1),
)


random_poisson_op = op(
    "RandomPoisson(shape: S, rate: dtype) -> output: dtype",
    seed="int = 0",
    seed2="int = 0",
    S=INDEX,
    dtype=_FLOATS,
    stateful=True,
)
random_poisson_op.draws()
random_poisson_op.in_any_order()


random_poisson_op.shape(_shape)
random_poisson_op.kernel_for(_kernel_for(rejection.poisson))
random_poisson_op.removed(25, "Use RandomPoissonV2 instead")
random_poisson_op.samples(plain=sample([3], [0.5, 5.0, 50.0], seed=1))


@public("random_poisson", "random.poisson")
def random_poisson(
    lam: Any, shape: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Poisson-distributed values, `shape` of them for each rate in `lam`; see `compat.v2.random.poisson`."""
    return random_poisson_v2(shape, lam, dtype, seed, name)


@public("compat.v2.random.poisson")
def random_poisson_v2(
    shape: Any, lam: Any, dtype: Any = dtypes.float32, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Poisson-distributed values, `shape` of them for each rate.

    Args:
      shape: sizes, a list, TensorShape or integer tensor.
      lam: rates, a number or tensor.
      dtype: half, float32, float64, int32 or int64.
      seed: see `set_random_seed`.
      name: scope of the result.

    Returns:
      Values of shape `shape + shape(lam)`.
    """
    with name_scope(name, "random_poisson", [lam, shape]):
        shape = convert_to_tensor(shape, dtypes.int32, name="shape")
        seed1, seed2 = get_seed(seed)
        return random_poisson_v2_op(shape, lam, dtype=dtype, seed=seed1, seed2=seed2)
