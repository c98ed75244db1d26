"""Connectionist temporal classification of arrays: sums over alignments, and searches for the best labelling."""
from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np


def loss_and_gradient(
    inputs: np.ndarray, labels: Sequence[Sequence[int]], lengths: np.ndarray, merge: bool
) -> tuple[np.ndarray, np.ndarray]:
    """How unlikely each labelling is, and how that changes with the logits.

    Args:
      inputs: Logits, [time, batch, classes]; the last class is the blank.
      labels: The labels of each example, without blanks.
      lengths: How many frames each example has.
      merge: Whether a label may last for several frames.

    Returns:
      Minus the log probability of each example's labels, [batch], and the gradient of these, shaped as `inputs`.
    """
    times, batch, classes = inputs.shape
    with np.errstate(under="ignore", invalid="ignore"):
        y = np.exp(inputs - inputs.max(2, keepdims=True))
        y /= y.sum(2, keepdims=True)
        y[y < np.finfo(y.dtype).tiny] = 0  # the original flushes them, and then has no path where there is hardly one
    states = 2 * max(len(row) for row in labels) + 1
    path = np.full((batch, states), classes - 1)
    for row, example in zip(path, labels):
        row[1:2 * len(example):2] = example
    counts = np.array([2 * len(example) + 1 for example in labels])
    is_label = path != classes - 1
    skips = is_label[:, 2:].copy()
    if merge:
        skips &= path[:, 2:] != path[:, :-2]
    stay_cost, skip_cost = _cost(~is_label | merge), _cost(skips)
    frames = np.arange(times)[:, None] < lengths
    place = np.arange(states)
    with np.errstate(divide="ignore", invalid="ignore", under="ignore"):
        emitted = np.log(np.take_along_axis(y, path[None], 2).astype(np.float64))
        emitted[:, place >= counts[:, None]] = -np.inf
        alpha = np.full((times, batch, states), -np.inf)
        alpha[0, :, :2] = emitted[0, :, :2]
        for t in range(1, times):
            before = alpha[t - 1]
            reached = before + stay_cost
            reached[:, 1:] = np.logaddexp(reached[:, 1:], before[:, :-1])
            reached[:, 2:] = np.logaddexp(reached[:, 2:], before[:, :-2] + skip_cost)
            np.add(reached, emitted[t], out=alpha[t])
        ending = _cost((place >= counts[:, None] - 2) & (place < counts[:, None]))
        beta = np.empty((times, batch, states))
        beta[-1] = ending
        for t in range(times - 2, -1, -1):
            ahead = beta[t + 1] + emitted[t + 1]
            reached = ahead + stay_cost
            reached[:, :-1] = np.logaddexp(reached[:, :-1], ahead[:, 1:])
            reached[:, :-2] = np.logaddexp(reached[:, :-2], ahead[:, 2:] + skip_cost)
            beta[t] = np.where((t + 1 < lengths)[:, None], reached, ending)
        through = alpha + beta
        total = np.logaddexp.reduce(through[0], 1)
        posterior = np.exp(through - total[:, None])
    posterior[:, np.isinf(total)] = 0.0
    gradient = y.astype(np.float64)
    examples = np.arange(batch)
    for s in range(states):
        gradient[:, examples, path[:, s]] -= posterior[:, :, s]
    gradient[:, np.isnan(total)] = np.nan
    gradient[~frames] = 0.0
    return -total.astype(inputs.dtype), gradient.astype(inputs.dtype)


def _cost(allowed: np.ndarray) -> np.ndarray:
    return np.where(allowed, 0.0, -np.inf)


def greedy(inputs: np.ndarray, lengths: np.ndarray, merge: bool) -> tuple[list[np.ndarray], np.ndarray]:
    """The most likely class of every frame, without blanks, and minus the sum of their logits.

    Args:
      inputs: Logits, [time, batch, classes]; the last class is the blank.
      lengths: How many frames each example has.
      merge: Whether equal classes of successive frames are one label.

    Returns:
      The labels of each example, and the scores, [batch, 1].
    """
    times, batch, classes = inputs.shape
    # A first class that is NaN stays the best, others never become it.
    seen = np.where(np.isnan(inputs), -np.inf, inputs)
    seen[:, :, 0][np.isnan(inputs[:, :, 0])] = np.nan
    best = seen.argmax(2)
    frames = np.arange(times)[:, None] < lengths
    kept = frames & (best != classes - 1)
    if merge:
        kept[1:] &= best[1:] != best[:-1]
    score = np.zeros(batch, inputs.dtype)
    for row in np.where(frames, seen.max(2), 0):
        score -= row
    return [best[kept[:, b], b] for b in range(batch)], score[:, None]


