"""`rejection_resample`: elements chosen at random so that their classes have a wanted distribution."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ossia_core.declare.builders import builder
from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.static_value import get_static_value
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data.experimental import Transformation, scan
from ossia_data.sampling import sample_from_datasets

_SEEN = 10  # elements of each class that count as seen before the first one
_AT_ONCE = 32
_REJECTED = 0.5  # a message tells if a larger part is rejected


@public("data.experimental.rejection_resample", "compat.v2.data.experimental.rejection_resample")
def rejection_resample(
    class_func: Callable, target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """Pairs of a class and an element, some left out so that the classes are distributed as wanted.

    An element of class `c` is kept with a probability that is proportional to `target[c] / initial[c]`; elements are
    mixed in without that as often as this gives the same distribution with fewer rejections.

    Args:
        class_func: Takes an element, returns its class, an int32 scalar.
        target_dist: The wanted probability of each class.
        initial_dist: That of the elements; estimated from them if None.
        seed: Seed of the choices.
    """
    def apply(dataset: Any) -> Any:
        target = convert_to_tensor(target_dist, name="target_dist")
        classes = dataset.map(class_func)
        plain = None
        if initial_dist is not None:
            initial = convert_to_tensor(initial_dist, name="initial_dist")
            acceptance, original = _rates(initial, target)
            plain = get_static_value(original)
            family = dataset._family
            initials = family.from_tensors(initial).repeat()
            acceptances = family.from_tensors(acceptance).repeat()
            originals = family.from_tensors(original).repeat()
        else:
            initials = _estimated(target, classes)
            rates = initials.map(lambda initial: _rates(initial, target))
            acceptances = rates.map(lambda acceptance, original: acceptance)
            originals = rates.map(lambda acceptance, original: original)
        kept = _kept(dataset, acceptances, initials, classes, seed).prefetch(3)
        if plain == 0:
            return kept
        pairs = dataset._family.zip((classes, dataset))
        if plain == 1:
            return pairs
        weights = originals.map(lambda part: [(part, 1.0 - part)])
        return sample_from_datasets([pairs, kept], weights=weights, seed=seed)

    return apply


def _rates(initial: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """How likely an element of each class is kept, and how many need not be asked for it."""
    reduce_max, reduce_min = builder("math.reduce_max"), builder("math.reduce_min")
    ratios = target / (initial + np.finfo(initial.dtype.as_numpy_dtype).tiny)
    largest, smallest = reduce_max(ratios), reduce_min(ratios)
    return (ratios - smallest) / (largest - smallest), smallest


def _kept(dataset: Any, acceptances: Any, initials: Any, classes: Any, seed: Any) -> Any:
    reduce_sum, cond, printed = builder("math.reduce_sum"), builder("cond"), builder("Print")
    random_uniform, gather = builder("random.uniform"), builder("gather")

    def maybe_warn_on_large_rejection(acceptance: Tensor, initial: Tensor) -> Tensor:
        rejected = reduce_sum((1 - acceptance) * initial)
        return cond(
            rejected < _REJECTED, lambda: acceptance,
            lambda: printed(
                acceptance, [rejected, initial, acceptance],
                message="Proportion of examples rejected by sampler is high: ", summarize=100, first_n=10,
            ),
        )

    def _gather_and_copy(kind: Tensor, acceptance: Tensor, element: Any) -> Any:
        return kind, gather(acceptance, kind), element

    zipped = dataset._family.zip
    checked = zipped((acceptances, initials)).map(maybe_warn_on_large_rejection)
    chances = zipped((classes, checked, dataset)).map(_gather_and_copy)
    chosen = chances.filter(lambda kind, chance, element: random_uniform([], seed=seed) < chance)
    return chosen.map(lambda kind, chance, element: (kind, element))


def _estimated(target: Tensor, classes: Any) -> Any:
    """The distribution of the classes so far, once for each element."""
    ones, tile, expand = builder("one_hot"), builder("tile"), builder("expand_dims")
    reduce_sum, cast = builder("math.reduce_sum"), builder("cast")
    count = (target.shape.as_list() or [None])[0]
    if count is None:
        count = builder("shape")(target)[0]
    seen = builder("fill")([count], np.int64(_SEEN))

    def update_estimate_and_tile(seen: Tensor, kinds: Tensor) -> tuple[Tensor, Tensor]:
        counts = reduce_sum(ones(kinds, count, dtype=dtypes.int64), 0)
        together = lookup("Add")(seen, counts)
        share = cast(together / reduce_sum(together), dtypes.float32)
        return together, tile(expand(share, 0), [_AT_ONCE, 1])

    return classes.batch(_AT_ONCE).apply(scan(seen, update_estimate_and_tile)).unbatch()
