"""Shuffling, cropping at a random place, and drawing classes from their log-probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup, op, sample
from ossia_core.declare.shape_rules import constant_shape, merge_dim, size_given, unchanged, with_rank, with_value
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import FailedPreconditionError, InvalidArgumentError, dims_text
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import with_dependencies
from ossia_ops.array.shape import shape as shape_of
from ossia_ops.element_types import INDEX_64, REALS
from ossia_ops.math.comparison import greater_equal
from ossia_ops.math.reduction import reduce_all
from ossia_ops.random.samplers import choices
from ossia_ops.random.samplers.philox import WordReader
from ossia_ops.random.streams import stateless_start, stream_of
from ossia_ops.random.uniform import random_uniform

random_shuffle_op = op("RandomShuffle(value: T) -> output: T", seed="int = 0", seed2="int = 0", T="type", stateful=True)
random_shuffle_op.draws()
random_shuffle_op.in_any_order()


random_shuffle_op.shape(unchanged)


@random_shuffle_op.kernel_for
def _(node, *, session):
    stream = stream_of(node, session)

    def kernel(value):
        value = np.asarray(value)
        count = len(value) if value.ndim else 0
        if value.size == 0 or count <= 1:
            return value.copy()
        return value[choices.permutation(stream.reserve(choices.groups_of_permutation(count)), count)]

    return kernel


random_shuffle_op.samples(
    vector=sample([1, 2, 3, 4, 5], seed=1),
    rows=sample([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], seed=1, seed2=2),
    strings=sample([b"a", b"b", b"c"], seed=1),
    scalar=sample(3, seed=1),
    empty=sample(np.zeros((3, 0)), seed=1),
)


@public("random_shuffle", "random.shuffle", "compat.v2.random.shuffle")
def random_shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of `value` (its slices along the first dimension) in random order; `seed` as for `set_random_seed`."""
    seed1, seed2 = get_seed(seed)
    return random_shuffle_op(value, seed=seed1, seed2=seed2, name=name)


random_crop_op = op(
    "RandomCrop(image: T, size: int64) -> output: T",
    T="{uint8, int8, int16, int32, int64, float, double}",
    seed="int = 0",
    seed2="int = 0",
    stateful=True,
)
random_crop_op.draws()


@random_crop_op.shape
def _(image, size):
    channels = with_rank(image, 3).as_tuple()[2]
    merge_dim(with_rank(size, 1).as_tuple()[0], 2)
    height, width = constant_shape(size).as_tuple() or (None, None)
    return height, width, channels


@random_crop_op.kernel_for
def _(node, *, session):
    stream = stream_of(node, session)

    def kernel(image, size):
        if image.ndim != 3:
            raise InvalidArgumentError(None, None, f"input must be 3-dimensional {dims_text(image.shape)}")
        if size.shape != (2,):
            raise InvalidArgumentError(None, None, f"shape_t must have two elements {dims_text(size.shape)}")
        wanted = size.tolist()
        for name, found, target in zip(("height", "width"), image.shape, wanted):
            if target < 0:
                raise InvalidArgumentError(None, None, f"target_{name} must not be negative: {target}")
            if found < target:
                raise FailedPreconditionError(
                    None, None, f"{name} must be >= target_{name}: {name} = {found}, target_{name} = {target}"
                )
        down, across = (found - target for found, target in zip(image.shape, wanted))
        if not (down or across):
            return np.array(image)
        words = WordReader(stream.reserve(1))
        left = int(words.take(1)[0]) % (across + 1) if across else 0
        top = int(words.take(1)[0]) % (down + 1) if down else 0
        return image[top : top + wanted[0], left : left + wanted[1]].copy()

    return kernel


random_crop_op.not_differentiable()
random_crop_op.removed(8, "Use tf.random_crop(), which is composed of other ops, instead")
random_crop_op.samples(plain=sample(np.arange(60.0).reshape(5, 6, 2), [2, 3], seed=1, seed2=2))


