"""Random values from a generator whose state is a variable: saved, restored and shared like one."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import OpDef, lookup, op, steps
from ossia_core.declare.shape_rules import constant, constant_shape, with_rank
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_core.variables.resource import ResourceVariable
from ossia_ops.array.fill import zeros_like
from ossia_ops.array.shape import reshape
from ossia_ops.math.arithmetic import add
from ossia_ops.random.samplers import distributions
from ossia_ops.random.samplers.philox import Philox
from ossia_ops.random.streams import filled, shape_tensor, sizes_of
from ossia_ops.random.uniform import integers

_PHILOX, _THREEFRY = 1, 2
_STATE_SIZES = {_PHILOX: 3, _THREEFRY: 2}
_MASK_32, _MASK_64 = 2**32 - 1, 2**64 - 1
_FLOATS = dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64
_written: weakref.WeakValueDictionary[int, np.ndarray] = weakref.WeakValueDictionary()  # the last state, by variable
_INTEGERS = dtypes.int32, dtypes.int64, dtypes.uint32, dtypes.uint64


def reserve(resource: Any, algorithm: Any, groups: int, assigned_stays: bool = False) -> Philox:
    """The position that the state variable holds, which moves on by `groups`.

    Args:
      resource: the variable.
      algorithm: number of the algorithm; None if the state begins with it.
      groups: how far the state moves on.
      assigned_stays: whether a state that no draw has written yet stays as it is.

    Raises:
      InvalidArgumentError: the variable is no state of the algorithm, or the algorithm is not Philox.
    """
    if algorithm is not None and np.ndim(algorithm):
        raise InvalidArgumentError(
            None, None, f"input 1 (0-based) must have shape [], not {dims_text(np.shape(algorithm))}"
        )
    with resource.lock:
        state = resource.read()
        stays = assigned_stays and _written.get(id(resource)) is not resource.value
        if state.dtype != np.int64:
            raise InvalidArgumentError(None, None, f"dtype of RNG state variable must be int64, not {state.dtype}")
        if state.ndim != 1:
            raise InvalidArgumentError(None, None, f"RNG state must have one and only one dimension, not {state.ndim}")
        first = 0
        if algorithm is None:
            algorithm, first = (state[0] if state.size else np.int64(-1)), 1
        if algorithm != _PHILOX:
            raise InvalidArgumentError(None, None, f"Unsupported algorithm id: {algorithm}")
        size = first + _STATE_SIZES[_PHILOX]
        if state.size < size:
            raise InvalidArgumentError(
                None, None, f"For the Philox algorithm, the size of state must be at least {size}; got {state.size}"
            )
        low, high, key = (int(part) & _MASK_64 for part in state[first:size])
        start = Philox(key, low | high << 64)
        after = start.skip(groups).counter
        if groups >> 32 == _MASK_32 and (low & _MASK_32) + (groups & _MASK_32) > _MASK_32:
            after -= 1 << 64  # the original loses this carry, which comes up when a generator is moved back
        moved = state.copy()
        if not stays:
            moved.view(np.uint64)[first : first + 2] = after & _MASK_64, after >> 64 & _MASK_64
        resource.value = _written[id(resource)] = moved
    return start


def _drawing(fill: Callable, allowed: tuple) -> Callable:
    def kernel_for(node):
        wanted = node.attrs["dtype"]
        if wanted not in allowed:
            raise InvalidArgumentError(None, None, f"No kernel of {node.type} makes {wanted.name}.")
        dtype = np.dtype(wanted.as_numpy_dtype)
        # The original draws unsigned integers within bounds elsewhere, where the state moves on by what is used.
        sparing = node.type == "StatefulUniformInt" and dtype.kind == "u"

        def kernel(resource, algorithm, shape, *bounds):
            dims, count = sizes_of(shape, dtype.itemsize)
            groups = -(-count * dtype.itemsize // 16) if sparing else count * distributions.RESERVED
            start = reserve(resource, algorithm, groups)
            return fill(start, count, *bounds, dtype).reshape(dims)

        return kernel

    return kernel_for


def _stateful_op(signature: str, fill: Callable, allowed: tuple, dtype: str) -> OpDef:
    definition = op(signature, stateful=True, dtype=dtype, shape_dtype="type = DT_INT64")
    definition.draws("resource")

    @definition.shape
    def _(resource, algorithm, shape, *bounds):
        for scalar in (algorithm, *bounds):
            with_rank(scalar, 0)
        if shape.dtype.base_dtype.name not in ("int32", "int64") and constant(shape) is not None:
            raise ValueError(f"Input tensor must be int32 or int64, but was {shape.dtype.base_dtype.name}")
        return filled(shape)

    definition.kernel_for(_drawing(fill, allowed))
    return definition


stateful_uniform_op = _stateful_op(
    "StatefulUniform(resource: resource, algorithm: int64, shape: shape_dtype) -> output: dtype",
    distributions.uniform,
    _FLOATS,
    "type = DT_FLOAT",
)


_STATE = np.array([1, 2, 3])


stateful_uniform_op.samples(plain=(_STATE, np.int64(1), [2, 3]), empty=(_STATE, np.int64(1), [0]))


stateful_uniform_int_op = _stateful_op(
    "StatefulUniformInt(resource: resource, algorithm: int64, shape: shape_dtype, minval: dtype, maxval: dtype) "
    "-> output: dtype",
    integers,
    _INTEGERS,
    "type = DT_INT64",
)


stateful_uniform_int_op.samples(plain=(_STATE, np.int64(1), [2, 3], -3, 9))


stateful_uniform_full_int_op = _stateful_op(
    "StatefulUniformFullInt(resource: resource, algorithm: int64, shape: shape_dtype) -> output: dtype",
    distributions.uniform_full_int,
    _INTEGERS,
    "type = DT_UINT64",
)


stateful_uniform_full_int_op.samples(plain=(_STATE, np.int64(1), [2, 3]))


stateful_standard_normal_v2_op = _stateful_op(
    "StatefulStandardNormalV2(resource: resource, algorithm: int64, shape: shape_dtype) -> output: dtype",
    distributions.normal,
    _FLOATS,
    "type = DT_FLOAT",
)


stateful_standard_normal_v2_op.samples(plain=(_STATE, np.int64(1), [2, 3]))


stateful_truncated_normal_op = _stateful_op(
    "StatefulTruncatedNormal(resource: resource, algorithm: int64, shape: shape_dtype) -> output: dtype",
    distributions.truncated_normal,
    _FLOATS,
    "type = DT_FLOAT",
)


stateful_truncated_normal_op.samples(plain=(_STATE, np.int64(1), [2, 3]))


# Its states begin with the number of the algorithm.
stateful_standard_normal_op = op(
    "StatefulStandardNormal(resource: resource, shape: shape_dtype) -> output: dtype",
    stateful=True,
    dtype="type = DT_FLOAT",
    shape_dtype="type = DT_INT64",
)
stateful_standard_normal_op.draws("resource")
stateful_standard_normal_op.removed(29, "Use StatefulStandardNormalV2 instead")
stateful_standard_normal_op.shape(lambda resource, shape: filled(shape))


@stateful_standard_normal_op.kernel_for
def _(node):
    draw = _drawing(distributions.normal, _FLOATS)(node)
    return lambda resource, shape: draw(resource, None, shape)


stateful_standard_normal_op.samples(plain=(np.array([1, 2, 3, 4]), [2, 3]))


rng_skip_op = op("RngSkip(resource: resource, algorithm: int64, delta: int64)", stateful=True)
rng_skip_op.changes("resource")


@rng_skip_op.shape
def _(resource, algorithm, delta):
    with_rank(algorithm, 0)
    with_rank(delta, 0)


@rng_skip_op.kernel
def _(resource, algorithm, delta):
    if np.ndim(delta):
        raise InvalidArgumentError(
            None, None, f"input 2 (0-based) must have shape [], not {dims_text(np.shape(delta))}"
        )
    reserve(resource, algorithm, int(delta) * distributions.RESERVED & _MASK_64)
    return ()


rng_skip_op.samples(plain=(_STATE, np.int64(1), np.int64(5)), back=(_STATE, np.int64(1), np.int64(-5)))


non_deterministic_ints_op = op(
    "NonDeterministicInts(shape: shape_dtype) -> output: dtype",
    stateful=True,
    dtype="type = DT_INT64",
    shape_dtype="type = DT_INT64",
)
non_deterministic_ints_op.draws()


@non_deterministic_ints_op.shape
def _(shape):
    with_rank(shape, 1)
    return constant_shape(shape)


@non_deterministic_ints_op.kernel
def _(shape, *, dtype):
    if dtype not in _INTEGERS:
        raise InvalidArgumentError(None, None, f"No kernel of NonDeterministicInts makes {dtype.name}.")
    dims, count = sizes_of(shape, dtype.size)
    numpy_dtype = dtype.as_numpy_dtype
    return np.frombuffer(secrets.token_bytes(count * dtype.size), numpy_dtype).reshape(dims).copy()


def _shape_of_any(shape: Any, dtype: str) -> Any:
    """A sample of what stays the same of random integers: their shape."""
    def drawn(given: Any) -> Any:
        yield lookup("Shape")(non_deterministic_ints_op(given(shape), dtype=dtype))
    return steps(drawn)


non_deterministic_ints_op.samples(
    matrix=_shape_of_any(np.array([2, 3]), "int64"), scalar=_shape_of_any(np.zeros(0, np.int32), "uint32"),
    none=_shape_of_any(np.array([0, 3], np.int32), "int32"), refused_negative=_shape_of_any(np.array([-1]), "int64"),
    refused_rank=_shape_of_any(np.int64(2), "int64"), refused_kind=_shape_of_any(np.array([2]), "float"),
    refused_huge=_shape_of_any(np.array([2**40, 2**40]), "int64"),
    refused_memory=_shape_of_any(np.array([2**44]), "int64"),
)


@public("random.experimental.create_rng_state", "compat.v2.random.experimental.create_rng_state")
def create_rng_state(seed: int | Iterable[int], algorithm: int) -> np.ndarray:
    """The state that stands for a seed.

    Args:
      seed: an integer, of which as many bits count as the state holds, or several integers.
      algorithm: 1 for Philox, 2 for ThreeFry.

    Returns:
      int64 `[3]` for Philox (128 bits of the counter, 64 of the key), int64 `[2]` for ThreeFry.
    """
    size = _state_size(algorithm)
    if isinstance(seed, int):
        parts = [seed >> 64 * i & _MASK_64 for i in range(size)]
    else:
        parts = [int(part) & _MASK_64 for part in seed][:size]
        parts = [0] * (size - len(parts)) + parts
    return np.array(parts, np.uint64).view(np.int64)


def _state_size(algorithm: int) -> int:
    if algorithm not in _STATE_SIZES:
        raise ValueError(f"Unsupported algorithm id: {algorithm}")
    return _STATE_SIZES[algorithm]


@public("random.experimental.Generator", "compat.v2.random.experimental.Generator")
class Generator:
    """A source of random values, whose state is a variable (`state`) that each draw moves on.

    Args:
      copy_from: another generator, whose state and algorithm are taken over.
      state: an int64 vector, of 3 elements for Philox and of 2 for ThreeFry.
      alg: the algorithm: 1 for Philox, 2 for ThreeFry, which no CPU kernel implements.

    Raises:
      ValueError: the algorithm is unknown, or the state not of its size.
    """

    def __init__(self, copy_from: Generator | None = None, state: Any = None, alg: int | None = None) -> None:
        if copy_from is not None:
            state, alg = copy_from.state, copy_from.algorithm
        else:
            assert alg is not None and state is not None, "either copy_from, or state and alg, must be given"
            state = convert_to_tensor(state, dtypes.int64)
            state.shape.assert_is_compatible_with([_state_size(alg)])
        self._state_var = ResourceVariable(state, dtype=dtypes.int64, trainable=False)
        self._algorithm = alg

    @classmethod
    def from_state(cls, state: Any, alg: int) -> Generator:
        """A generator in a given state."""
        return cls(state=state, alg=alg)

    @classmethod
    def from_seed(cls, seed: int | Iterable[int], alg: int | None = None) -> Generator:
        """A generator in the state that `create_rng_state` gives for `seed`; Philox by default."""
        alg = _PHILOX if alg is None else alg
        return cls(state=create_rng_state(seed, alg), alg=alg)

    @classmethod
    def from_non_deterministic_state(cls, alg: int | None = None) -> Generator:
        """A generator that starts differently each time it is initialised."""
        alg = _PHILOX if alg is None else alg
        size = convert_to_tensor([_state_size(alg)], dtypes.int64, name="NonDeterministicInts/shape")
        return cls(state=non_deterministic_ints_op(size, dtype=dtypes.int64), alg=alg)

    @classmethod
    def from_key_counter(cls, key: Any, counter: Any, alg: int) -> Generator:
        """A generator with a given key (an integer) and counter (an int64 vector)."""
        return cls(state=_joined(key, counter), alg=alg)

    @property
    def state(self) -> ResourceVariable:
        """The state variable."""
        return self._state_var

    @property
    def algorithm(self) -> int:
        """Number of the algorithm."""
        return self._algorithm

    @property
    def key(self) -> Tensor:
        """The key, the last element of the state."""
        return self._state_var.value()[-1]

    def reset(self, state: Any) -> None:
        """Adds the op that puts the generator into a given state."""
        self._state_var.assign(convert_to_tensor(state, dtypes.int64))

    def reset_from_seed(self, seed: int | Iterable[int]) -> None:
        """Adds the op that puts the generator into the state of a seed."""
        self.reset(create_rng_state(seed, self._algorithm))

    def reset_from_key_counter(self, key: Any, counter: Any) -> None:
        """Adds the op that gives the generator a key and a counter."""
        self.reset(_joined(key, counter))

    def skip(self, delta: Any) -> None:
        """Adds the op that moves the generator on as drawing `delta` values does."""
        rng_skip_op(self._state_var.handle, self._algorithm, delta)

    def uniform(
        self, shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Values that are all equally likely, from `minval` up to, but without, `maxval`.

        Args:
          shape: sizes of the result.
          minval: the lower bound.
          maxval: the upper bound; 1 if None, which integers do not allow.
          dtype: a floating dtype, or a 32- or 64-bit integer one.
          name: name of the result.

        Raises:
          ValueError: integers without `maxval`.
        """
        dtype = dtypes.as_dtype(dtype)
        if maxval is None:
            if dtype.is_integer:
                raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")
            maxval = 1
        with name_scope(name, "stateful_uniform", [shape, minval, maxval]) as name:
            shape = shape_tensor(shape)
            minval = convert_to_tensor(minval, dtype, name="min")
            maxval = convert_to_tensor(maxval, dtype, name="max")
            if dtype.is_integer:
                return stateful_uniform_int_op(
                    self._state_var.handle, self._algorithm, shape, minval, maxval, name=name
                )
            units = stateful_uniform_op(self._state_var.handle, self._algorithm, shape, dtype=dtype)
            return add(units * (maxval - minval), minval, name=name)

    def uniform_full_int(self, shape: Any, dtype: Any = dtypes.uint64, name: str | None = None) -> Tensor:
        """Values of a 32- or 64-bit integer dtype, all of its values being equally likely."""
        with name_scope(name, "stateful_uniform_full_int", [shape]) as name:
            shape = shape_tensor(shape)
            return stateful_uniform_full_int_op(self._state_var.handle, self._algorithm, shape, dtype=dtype, name=name)

    def normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Normally distributed values of a floating dtype."""
        return self._scaled(stateful_standard_normal_v2_op, "stateful_normal", shape, mean, stddev, dtype, name)

    def truncated_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, name: str | None = None
    ) -> Tensor:
        """Normally distributed values without those further than two standard deviations from the mean."""
        return self._scaled(stateful_truncated_normal_op, "truncated_normal", shape, mean, stddev, dtype, name)

    def _scaled(
        self, standard: OpDef, default_name: str, shape: Any, mean: Any, stddev: Any, dtype: Any, name: str | None
    ) -> Tensor:
        with name_scope(name, default_name, [shape, mean, stddev]) as name:
            shape = shape_tensor(shape)
            mean = convert_to_tensor(mean, dtype, name="mean")
            stddev = convert_to_tensor(stddev, dtype, name="stddev")
            values = standard(self._state_var.handle, self._algorithm, shape, dtype=dtype)
            return add(values * stddev, mean, name=name)

    def binomial(
        self, shape: Any, counts: Any, probs: Any, dtype: Any = dtypes.int32, name: str | None = None
    ) -> Tensor:
        """How many of `counts` independent trials succeed, each with probability `probs`.

        As in the original, a generator whose state has just been assigned does not move on.

        Args:
          shape: sizes of the result.
          counts: how many trials, a floating or integer scalar, or a vector with one for each of the first dimension.
          probs: the probability of success, of the same dtype, a scalar or vector likewise.
          dtype: a floating dtype but bfloat16, int32 or int64.
          name: name of the result.
        """
        with name_scope(name, "binomial", [shape, counts, probs]) as name:
            counts = convert_to_tensor(counts, name="counts")
            probs = convert_to_tensor(probs, name="probs")
            shape = shape_tensor(shape)
            return lookup("StatefulRandomBinomial")(
                self._state_var.handle, self._algorithm, shape, counts, probs, dtype=dtype, name=name
            )

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for stateless ops: int64 `[2, count]`, a column each."""
        seeds = self.uniform_full_int([count], dtype=dtypes.int64)
        return builder("stack")([seeds, zeros_like(seeds)])

    def split(self, count: int = 1) -> list[Generator]:
        """Generators that are independent of this one and of each other."""
        size = _state_size(self._algorithm)
        keys = builder("unstack")(self.uniform_full_int([count], dtype=dtypes.int64), count)
        return [Generator(state=builder("stack")([0] * (size - 1) + [key]), alg=self._algorithm) for key in keys]


def _joined(key: Any, counter: Any) -> Tensor:
    counter = convert_to_tensor(counter, dtypes.int64)
    key = reshape(convert_to_tensor(key, dtypes.int64), [1])
    return builder("concat")([counter, key], 0)


_global_generator: Generator | None = None


@public("random.experimental.get_global_generator", "compat.v2.random.experimental.get_global_generator")
def get_global_generator() -> Generator:
    """The generator for all who have none of their own, made at first use."""
    global _global_generator
    if _global_generator is None:
        _global_generator = Generator.from_non_deterministic_state()
    return _global_generator


@public("random.experimental.set_global_generator", "compat.v2.random.experimental.set_global_generator")
def set_global_generator(generator: Generator) -> None:
    """Replaces the global generator."""
    global _global_generator
    _global_generator = generator
