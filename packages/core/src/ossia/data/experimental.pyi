# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_data.bucketing import bucket_by_sequence_length as bucket_by_sequence_length
from ossia_data.csv_dataset import (
 CsvDataset as CsvDataset, SqlDataset as SqlDataset, make_csv_dataset as make_csv_dataset
)
from ossia_data.devices import copy_to_device as copy_to_device, prefetch_to_device as prefetch_to_device
from ossia_data.experimental import (
 AUTOTUNE as AUTOTUNE, INFINITE_CARDINALITY as INFINITE_CARDINALITY, SparseTensorStructure as SparseTensorStructure,
 TensorStructure as TensorStructure, UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY, cardinality as cardinality,
 dense_to_sparse_batch as dense_to_sparse_batch, enumerate_dataset as enumerate_dataset, from_variant as from_variant,
 get_single_element as get_single_element, ignore_errors as ignore_errors, map_and_batch as map_and_batch,
 map_and_batch as _map_and_batch_with_legacy_function, parallel_interleave as parallel_interleave, scan as scan,
 shuffle_and_repeat as shuffle_and_repeat, take_while as take_while, to_variant as to_variant, unbatch as unbatch,
 unique as unique
)
from ossia_data.feature_batches import (
 make_batched_features_dataset as make_batched_features_dataset, parse_example_dataset as parse_example_dataset
)
from ossia_data.grouping import (
 Reducer as Reducer, group_by_reducer as group_by_reducer, group_by_window as group_by_window
)
from ossia_data.iterator import get_next_as_optional as get_next_as_optional, get_structure as get_structure
from ossia_data.options import (
 DistributeOptions as DistributeOptions, MapVectorizationOptions as MapVectorizationOptions,
 OptimizationOptions as OptimizationOptions, StatsOptions as StatsOptions, ThreadingOptions as ThreadingOptions
)
from ossia_data.record_files import TFRecordWriter as TFRecordWriter
from ossia_data.resampling import rejection_resample as rejection_resample
from ossia_data.sampling import (
 Counter as Counter, RandomDataset as RandomDataset, choose_from_datasets as choose_from_datasets,
 sample_from_datasets as sample_from_datasets
)
from ossia_data.saveables import make_saveable_from_iterator as make_saveable_from_iterator
from ossia_data.specs import DatasetSpec as _DatasetStructure
from ossia_data.statistics import (
 StatsAggregator as StatsAggregator, bytes_produced_stats as bytes_produced_stats, latency_stats as latency_stats
)
from ossia_functions.optional_values import Optional as Optional, OptionalSpec as _OptionalStructure
DatasetStructure = _DatasetStructure
OptionalStructure = _OptionalStructure
map_and_batch_with_legacy_function = _map_and_batch_with_legacy_function
