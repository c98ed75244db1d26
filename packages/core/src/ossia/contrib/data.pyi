# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 Dataset as Dataset, FixedLengthRecordDataset as FixedLengthRecordDataset, Iterator as Iterator, Optional as Optional,
 TFRecordDataset as TFRecordDataset, TextLineDataset as TextLineDataset
)
from ossia_data.bucketing import bucket_by_sequence_length as bucket_by_sequence_length
from ossia_data.contrib import (
 assert_element_shape as assert_element_shape, batch_and_drop_remainder as batch_and_drop_remainder,
 padded_batch_and_drop_remainder as padded_batch_and_drop_remainder, read_batch_features as read_batch_features,
 reduce_dataset as reduce_dataset, sliding_window_batch as sliding_window_batch, sloppy_interleave as sloppy_interleave
)
from ossia_data.csv_dataset import (
 CsvDataset as CsvDataset, SqlDataset as SqlDataset, make_csv_dataset as make_csv_dataset
)
from ossia_data.devices import copy_to_device as copy_to_device, prefetch_to_device as prefetch_to_device
from ossia_data.experimental import (
 AUTOTUNE as AUTOTUNE, dense_to_sparse_batch as dense_to_sparse_batch, enumerate_dataset as enumerate_dataset,
 get_single_element as get_single_element, ignore_errors as ignore_errors, map_and_batch as map_and_batch,
 parallel_interleave as parallel_interleave, scan as scan, shuffle_and_repeat as shuffle_and_repeat, unbatch as unbatch,
 unique as unique
)
from ossia_data.feature_batches import (
 make_batched_features_dataset as make_batched_features_dataset, parse_example_dataset as parse_example_dataset
)
from ossia_data.grouping import (
 Reducer as Reducer, group_by_reducer as group_by_reducer, group_by_window as group_by_window
)
from ossia_data.iterator import get_next_as_optional as get_next_as_optional
from ossia_data.lmdb_files import LMDBDataset as LMDBDataset
from ossia_data.record_files import TFRecordWriter as TFRecordWriter
from ossia_data.resampling import rejection_resample as rejection_resample
from ossia_data.sampling import (
 Counter as Counter, RandomDataset as RandomDataset, choose_from_datasets as choose_from_datasets,
 sample_from_datasets as sample_from_datasets
)
from ossia_data.saveables import make_saveable_from_iterator as make_saveable_from_iterator
