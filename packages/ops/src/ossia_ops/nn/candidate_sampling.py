"""Candidate samplers: a few classes drawn to stand for all the others when a softmax over many classes is trained."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import OpDef, op, sample
from ossia_core.declare.shape_rules import with_rank, with_value
from ossia_core.graph.seeds import get_seed
from ossia_core.graph.tensor import Tensor
from ossia_core.names.errors import InvalidArgumentError, NotFoundError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_ops.random.samplers import candidates
from ossia_ops.random.streams import stream_of

_OUTPUTS = "sampled_candidates: int64, true_expected_count: float, sampled_expected_count: float"
_SEEDS = {"seed": "int = 0", "seed2": "int = 0"}
_TRUE = np.array([[1, 3], [0, 2]])


def _sampler_op(op_type: str, make: Callable[[Any], candidates.UniformSampler], **attrs: str) -> OpDef:
    definition = op(
        f"{op_type}(true_classes: int64) -> {_OUTPUTS}",
        num_true="int32 >= 1",
        num_sampled="int32 >= 1",
        unique="bool",
        stateful=True,
        **attrs,
        **_SEEDS,
    )
    definition.draws()

    @definition.shape
    def _(true_classes, *, node):  # which lets numbers beyond 32 bits pass, as the original's does
        num_true, num_sampled = node.attrs["num_true"], node.attrs["num_sampled"]
        batch = with_rank(true_classes, 2).as_tuple()[0]
        return TensorShape([num_sampled]), TensorShape([batch, num_true]), TensorShape([num_sampled])

    @definition.kernel_for
    def _(node, *, session):
        stream = stream_of(node, session)
        num_true, count, unique = (node.attrs[name] for name in ("num_true", "num_sampled", "unique"))

        def make_sampler():
            return make(node.attrs)

        sampler = make_sampler() if session is None else session.node_state(node.name + " sampler", make_sampler)

        def kernel(true_classes):
            if true_classes.ndim != 2:
                raise InvalidArgumentError(None, None, "true_classes must be a matrix")
            if true_classes.shape[1] != num_true:
                raise InvalidArgumentError(
                    None,
                    None,
                    f"true_classes must have num_true columns, expected: {true_classes.shape[1]} was: {num_true}",
                )
            if unique and count > sampler.possible:
                raise InvalidArgumentError(None, None, "Sampler's range is too small.")
            return candidates.sample(
                sampler, stream.reserve(candidates.groups_of_candidates(count)), true_classes, count, unique
            )

        return kernel

    return definition


def _built(
    definition: OpDef,
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    seed: int | None,
    name: str | None,
    **attrs: Any,
) -> tuple[Tensor, Tensor, Tensor]:
    seed1, seed2 = get_seed(seed)
    return definition(
        true_classes,
        num_true=num_true,
        num_sampled=num_sampled,
        unique=unique,
        seed=seed1,
        seed2=seed2,
        name=name,
        **attrs,
    )


uniform_candidate_sampler_op = _sampler_op(
    "UniformCandidateSampler", lambda attrs: candidates.UniformSampler(attrs["range_max"]), range_max="int >= 1"
)


uniform_candidate_sampler_op.samples(
    unique=sample(_TRUE, num_true=2, num_sampled=4, unique=True, range_max=5, seed=1),
    repeated=sample(_TRUE, num_true=2, num_sampled=9, unique=False, range_max=5, seed=1),
)


@public(
    "random.uniform_candidate_sampler", "nn.uniform_candidate_sampler", "compat.v2.random.uniform_candidate_sampler"
)
def uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draws classes from [0, `range_max`), all equally likely.

    Args:
      true_classes: int64 `[batch, num_true]`, the classes that each example has.
      num_true: how many that are.
      num_sampled: how many classes to draw, for the whole batch.
      unique: whether the classes drawn differ from each other.
      range_max: number of classes.
      seed: see `set_random_seed`.
      name: name of the result.

    Returns:
      A named tuple: the classes drawn (int64 `[num_sampled]`), and how often each true class (float32
      `[batch, num_true]`) and each class drawn (float32 `[num_sampled]`) is expected among so many.
    """
    return _built(
        uniform_candidate_sampler_op, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )


log_uniform_candidate_sampler_op = _sampler_op(
    "LogUniformCandidateSampler", lambda attrs: candidates.LogUniformSampler(attrs["range_max"]), range_max="int >= 1"
)


log_uniform_candidate_sampler_op.samples(
    unique=sample(_TRUE, num_true=2, num_sampled=4, unique=True, range_max=5, seed=1),
    repeated=sample(_TRUE, num_true=2, num_sampled=9, unique=False, range_max=5, seed=1),
)


