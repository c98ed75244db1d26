"""How many changes turn one sequence into another."""
from __future__ import annotations

from collections import defaultdict
from typing import Any, NoReturn

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import constant as constant_value
from ossia_core.graph.composites import SparseTensor, SparseTensorValue
from ossia_core.graph.tensor import Tensor
from ossia_core.names import sizes
from ossia_core.names.errors import InvalidArgumentError, dims_text
from ossia_core.plugins.api_table import public
from ossia_ops.array.sets import sparse_rank

_FILLED = 8  # times the work that sequences of one length may take, beside their own lengths

edit_distance_op = op("EditDistance(hypothesis_indices: int64, hypothesis_values: T, hypothesis_shape: int64, "
                      "truth_indices: int64, truth_values: T, truth_shape: int64) -> output: float",
                      normalize="bool = true", T="type")


@edit_distance_op.shape
def _(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape):
    sparse_rank(hypothesis_indices, hypothesis_values, hypothesis_shape)
    sparse_rank(truth_indices, truth_values, truth_shape)
    first, second = constant_value(hypothesis_shape), constant_value(truth_shape)
    if first is None or second is None:
        return None
    if first.shape != second.shape:
        raise ValueError(
            f"Num elements of hypothesis_shape does not match truth_shape: {first.size} vs. {second.size}"
        )
    return tuple(np.maximum(first, second)[:-1].tolist())


def _sequences(indices: Any, values: Any) -> dict[tuple, list]:
    """The values in order, by all of their indices but the last."""
    found: dict[tuple, list] = defaultdict(list)
    for index, value in zip(indices.tolist(), values.tolist()):
        found[tuple(index[:-1])].append(value)
    return found


def levenshtein(a: list, b: list) -> int:
    """The least number of insertions, deletions and substitutions that turn `a` into `b`."""
    # A column of the table at a time, as the bits of two numbers: where it rises and where it falls by one from row to
    # row (Myers 1999).
    if not a:
        return len(b)
    at: dict[Any, int] = {}
    for i, x in enumerate(a):
        if x == x:  # not a number is different from itself
            at[x] = at.get(x, 0) | 1 << i
    full, last, distance = (1 << len(a)) - 1, 1 << len(a) - 1, len(a)
    up, down = full, 0
    for y in b:
        equal = at.get(y, 0) if y == y else 0
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        rises = down | full & ~(horizontal | up)
        falls = up & horizontal
        distance += bool(rises & last) - bool(falls & last)
        rises = rises << 1 | 1
        up = (falls << 1 | ~(vertical | rises)) & full
        down = rises & vertical & full
    return distance


def _distances(pairs: list[tuple[list, list]]) -> list[int]:
    """The distances of pairs of sequences: of all together, unless filling them up to one length costs too much."""
    firsts, seconds = np.array([len(a) for a, _ in pairs]), np.array([len(b) for _, b in pairs])
    filled = int(firsts.max(initial=0)) * len(pairs) * (int(seconds.max(initial=0)) + 1)
    if len(pairs) < 2 or filled > _FILLED * (int(firsts @ seconds) + len(pairs)):
        return [levenshtein(a, b) for a, b in pairs]
    numbers: dict[Any, int] = {}
    a = np.full((int(firsts.max()), len(pairs), 1), -1, np.int64)
    b = np.full((len(pairs), int(seconds.max())), -2, np.int64)
    for i, (first, second) in enumerate(pairs):
        # Not a number is different from itself.
        a[: len(first), i, 0] = [numbers.setdefault(x, len(numbers)) if x == x else -1 for x in first]
        b[i, : len(second)] = [numbers.setdefault(x, len(numbers)) if x == x else -2 for x in second]
    steps = np.arange(b.shape[1] + 1)
    previous = np.repeat(steps[None], len(pairs), 0)
    found = np.where(firsts == 0, seconds, 0)
    for i, row in enumerate(a, 1):
        current = previous + 1
        np.minimum(current[:, 1:], previous[:, :-1] + (row != b), out=current[:, 1:])
        current -= steps  # an insertion adds one a step
        np.minimum.accumulate(current, axis=1, out=current)
        current += steps
        ended = np.flatnonzero(firsts == i)
        found[ended] = current[ended, seconds[ended]]
        previous = current
    return found.tolist()