class Prefixes:
    """Labellings as nodes of a tree: a node's parent is the labelling without its last label. Node 0 is empty."""

    def __init__(self) -> None:
        self.parents = [-1]
        self.labels = [-1]
        self._children: dict[tuple[int, int], int] = {}

    def child(self, node: int, label: int) -> int:
        """The node of a labelling with one more label."""
        found = self._children.get((node, label))
        if found is None:
            found = self._children[node, label] = len(self.parents)
            self.parents.append(node)
            self.labels.append(label)
        return found

    def labelling(self, node: int, merge: bool) -> list[int]:
        """The labels of a node; `merge`: equal neighbours only once."""
        found: list[int] = []
        previous = -1
        while node > 0:
            label = self.labels[node]
            if not (merge and label == previous):
                found.append(label)
            previous, node = label, self.parents[node]
        return found[::-1]


def beam_search(frames: np.ndarray, width: int) -> tuple[Prefixes, list[int], np.ndarray]:
    """The most likely labellings of one example.

    Args:
      frames: Logits, [time, classes]; the last class is the blank.
      width: How many labellings to keep after every frame.

    Returns:
      The tree of labellings, the nodes that are left, best first, and their log probabilities.
    """
    tree = Prefixes()
    beam = [0]
    ends_blank, ends_label = np.zeros(1), np.full(1, -np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        shifted = frames.astype(np.float64) - frames.max(1, keepdims=True, initial=-np.inf)
        rows = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        if np.isnan(rows).any():  # nothing is more likely than anything else
            return tree, beam, np.array([np.nan])
        for row in rows:
            place = {node: i for i, node in enumerate(beam)}
            last = np.array([tree.labels[node] for node in beam])
            total = np.logaddexp(ends_blank, ends_label)
            grown = total[:, None] + row[None, :-1]
            repeats = np.flatnonzero(last >= 0)
            grown[repeats, last[repeats]] = ends_blank[repeats] + row[last[repeats]]
            label = np.where(last >= 0, ends_label + row[last], -np.inf)
            for i, node in enumerate(beam):
                parent = place.get(tree.parents[node])
                if parent is not None:
                    label[i] = np.logaddexp(label[i], grown[parent, last[i]])
                    grown[parent, last[i]] = -np.inf
            blank = total + row[-1]
            scores = np.logaddexp(blank, label)
            beam, origin, scores = _grow(tree, beam, total.tolist(), scores.tolist(), grown, width)
            is_old = origin >= 0
            ends_blank, ends_label = np.full(len(beam), -np.inf), scores
            ends_blank[is_old], ends_label[is_old] = blank[origin[is_old]], label[origin[is_old]]
        total = np.logaddexp(ends_blank, ends_label)
    order = np.argsort(-total, kind="stable")
    return tree, [beam[i] for i in order], total[order]


def _grow(
    tree: Prefixes, beam: list[int], before: list[float], scores: list[float], grown: np.ndarray, width: int
) -> tuple[list[int], np.ndarray, np.ndarray]:
    """The labellings after a frame, best first: those of `beam`, and those with one more label.

    The members of the beam are extended in their order. One that a better labelling has driven out when the turn of
    its own parent comes is not extended any more, as in the original.

    Args:
      tree: where new labellings are put.
      beam: the nodes before the frame, best first.
      before: their log probabilities before it.
      scores: their log probabilities after it.
      grown: the log probabilities of their extensions by each label, minus infinity for those in the beam.
      width: how many to keep.

    Returns:
      The nodes, where each was in `beam` (-1: it is new), and their log probabilities.
    """
    kept = [(score, -i, i, -1) for i, score in enumerate(scores) if score > -np.inf]
    heapq.heapify(kept)
    place = {node: i for i, node in enumerate(beam)}
    members: list[dict[int, int]] = [{} for _ in beam]  # by the member's parent: its last label, and the member
    for i, node in enumerate(beam):
        parent = place.get(tree.parents[node])
        if parent is not None:
            members[parent][tree.labels[node]] = i
    out: set[int] = {i for i, score in enumerate(scores) if score == -np.inf}
    dead: set[int] = set()
    best = grown.max(1, initial=-np.inf).tolist()
    count = len(beam)
    for i, row in enumerate(grown):
        least = kept[0][0] if len(kept) >= width else -np.inf
        if i in dead or before[i] <= least or not (best[i] > least or members[i]):
            continue
        labels = np.flatnonzero(row > least).tolist()
        for at in sorted([*labels, *members[i]]) if members[i] else labels:
            member = members[i].get(at)
            if member is not None:
                if member in out:
                    dead.add(member)
                continue
            score = float(row[at])
            count += 1
            if len(kept) < width:
                heapq.heappush(kept, (score, -count, i, at))
            elif score > kept[0][0]:
                dropped = heapq.heapreplace(kept, (score, -count, i, at))
                if dropped[3] < 0:
                    out.add(dropped[2])
    kept.sort(reverse=True)
    nodes = [beam[i] if at < 0 else tree.child(beam[i], at) for _, _, i, at in kept]
    origin = np.array([i if at < 0 else -1 for _, _, i, at in kept], np.intp)
    return nodes, origin, np.array([score for score, *_ in kept], np.float64)