@public(
    "random.log_uniform_candidate_sampler",
    "nn.log_uniform_candidate_sampler",
    "compat.v2.random.log_uniform_candidate_sampler",
)
def log_uniform_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draws classes that follow Zipf's law: class `k` with probability `log((k + 2) / (k + 1)) / log(range_max + 1)`.

    It suits classes that are numbered by falling frequency. Args and returns are those of `uniform_candidate_sampler`.
    """
    return _built(
        log_uniform_candidate_sampler_op, true_classes, num_true, num_sampled, unique, seed, name, range_max=range_max
    )


learned_unigram_candidate_sampler_op = _sampler_op(
    "LearnedUnigramCandidateSampler",
    lambda attrs: candidates.LearnedUnigramSampler(attrs["range_max"]),
    range_max="int >= 1",
)


learned_unigram_candidate_sampler_op.samples(
    unique=sample(_TRUE, num_true=2, num_sampled=4, unique=True, range_max=5, seed=1),
    repeated=sample(_TRUE, num_true=2, num_sampled=9, unique=False, range_max=5, seed=1),
)


@public(
    "random.learned_unigram_candidate_sampler",
    "nn.learned_unigram_candidate_sampler",
    "compat.v2.random.learned_unigram_candidate_sampler",
)
def learned_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draws classes as often as they were seen among the true classes of earlier runs; each starts with a count of one.

    Args and returns are those of `uniform_candidate_sampler`.
    """
    return _built(
        learned_unigram_candidate_sampler_op,
        true_classes,
        num_true,
        num_sampled,
        unique,
        seed,
        name,
        range_max=range_max,
    )


thread_unsafe_unigram_candidate_sampler_op = _sampler_op(
    "ThreadUnsafeUnigramCandidateSampler",
    lambda attrs: candidates.LearnedUnigramSampler(attrs["range_max"]),
    range_max="int >= 1",
)


thread_unsafe_unigram_candidate_sampler_op.samples(
    unique=sample(_TRUE, num_true=2, num_sampled=4, unique=True, range_max=5, seed=1)
)


def _fixed(attrs: dict[str, Any]) -> candidates.FixedUnigramSampler:
    path, weights = attrs["vocab_file"].decode(), attrs["unigrams"]
    if bool(path) is bool(weights):
        raise InvalidArgumentError(
            None,
            None,
            "Must only provide one of vocab_file and unigrams."
            if path
            else "Must provide either vocab_file or unigrams.",
        )
    sampler = candidates.FixedUnigramSampler(
        _weights_in(path) if path else weights,
        attrs["distortion"],
        attrs["num_reserved_ids"],
        attrs["num_shards"],
        attrs["shard"],
    )
    if sampler.classes != attrs["range_max"]:
        raise InvalidArgumentError(
            None, None, f"range_max is {attrs['range_max']}, but there are weights for {sampler.classes} classes."
        )
    return sampler


def _weights_in(path: str) -> list[float]:
    """The last column of a CSV file."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return [float(row[-1]) for row in csv.reader(file) if row]
    except FileNotFoundError:
        raise NotFoundError(None, None, f"{path}; No such file or directory") from None
    except ValueError as error:
        raise InvalidArgumentError(None, None, f"Wrong vocabulary format in {path}: {error}") from None


fixed_unigram_candidate_sampler_op = _sampler_op(
    "FixedUnigramCandidateSampler",
    _fixed,
    range_max="int >= 1",
    vocab_file="string = ''",
    distortion="float = 1.0",
    num_reserved_ids="int = 0",
    num_shards="int >= 1 = 1",
    shard="int >= 0 = 0",
    unigrams="list(float) = []",
)


fixed_unigram_candidate_sampler_op.samples(
    unique=sample(_TRUE, num_true=2, num_sampled=3, unique=True, range_max=4, unigrams=[1.0, 2.0, 3.0, 4.0], seed=1),
    repeated=sample(
        _TRUE,
        num_true=2,
        num_sampled=9,
        unique=False,
        range_max=4,
        unigrams=[1.0, 2.0, 3.0, 4.0],
        distortion=0.75,
        seed=1,
    ),
    reserved=sample(
        _TRUE, num_true=2, num_sampled=2, unique=False, range_max=4, unigrams=[1.0, 2.0], num_reserved_ids=2, seed=1
    ),
)


@public(
    "random.fixed_unigram_candidate_sampler",
    "nn.fixed_unigram_candidate_sampler",
    "compat.v2.random.fixed_unigram_candidate_sampler",
)
def fixed_unigram_candidate_sampler(
    true_classes: Any,
    num_true: int,
    num_sampled: int,
    unique: bool,
    range_max: int,
    vocab_file: str = "",
    distortion: float = 1.0,
    num_reserved_ids: int = 0,
    num_shards: int = 1,
    shard: int = 0,
    unigrams: Sequence[float] = (),
    seed: int | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Draws classes in proportion to weights given in advance.

    Args:
      true_classes: int64 `[batch, num_true]`, the classes that each example has.
      num_true: how many that are.
      num_sampled: how many classes to draw, for the whole batch.
      unique: whether the classes drawn differ from each other.
      range_max: number of classes.
      vocab_file: a CSV file with a line per class, its weight in the last column.
      distortion: the power that weights are raised to; 0 makes all classes equally likely.
      num_reserved_ids: classes that come before those with a weight, and are never drawn.
      num_shards: how many samplers share the classes.
      shard: which of them this one is.
      unigrams: the weights, instead of `vocab_file`.
      seed: see `set_random_seed`.
      name: name of the result.

    Returns:
      As `uniform_candidate_sampler`.
    """
    return _built(
        fixed_unigram_candidate_sampler_op,
        true_classes,
        num_true,
        num_sampled,
        unique,
        seed,
        name,
        range_max=range_max,
        vocab_file=vocab_file,
        distortion=distortion,
        num_reserved_ids=num_reserved_ids,
        num_shards=num_shards,
        shard=shard,
        unigrams=unigrams,
    )