def _check_parts(sides: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]) -> None:
    """Check that indices, values and shapes fit each other."""
    wanted = (("indices", "matrix", 2), ("values", "vector", 1), ("shape", "vector", 1))
    for part, (what, kind, rank) in enumerate(wanted):
        for side, arrays in sides.items():
            dims = arrays[part].shape
            if len(dims) != rank:
                _refuse(f"{side}_{what} should be a {kind}, but got shape: {dims_text(dims)}")
    for side, (indices, _, shape) in sides.items():
        if len(shape) != indices.shape[1]:
            _refuse(
                f"Expected {side}_shape.NumElements == #cols({side}_indices), their shapes are: "
                f"{dims_text(shape.shape)} and {dims_text(indices.shape)}"
            )
    for indices, values, _ in sides.values():
        if len(indices) != len(values):
            _refuse(
                f"indices and values rows (indexing dimension) must match. (indices = {len(indices)}, values = "
                f"{len(values)})"
            )


def _refuse(text: str) -> NoReturn:
    raise InvalidArgumentError(None, None, text)


@edit_distance_op.kernel
def _(hypothesis_indices, hypothesis_values, hypothesis_shape, truth_indices, truth_values, truth_shape, *, normalize):
    hypothesis = hypothesis_indices, hypothesis_values, hypothesis_shape
    _check_parts({"hypothesis": hypothesis, "truth": (truth_indices, truth_values, truth_shape)})
    if hypothesis_shape.shape != truth_shape.shape:
        raise InvalidArgumentError(
            None,
            None,
            f"Expected hypothesis_shape and truth_shape to have the same length, got "
            f"{dims_text(hypothesis_shape)} and {dims_text(truth_shape)}",
        )
    if len(truth_shape) < 2:
        raise InvalidArgumentError(
            None, None, f"Input SparseTensors must have rank at least 2, but truth_shape rank is: {len(truth_shape)}"
        )
    dims = np.maximum(hypothesis_shape, truth_shape)[:-1].tolist()
    sizes.allocatable(dims, 4)
    result = np.zeros(dims, np.float32)
    hypotheses = _sequences(hypothesis_indices, hypothesis_values)
    truths = _sequences(truth_indices, truth_values)
    places = list({**hypotheses, **truths})
    for place in places:
        if any(not 0 <= p < d for p, d in zip(place, dims)):
            raise InvalidArgumentError(None, None, f"Got inner indices {place} out of the bounds {dims}")
    pairs = [(hypotheses.get(place, []), truths.get(place, [])) for place in places]
    for place, (_, truth), distance in zip(places, pairs, _distances(pairs), strict=True):
        if normalize:
            result[place] = distance / len(truth) if truth else np.inf
        else:
            result[place] = distance
    return result


edit_distance_op.not_differentiable()
edit_distance_op.samples(batch=sample([[0, 0], [0, 1], [1, 0], [3, 0], [3, 1]], [1, 2, 3, 4, 5], [4, 2],
                                      [[0, 0], [1, 0], [1, 1], [2, 0], [3, 1]], [2, 3, 1, 4, 5], [4, 2]),
                         nan=sample([[0, 0], [1, 0]], [np.nan, 1.0], [2, 1], [[0, 0], [1, 0]], [np.nan, 1.0], [2, 1]),
                         plain=sample([[0, 0], [0, 1]], ["a", "b"], [1, 2], [[0, 0]], ["a"], [1, 1]))


@public("edit_distance")
def edit_distance(hypothesis: Any, truth: Any, normalize: bool = True, name: str = "edit_distance") -> Tensor:
    """The Levenshtein distances between sequences.

    Args:
      hypothesis: a SparseTensor with sequences along its last dimension.
      truth: a SparseTensor of the same rank.
      normalize: divide by the length of the true sequence.
      name: name of the result.

    Returns:
      A float32 tensor with the leading dimensions of the inputs.

    Raises:
      TypeError: an input is not a SparseTensor.
    """
    for value, what in ((hypothesis, "Hypothesis"), (truth, "Truth")):
        if not isinstance(value, (SparseTensor, SparseTensorValue)):
            raise TypeError(f"{what} must be a SparseTensor.")
    first, second = (v if isinstance(v, SparseTensor) else SparseTensor.from_value(v) for v in (hypothesis, truth))
    return edit_distance_op(
        first.indices,
        first.values,
        first.dense_shape,
        second.indices,
        second.values,
        second.dense_shape,
        normalize=normalize,
        name=name,
    )
