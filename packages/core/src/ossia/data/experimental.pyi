# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.data import (
 AUTOTUNE as AUTOTUNE, Counter as Counter, CsvDataset as CsvDataset, RandomDataset as RandomDataset, Reducer as Reducer,
 SqlDataset as SqlDataset, TFRecordWriter as TFRecordWriter, bucket_by_sequence_length as bucket_by_sequence_length,
 choose_from_datasets as choose_from_datasets, copy_to_device as copy_to_device,
 dense_to_sparse_batch as dense_to_sparse_batch, enumerate_dataset as enumerate_dataset,
 get_next_as_optional as get_next_as_optional, get_single_element as get_single_element,
 group_by_reducer as group_by_reducer, group_by_window as group_by_window, ignore_errors as ignore_errors,
 make_batched_features_dataset as make_batched_features_dataset, make_csv_dataset as make_csv_dataset,
 make_saveable_from_iterator as make_saveable_from_iterator, map_and_batch as map_and_batch,
 parallel_interleave as parallel_interleave, parse_example_dataset as parse_example_dataset,
 prefetch_to_device as prefetch_to_device, rejection_resample as rejection_resample,
 sample_from_datasets as sample_from_datasets, scan as scan, shuffle_and_repeat as shuffle_and_repeat,
 unbatch as unbatch, unique as unique
)
from ossia_core.graph.type_spec import TypeSpec as _Structure
from ossia_data.experimental import (
 INFINITE_CARDINALITY as INFINITE_CARDINALITY, UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY, cardinality as cardinality,
 from_variant as from_variant, map_and_batch as _map_and_batch_with_legacy_function, take_while as take_while,
 to_variant as to_variant
)
from ossia_data.iterator import get_structure as get_structure
from ossia_data.options import (
 DistributeOptions as DistributeOptions, MapVectorizationOptions as MapVectorizationOptions,
 OptimizationOptions as OptimizationOptions, StatsOptions as StatsOptions, ThreadingOptions as ThreadingOptions
)
from ossia_data.specs import (
 DatasetSpec as _DatasetStructure, RaggedTensorStructure as RaggedTensorStructure,
 SparseTensorStructure as SparseTensorStructure, TensorArrayStructure as TensorArrayStructure,
 TensorStructure as TensorStructure
)
from ossia_data.statistics import (
 StatsAggregator as StatsAggregator, bytes_produced_stats as bytes_produced_stats, latency_stats as latency_stats
)
from ossia_functions.optional_values import Optional as Optional, OptionalSpec as _OptionalStructure
DatasetStructure = _DatasetStructure
OptionalStructure = _OptionalStructure
Structure = _Structure
map_and_batch_with_legacy_function = _map_and_batch_with_legacy_function
