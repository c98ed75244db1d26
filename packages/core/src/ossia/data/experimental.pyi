# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_data.bucketing import bucket_by_sequence_length as bucket_by_sequence_length
from ossia_data.experimental import (
 AUTOTUNE as AUTOTUNE, Counter as Counter, INFINITE_CARDINALITY as INFINITE_CARDINALITY, RandomDataset as RandomDataset,
 UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY, choose_from_datasets as choose_from_datasets,
 enumerate_dataset as enumerate_dataset, get_single_element as get_single_element, group_by_window as group_by_window,
 ignore_errors as ignore_errors, map_and_batch as map_and_batch, map_and_batch as _map_and_batch_with_legacy_function,
 parallel_interleave as parallel_interleave, sample_from_datasets as sample_from_datasets, scan as scan,
 shuffle_and_repeat as shuffle_and_repeat, take_while as take_while, unbatch as unbatch, unique as unique
)
from ossia_data.iterator import get_next_as_optional as get_next_as_optional, get_structure as get_structure
from ossia_data.options import (
 DistributeOptions as DistributeOptions, MapVectorizationOptions as MapVectorizationOptions,
 OptimizationOptions as OptimizationOptions, StatsOptions as StatsOptions, ThreadingOptions as ThreadingOptions
)
from ossia_data.specs import DatasetSpec as _DatasetStructure
from ossia_functions.optional_values import Optional as Optional, OptionalSpec as _OptionalStructure
DatasetStructure = _DatasetStructure
OptionalStructure = _OptionalStructure
map_and_batch_with_legacy_function = _map_and_batch_with_legacy_function
