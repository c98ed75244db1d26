"""Datasets made of choices among others, and random numbers: `sample_from_datasets`, `rejection_resample`."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.opdef import lookup
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import Dataset, DatasetV2
from ossia_data.experimental import scan
from ossia_data.seeds import seed_tensors
from ossia_ops.array.shape import expand_dims, squeeze
from ossia_ops.math.exponential import log


@public("compat.v2.data.experimental.RandomDataset")
class RandomDatasetV2(DatasetV2):
    """Random int64 numbers below 2**32, without end.

    Args:
        seed: Seed of the numbers.
    """

    def __init__(self, seed: Any = None) -> None:
        spec = TensorSpec([], dtypes.int64)
        super().__init__(lookup("RandomDataset")(*seed_tensors(seed), **structure.outputs(spec)), spec)


@public("data.experimental.RandomDataset")
class RandomDataset(Dataset, RandomDatasetV2):
    """See `RandomDatasetV2`; with the methods of 1.x."""


@public("compat.v2.data.experimental.Counter")
def CounterV2(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    """Numbers without end: `start`, `start + step` and so on."""
    return _counter(DatasetV2, start, step, dtype)


@public("data.experimental.Counter")
def Counter(start: Any = 0, step: Any = 1, dtype: Any = dtypes.int64) -> Any:
    """Numbers without end: `start`, `start + step` and so on."""
    return _counter(Dataset, start, step, dtype)


def _counter(family: Any, start: Any, step: Any, dtype: Any) -> Any:
    with name_scope("counter"):
        first = convert_to_tensor(start, dtypes.as_dtype(dtype), name="start")
        by = convert_to_tensor(step, dtypes.as_dtype(dtype), name="step")
        return family.from_tensors(0).repeat(None).apply(scan(first, lambda state, _: (state + by, state)))


def _directed(selector: Any, datasets: list[Any]) -> Any:
    spec = datasets[0].element_spec
    for number, other in enumerate(datasets[1:], 1):
        for what in ("types", "classes"):
            told = getattr(structure, f"legacy_{what}")
            if told(other.element_spec) != told(datasets[0].element_spec):
                raise TypeError(
                    f"When combining datasets, all input datasets must have the same {what}: dataset {number} has "
                    f"{told(other.element_spec)}, the first one {told(datasets[0].element_spec)}."
                )
        spec = structure.most_specific(spec, other.element_spec)
    made = lookup("DirectedInterleaveDataset")(
        selector._variant_tensor, [d._variant_tensor for d in datasets], **structure.outputs(spec)
    )
    options = datasets[0].options()
    for other in datasets[1:]:
        options = options.merge(other.options())
    return datasets[0]._like(made, spec, options)


@public("data.experimental.sample_from_datasets", "compat.v2.data.experimental.sample_from_datasets")
def sample_from_datasets(datasets: list[Any], weights: Any = None, seed: Any = None) -> Any:
    """Elements of several datasets, each of a dataset chosen at random.

    Args:
        datasets: The datasets.
        weights: How likely each one is: a vector, or a dataset of such; equally likely ones if None.
        seed: Seed of the choices.

    Raises:
        ValueError: There are fewer or more weights than datasets.
        TypeError: The datasets differ in dtypes.
    """
    if isinstance(weights, DatasetV2):
        logits_dataset = weights.map(lambda *p: log(p, name="logits"))

        def select_dataset_varying_logits(logits: Tensor, numbers: Tensor) -> Tensor:
            return squeeze(lookup("StatelessMultinomial")(logits, 1, numbers), axis=[0, 1])

        numbers = RandomDatasetV2(seed).batch(2)
        selector = datasets[0]._family.zip((logits_dataset, numbers)).map(select_dataset_varying_logits)
        return _directed(selector, list(datasets))
    if weights is None:
        logits: Any = [[1.0] * len(datasets)]
    else:
        given = convert_to_tensor(weights, name="weights")
        if given.shape.ndims not in (None, 1) or given.shape.as_list() not in ([None], [len(datasets)]):
            raise ValueError("`weights` must be a vector of length `len(datasets)`.")
        logits = expand_dims(log(given, name="logits"), 0)
    if len(datasets) == 1:
        return datasets[0]

    def select_dataset_constant_logits(numbers: Any) -> Any:
        return squeeze(lookup("StatelessMultinomial")(logits, 1, numbers), axis=[0, 1])

    return _directed(RandomDataset(seed).batch(2).map(select_dataset_constant_logits), list(datasets))


@public("data.experimental.choose_from_datasets", "compat.v2.data.experimental.choose_from_datasets")
def choose_from_datasets(datasets: list[Any], choice_dataset: Any) -> Any:
    """Elements of several datasets, each of the dataset whose number another one gives.

    Raises:
        TypeError: The choices are no int64 scalars, or the datasets differ in dtypes.
    """
    if choice_dataset.element_spec != TensorSpec([], dtypes.int64):
        raise TypeError("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.")
    return _directed(choice_dataset, list(datasets))
