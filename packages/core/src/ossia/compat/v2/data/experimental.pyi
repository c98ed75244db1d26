# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.data import (
 AUTOTUNE as AUTOTUNE, Reducer as Reducer, TFRecordWriter as TFRecordWriter,
 bucket_by_sequence_length as bucket_by_sequence_length, choose_from_datasets as choose_from_datasets,
 copy_to_device as copy_to_device, dense_to_sparse_batch as dense_to_sparse_batch,
 enumerate_dataset as enumerate_dataset, get_next_as_optional as get_next_as_optional,
 get_single_element as get_single_element, group_by_reducer as group_by_reducer, group_by_window as group_by_window,
 ignore_errors as ignore_errors, make_batched_features_dataset as make_batched_features_dataset,
 make_csv_dataset as make_csv_dataset, make_saveable_from_iterator as make_saveable_from_iterator,
 map_and_batch as map_and_batch, parallel_interleave as parallel_interleave,
 parse_example_dataset as parse_example_dataset, prefetch_to_device as prefetch_to_device,
 rejection_resample as rejection_resample, sample_from_datasets as sample_from_datasets, scan as scan,
 shuffle_and_repeat as shuffle_and_repeat, unbatch as unbatch, unique as unique
)
from ossia.data.experimental import (
 DistributeOptions as DistributeOptions, INFINITE_CARDINALITY as INFINITE_CARDINALITY,
 MapVectorizationOptions as MapVectorizationOptions, OptimizationOptions as OptimizationOptions, Optional as Optional,
 StatsOptions as StatsOptions, ThreadingOptions as ThreadingOptions, UNKNOWN_CARDINALITY as UNKNOWN_CARDINALITY,
 bytes_produced_stats as bytes_produced_stats, cardinality as cardinality, from_variant as from_variant,
 get_structure as get_structure, latency_stats as latency_stats, take_while as take_while, to_variant as to_variant
)
from ossia_data.csv_dataset import CsvDatasetV2 as _CsvDataset, SqlDatasetV2 as _SqlDataset
from ossia_data.sampling import CounterV2 as _Counter, RandomDatasetV2 as _RandomDataset
from ossia_data.statistics import StatsAggregatorV2 as _StatsAggregator
Counter = _Counter
CsvDataset = _CsvDataset
RandomDataset = _RandomDataset
SqlDataset = _SqlDataset
StatsAggregator = _StatsAggregator
