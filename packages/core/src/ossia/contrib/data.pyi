# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.data import (
 batch_and_drop_remainder as batch_and_drop_remainder,
 padded_batch_and_drop_remainder as padded_batch_and_drop_remainder, reduce_dataset as reduce_dataset,
 sliding_window_batch as sliding_window_batch, sloppy_interleave as sloppy_interleave
)
from ossia_contrib.older_names import (
 AUTOTUNE as AUTOTUNE, Counter as Counter, CsvDataset as CsvDataset, Dataset as Dataset,
 FixedLengthRecordDataset as FixedLengthRecordDataset, Iterator as Iterator, Optional as Optional,
 RandomDataset as RandomDataset, Reducer as Reducer, SqlDataset as SqlDataset, TFRecordDataset as TFRecordDataset,
 TFRecordWriter as TFRecordWriter, TextLineDataset as TextLineDataset,
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