all_candidate_sampler_op = _sampler_op("AllCandidateSampler", lambda attrs: candidates.AllSampler(attrs["num_sampled"]))


all_candidate_sampler_op.samples(plain=sample(_TRUE, num_true=2, num_sampled=4, unique=True, seed=1))


@public("random.all_candidate_sampler", "nn.all_candidate_sampler", "compat.v2.random.all_candidate_sampler")
def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Draws each of `num_sampled` classes once, in order; what is left of sampling when it is for testing.

    Args and returns are those of `uniform_candidate_sampler`.
    """
    return _built(all_candidate_sampler_op, true_classes, num_true, num_sampled, unique, seed, name)


compute_accidental_hits_op = op(
    "ComputeAccidentalHits(true_classes: int64, sampled_candidates: int64) -> indices: int32, ids: int64, "
    "weights: float",
    num_true="int",
    **_SEEDS,
)


@compute_accidental_hits_op.shape
def _(true_classes, sampled_candidates, *, num_true):
    with_value(with_rank(true_classes, 2).as_tuple()[1], num_true)
    with_rank(sampled_candidates, 1)
    return (None,), (None,), (None,)


@compute_accidental_hits_op.kernel
def _(true_classes, sampled_candidates, *, num_true):
    if true_classes.ndim != 2 or true_classes.shape[1] != num_true:
        raise InvalidArgumentError(None, None, "true_candidates must be a batch_size * num_true matrix")
    if sampled_candidates.ndim != 1:
        raise InvalidArgumentError(
            None, None, "sampled_candidates must be a vector, which is typically an output from CandidateSampler"
        )
    # a class drawn several times is found at the last of its places
    classes, last = np.unique(sampled_candidates[::-1], return_index=True)
    true = true_classes.reshape(-1)
    place = np.minimum(np.searchsorted(classes, true), max(len(classes) - 1, 0))
    hit = np.flatnonzero(classes[place] == true) if len(classes) else np.zeros(0, np.int64)
    ids = len(sampled_candidates) - 1 - last[place[hit]] if len(hit) else np.zeros(0, np.int64)
    weights = np.full(len(hit), -np.finfo(np.float32).max, np.float32)
    return (hit // max(num_true, 1)).astype(np.int32), ids.astype(np.int64), weights


compute_accidental_hits_op.samples(
    plain=sample(np.array([[1, 2], [3, 1]]), np.array([1, 3, 1, 5]), num_true=2),
    none=sample(np.array([[1]]), np.array([2]), num_true=1),
)


@public("nn.compute_accidental_hits")
def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """Where a class drawn is a true class of an example.

    Args:
      true_classes: int64 `[batch, num_true]`.
      sampled_candidates: int64 `[num_sampled]`, the classes drawn.
      num_true: number of true classes per example.
      seed: has no effect on the values.
      name: name of the result.

    Returns:
      A named tuple of vectors: the examples (int32), the places in `sampled_candidates` (int64), and weights to add to
      the logits there, the lowest float32 each.
    """
    seed1, seed2 = get_seed(seed)
    return compute_accidental_hits_op(
        true_classes, sampled_candidates, num_true=num_true, seed=seed1, seed2=seed2, name=name
    )
