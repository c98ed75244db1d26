"""Stochastic dual coordinate ascent for linear models (Shalev-Shwartz and Zhang 2013; distributed: Ma et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.names.shapes import TensorShape
from ossia_core.plugins.api_table import public
from ossia_optimizers.fingerprint import fingerprint128
from ossia_optimizers.sdca_losses import LOSSES


def _array(dtype: Any) -> Any:
    """A function that makes arrays of a dtype."""
    return lambda values: np.array(values, dtype)


_float32, _int64 = _array(np.float32), _array(np.int64)

_INPUTS = (
    "sparse_example_indices: num_sparse_features * int64, sparse_feature_indices: num_sparse_features * int64, "
    "sparse_feature_values: num_sparse_features_with_values * float, dense_features: num_dense_features * float, "
    "example_weights: float, example_labels: float, sparse_indices: num_sparse_features * int64, sparse_weights: "
    "num_sparse_features * float, dense_weights: num_dense_features * float, example_state_data: float"
)
_OUTPUTS = (
    "out_example_state_data: float, out_delta_sparse_weights: num_sparse_features * float, "
    "out_delta_dense_weights: num_dense_features * float"
)
_ATTRS = {
    "loss_type": "{'logistic_loss', 'squared_loss', 'hinge_loss', 'smooth_hinge_loss', 'poisson_loss'}",
    "num_sparse_features": "int >= 0",
    "num_sparse_features_with_values": "int >= 0",
    "num_dense_features": "int >= 0",
    "l1": "float",
    "l2": "float",
    "num_loss_partitions": "int32 >= 1",
    "num_inner_iterations": "int32 >= 1",
}


class _Model:
    """The weights of a linear model as one vector, with the change so far, and each example's features as positions in
    it."""

    def __init__(
        self,
        sparse: list,
        sparse_values: list,
        sparse_indices: list,
        sparse_weights: list,
        dense_features: list,
        dense_weights: list,
        count: int,
        l1: float,
        l2: np.float64,
    ) -> None:
        self._groups = [np.ravel(w) for w in (*sparse_weights, *dense_weights)]
        self.weights = np.concatenate([*self._groups, np.zeros(0, np.float32)]).astype(np.float64)
        self.delta = np.zeros_like(self.weights)
        self._shrinkage, self.l2 = l1 / l2, l2
        starts = np.cumsum([0, *(g.size for g in self._groups)])
        rows: list[list[np.ndarray]] = [[] for _ in range(count)]
        values: list[list[np.ndarray]] = [[] for _ in range(count)]
        for k, (examples, features) in enumerate(sparse):
            places = _places(features, sparse_indices[k]) + starts[k]
            given = sparse_values[k] if k < len(sparse_values) else np.ones(features.size, np.float32)
            if examples.size and (examples.min() < 0 or examples.max() >= count):
                raise InvalidArgumentError(
                    None,
                    None,
                    f"Example indices should be in [0, {count}). Encountered: {examples.min()} to {examples.max()}",
                )
            order = np.argsort(examples, kind="stable")
            cuts = np.searchsorted(examples[order], np.arange(count + 1))
            for i in range(count):
                part = order[cuts[i] : cuts[i + 1]]
                rows[i].append(places[part])
                values[i].append(given[part])
        for k, features in enumerate(dense_features):
            start = starts[len(sparse) + k]
            place = np.arange(start, start + features.shape[1])
            for i in range(count):
                rows[i].append(place)
                values[i].append(features[i])
        self.rows = [np.concatenate([*r, np.zeros(0, np.intp)]).astype(np.intp) for r in rows]
        self.values = [np.concatenate([*v, np.zeros(0, np.float32)]).astype(np.float64) for v in values]

    def _shrunk(self, weights: np.ndarray) -> np.ndarray:
        return np.sign(weights) * np.maximum(np.abs(weights) - self._shrinkage, 0.0)

    def outputs(self, i: int, partitions: int) -> tuple[float, float]:
        """The model's output for an example, before any change and with the change so far."""
        rows, values = self.rows[i], self.values[i]
        before = self.weights[rows]
        return (
            float(values @ self._shrunk(before)),
            float(values @ self._shrunk(before + partitions * self.delta[rows])),
        )

    def deltas(self, shapes: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
        """The change of each group of weights."""
        cuts = np.cumsum([g.size for g in self._groups])[:-1]
        parts = np.split(self.delta, cuts) if self._groups else []
        return [part.astype(np.float32).reshape(shape) for part, shape in zip(parts, shapes)]


def _places(features: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Positions of feature ids among the ids that have weights."""
    order = np.argsort(known, kind="stable")
    found = np.searchsorted(known, features, sorter=order)
    inside = found < known.size
    places = order[np.where(inside, found, 0)] if known.size else np.zeros(features.shape, np.intp)
    if features.size and not (inside & (known[places] == features if known.size else False)).all():
        raise InvalidArgumentError(
            None,
            None,
            "Found sparse feature indices out of valid range: "
            f"{features[~(inside & (known[places] == features))][0] if known.size else features[0]}",
        )
    return places


def _ascend(
    sparse_example_indices,
    sparse_feature_indices,
    sparse_feature_values,
    dense_features,
    example_weights,
    example_labels,
    sparse_indices,
    sparse_weights,
    dense_weights,
    example_state_data,
    loss_type,
    l1,
    l2,
    num_loss_partitions,
    adaptive,
):
    """The new state of the examples, and the changes of the sparse and the dense weights.

    A row of the state holds the dual variable, the primal and the dual loss, and the weight of an example.
    """
    loss, count = LOSSES[loss_type], example_labels.size
    if example_weights.size != count or example_state_data.shape != (count, 4):
        raise InvalidArgumentError(
            None,
            None,
            f"Expected {count} example weights and a state of shape [{count},4], got "
            f"{example_weights.size} and {list(example_state_data.shape)}",
        )
    for features in dense_features:
        if features.ndim != 2 or features.shape[0] != count:
            raise InvalidArgumentError(
                None, None, f"Dense features should be of shape [{count}, n], got {list(features.shape)}"
            )
    for features, weights in zip(dense_features, dense_weights):
        if weights.size != features.shape[1]:
            raise InvalidArgumentError(None, None, "More or fewer dense weights than features")
    model = _Model(
        list(zip(sparse_example_indices, sparse_feature_indices)),
        sparse_feature_values,
        sparse_indices,
        sparse_weights,
        dense_features,
        dense_weights,
        count,
        l1,
        np.float64(l2),
    )
    state = example_state_data.copy()
    labels = [loss.label(label) for label in example_labels.ravel().tolist()]
    norms = [values @ values / model.l2 for values in model.values]
    order: Sequence[int] = range(count)
    if adaptive and count:
        outputs = [model.outputs(i, num_loss_partitions)[1] for i in range(count)]
        slopes = [loss.slope(wx, label) for wx, label in zip(outputs, labels)]
        smoothness = loss.smoothness * model.l2
        order = _drawn(
            example_weights.ravel()
            * np.sqrt([values @ values + smoothness for values in model.values])
            * np.abs(state[:, 0] + slopes)
        )
    for i in order:
        dual, weight, label = float(state[i, 0]), example_weights.item(i), labels[i]
        before, wx = model.outputs(i, num_loss_partitions)
        new = loss.best(label, dual, wx, num_loss_partitions * norms[i] * weight)
        # A feature may occur twice in an example.
        np.add.at(model.delta, model.rows[i], model.values[i] * ((new - dual) * weight / model.l2))
        state[i] = new, loss.primal(before, label) * weight, loss.dual(dual, label) * weight, weight
    deltas = model.deltas([w.shape for w in (*sparse_weights, *dense_weights)])
    return state, deltas[: len(sparse_weights)], deltas[len(sparse_weights) :]


def _drawn(shares: np.ndarray) -> list[int]:
    """As many examples as there are, drawn in proportion to their shares.

    One that has been drawn k times is taken again with a probability of 1 / 10^k. After as many refusals as there are
    examples the first example fills the places left, as in the original.
    """
    random = np.random.default_rng()
    total = shares.sum()
    count = shares.size
    shares = shares / total if np.isfinite(total) and total > 0 else np.full(count, 1 / count)
    taken, refused = [0] * count, 0
    order: list[int] = []
    draws = random.choice(count, size=2 * count, p=shares).tolist()
    for i, chance in zip(draws, random.random(2 * count).tolist()):
        if len(order) == count or refused == count:
            break
        if chance > 0.1 ** taken[i]:
            refused += 1
        else:
            taken[i] += 1
            order.append(i)
    return order + [0] * (count - len(order))


def _declare(name: str, adaptive: str) -> Any:
    """One of the two versions of the op, which differ in the name of the attribute that says how examples are drawn."""
    attrs = dict(_ATTRS)
    definition = op(
        f"{name}({_INPUTS}) -> {_OUTPUTS}", **{"loss_type": attrs.pop("loss_type"), adaptive: "bool = false", **attrs}  # type: ignore[arg-type]
    )

    @definition.shape
    def _(
        sparse_example_indices,
        sparse_feature_indices,
        sparse_feature_values,
        dense_features,
        example_weights,
        example_labels,
        sparse_indices,
        sparse_weights,
        dense_weights,
        example_state_data,
    ):
        return TensorShape([None, 4]), [w.shape for w in sparse_weights], [w.shape for w in dense_weights]

    @definition.kernel_for
    def _(node):
        options = [node.attrs[name] for name in ("loss_type", "l1", "l2", "num_loss_partitions", adaptive)]
        return lambda *inputs: _ascend(*inputs, *options)

    definition.not_differentiable()
    definition.samples(
        **{loss.decode()[:-5]: _sample(loss.decode()) for loss in LOSSES},
        l1=_sample(l1=0.4),
        refused_example=_sample(example=9),
        refused_feature=_sample(feature=99),
        refused_state=_sample(state=2),
    )
    return definition


def _sample(loss: str = "squared_loss", l1: float = 0.0, example: int = 2, feature: int = 12, state: int = 3) -> Any:
    """Three examples with one sparse feature each and two dense ones that they do not share."""
    return sample(
        [_int64([0, 1, example])], [_int64([10, 11, feature])], [_float32([0.5, 1.0, 2.0])],
        [_float32([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]])], _float32([1.0, 2.0, 0.5]),
        _float32([0.0, 1.0, 1.0]), [_int64([10, 11, 12])], [_float32([0.1, -0.2, 0.0])],
        [_float32([0.3, 0.0, -0.1])], np.zeros((state, 4), np.float32), loss_type=loss, l1=l1, l2=1.0,
        num_loss_partitions=1, num_inner_iterations=1,
    )


sdca_optimizer_op = _declare("SdcaOptimizer", "adaptative")
sdca_optimizer_v2_op = _declare("SdcaOptimizerV2", "adaptive")


@public("train.sdca_optimizer")
def sdca_optimizer(
    sparse_example_indices: Any,
    sparse_feature_indices: Any,
    sparse_feature_values: Any,
    dense_features: Any,
    example_weights: Any,
    example_labels: Any,
    sparse_indices: Any,
    sparse_weights: Any,
    dense_weights: Any,
    example_state_data: Any,
    loss_type: str,
    l1: float,
    l2: float,
    num_loss_partitions: int,
    num_inner_iterations: int,
    adaptative: bool = True,
    name: str | None = None,
) -> Any:
    """One pass of dual coordinate ascent over a batch of examples of a linear model with l1 and l2 regularization.

    Args:
      sparse_example_indices: for each group of sparse features, vectors of example numbers, ...
      sparse_feature_indices: ... and of the ids of the features that these examples have.
      sparse_feature_values: their values, for the first groups; those of further groups are 1.
      dense_features: matrices of shape [examples, features].
      example_weights: a vector.
      example_labels: a vector; 0 or 1 for logistic and hinge losses.
      sparse_indices: for each group, the ids that have weights.
      sparse_weights: their weights.
      dense_weights: weights of the dense features.
      example_state_data: of shape [examples, 4]; zeros at first, then what the last pass returned.
      loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or "poisson_loss".
      l1: strength of l1.
      l2: strength of l2, positive.
      num_loss_partitions: number of batches that are worked on at once elsewhere.
      num_inner_iterations: accepted for compatibility; every run makes one pass, as the original's.
      adaptative: whether examples are drawn at random, those more often that promise the larger steps; a pass may then
        leave some out and take others twice. Otherwise each is taken once, in their order.
      name: name of the operation.

    Returns:
      The new state, and the lists of changes of sparse and of dense weights.
    """
    return sdca_optimizer_op(
        sparse_example_indices,
        sparse_feature_indices,
        sparse_feature_values,
        dense_features,
        example_weights,
        example_labels,
        sparse_indices,
        sparse_weights,
        dense_weights,
        example_state_data,
        loss_type=loss_type,
        l1=l1,
        l2=l2,
        num_loss_partitions=num_loss_partitions,
        num_inner_iterations=num_inner_iterations,
        adaptative=adaptative,
        name=name,
    )


sdca_shrink_l1_op = op(
    "SdcaShrinkL1(weights: Ref(num_features * float))", num_features="int >= 0", l1="float", l2="float"
)
sdca_shrink_l1_op.changes("weights")


@sdca_shrink_l1_op.shape
def _(weights):
    return None


@sdca_shrink_l1_op.kernel
def _(weights, *, l1, l2):
    shrinkage = np.float32(l1) / np.float32(l2)
    for state in weights:
        with state.lock:
            value = state.read()
            value[...] = np.sign(value) * np.maximum(np.abs(value) - shrinkage, np.float32(0))
    return ()


sdca_shrink_l1_op.not_differentiable()
sdca_shrink_l1_op.samples(
    two=sample([_float32([1.0, -2.0, 0.1]), _float32([[0.3, -0.2]])], l1=0.5, l2=2.0),
    without=sample([_float32([1.0, -2.0])], l1=0.0, l2=2.0),
    special=sample([_float32([np.nan, np.inf, -np.inf, -0.0])], l1=0.5, l2=2.0),
)


@public("train.sdca_shrink_l1")
def sdca_shrink_l1(weights: Sequence[Any], l1: float, l2: float, name: str | None = None) -> Any:
    """An operation that shrinks the reference variables `weights` towards zero by `l1 / l2`, as l1 asks for."""
    return sdca_shrink_l1_op(weights, l1=l1, l2=l2, name=name)


sdca_fprint_op = op("SdcaFprint(input: string) -> output: int64")


@sdca_fprint_op.shape
def _(input):
    return with_rank(input, 1).concatenate([2])


@sdca_fprint_op.kernel
def _(input):
    if input.ndim != 1:
        raise InvalidArgumentError(None, None, f"input must be a vector, got shape {list(input.shape)}")
    words = [fingerprint128(text) for text in input.tolist()]
    return np.array(words, np.uint64).reshape(-1, 2).view(np.int64)


sdca_fprint_op.not_differentiable()
sdca_fprint_op.samples(
    lengths=([b"", b"a", b"abcd", b"0123456789", b"x" * 40, b"y" * 200],), empty=(np.array([], object),)
)


@public("train.sdca_fprint")
def sdca_fprint(input: Any, name: str | None = None) -> Any:
    """128-bit fingerprints of a vector of strings, as rows of two int64."""
    return sdca_fprint_op(input, name=name)