@public("random_crop", "image.random_crop")
def random_crop(value: Any, size: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """A block of `value` of the given size, all places equally likely.

    Args:
      value: a tensor.
      size: an integer vector with a size for each dimension, none larger than that of `value`.
      seed: see `set_random_seed`.
      name: name of the result.
    """
    with name_scope(name, "random_crop", [value, size]) as name:
        value = convert_to_tensor(value, name="value")
        size = convert_to_tensor(size, dtypes.int32, name="size")
        shape = shape_of(value)
        fits = reduce_all(greater_equal(shape, size))
        check = builder("Assert")(fits, ["Need value.shape >= size, got ", shape, size], summarize=1000)
        shape = with_dependencies([check], shape)
        limit = shape - size + 1
        offset = random_uniform(shape_of(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed) % limit
        return lookup("Slice")(value, offset, size, name=name)


multinomial_op = op(
    "Multinomial(logits: T, num_samples: int32) -> output: output_dtype",
    seed="int = 0",
    seed2="int = 0",
    T=REALS,
    output_dtype=INDEX_64,
    stateful=True,
)
multinomial_op.draws()
multinomial_op.in_any_order()


@multinomial_op.shape
def _drawn(logits, num_samples, *_):
    batch = with_rank(logits, 2).as_tuple()[0]
    with_rank(num_samples, 0)
    return TensorShape([batch, size_given(num_samples, 1)])


def _checked(logits: np.ndarray, num_samples: np.ndarray) -> tuple[int, int]:
    if logits.ndim != 2:
        raise InvalidArgumentError(None, None, f"logits should be a matrix, got shape {dims_text(logits.shape)}")
    if np.ndim(num_samples):
        raise InvalidArgumentError(
            None, None, f"num_samples should be a scalar, got shape {dims_text(num_samples.shape)}"
        )
    if num_samples < 0:
        raise InvalidArgumentError(None, None, f"num_samples should be nonnegative, got {num_samples}")
    if logits.shape[1] <= 0:
        raise InvalidArgumentError(None, None, "num_classes should be positive, got 0")
    return logits.shape[0], int(num_samples)


@multinomial_op.kernel_for
def _(node, *, session):
    stream, dtype = stream_of(node, session), node.attrs["output_dtype"].as_numpy_dtype

    def kernel(logits, num_samples):
        batch, count = _checked(logits, num_samples)
        return choices.categories(stream.reserve(choices.groups_of_categories(batch, count)), logits, count, dtype)

    return kernel


multinomial_op.not_differentiable()
multinomial_op.samples(
    plain=sample([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]], 5, seed=1),
    empty=sample(np.zeros((0, 3), np.float32), 2, seed=1),
    int32=sample([[1, 2]], 3, seed=1, output_dtype=dtypes.int32),
    none=sample([[1.0, 2.0]], 0, seed=1),
)


@public("multinomial", "random.multinomial")
def multinomial(
    logits: Any, num_samples: Any, seed: int | None = None, name: str | None = None, output_dtype: Any = None
) -> Tensor:
    """Draws classes at random, row by row.

    Args:
      logits: log-probabilities, not necessarily normalised, `[batch, classes]`.
      num_samples: draws per row, an integer or scalar tensor.
      seed: see `set_random_seed`.
      name: scope of the result.
      output_dtype: int32 or int64, the latter if None.

    Returns:
      Class indices, `[batch, num_samples]`.
    """
    with name_scope(name, "multinomial", [logits]):
        return drawn_categories(logits, num_samples, output_dtype, seed)


@public("random.categorical", "compat.v2.random.categorical")
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None, name: str | None = None
) -> Tensor:
    """Draws classes at random, row by row.

    Args:
      logits: log-probabilities, not necessarily normalised, `[batch, classes]`.
      num_samples: draws per row, an integer or scalar tensor.
      dtype: int32 or int64, the latter if None.
      seed: see `set_random_seed`.
      name: scope of the result.

    Returns:
      Class indices, `[batch, num_samples]`.
    """
    with name_scope(name, "categorical", [logits]):
        return drawn_categories(logits, num_samples, dtype, seed)


def drawn_categories(logits: Any, num_samples: Any, dtype: Any, seed: int | None) -> Tensor:
    """What `categorical` draws, in the scope that is current."""
    logits = convert_to_tensor(logits, name="logits")
    seed1, seed2 = get_seed(seed)
    return multinomial_op(
        logits, num_samples, seed=seed1, seed2=seed2, output_dtype=dtypes.int64 if dtype is None else dtype
    )


stateless_multinomial_op = op(
    "StatelessMultinomial(logits: T, num_samples: int32, seed: Tseed) -> output: output_dtype",
    T=REALS,
    Tseed=INDEX_64,
    output_dtype=INDEX_64,
)


@stateless_multinomial_op.shape
def _(logits, num_samples, seed):
    with_value(with_rank(seed, 1).as_tuple()[0], 2)
    return _drawn(logits, num_samples)



@stateless_multinomial_op.kernel
def _(logits, num_samples, seed, *, output_dtype):
    _, count = _checked(logits, num_samples)
    return choices.categories(stateless_start(seed), logits, count, output_dtype.as_numpy_dtype)


stateless_multinomial_op.not_differentiable()
stateless_multinomial_op.samples(
    plain=([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]], 5, [1, 2]),
    int32=sample([[1.0, 2.0]], 3, np.array([1, 2]), output_dtype=dtypes.int32),
)


@public("random.stateless_multinomial")
def stateless_multinomial(
    logits: Any, num_samples: Any, seed: Any, output_dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Draws classes as `multinomial` does, with values that depend on `seed`, two integers, alone."""
    with name_scope(name, "stateless_multinomial", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return stateless_multinomial_op(logits, num_samples, seed, output_dtype=output_dtype)


@public("random.stateless_categorical", "compat.v2.random.stateless_categorical")
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Draws classes as `random.categorical` does, with values that depend on `seed`, two integers, alone."""
    with name_scope(name, "stateless_categorical", [logits, seed]):
        logits = convert_to_tensor(logits, name="logits")
        return stateless_multinomial_op(logits, num_samples, seed, output_dtype=dtype)
