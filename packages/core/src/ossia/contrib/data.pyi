# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.data import (
 batch_and_drop_remainder as batch_and_drop_remainder,
 padded_batch_and_drop_remainder as padded_batch_and_drop_remainder, reduce_dataset as reduce_dataset,
 sliding_window_batch as sliding_window_batch, sloppy_interleave as sloppy_interleave
)
from ossia_contrib.older_names import (
 AUTOTUNE as AUTOTUNE, Counter as Counter, Dataset as Dataset, FixedLengthRecordDataset as FixedLengthRecordDataset,
 Iterator as Iterator, Optional as Optional, RandomDataset as RandomDataset, TFRecordDataset as TFRecordDataset,
 TextLineDataset as TextLineDataset, bucket_by_sequence_length as bucket_by_sequence_length,
 choose_from_datasets as choose_from_datasets, enumerate_dataset as enumerate_dataset,
 get_next_as_optional as get_next_as_optional, get_single_element as get_single_element,
 group_by_window as group_by_window, ignore_errors as ignore_errors, map_and_batch as map_and_batch,
 parallel_interleave as parallel_interleave, sample_from_datasets as sample_from_datasets, scan as scan,
 shuffle_and_repeat as shuffle_and_repeat, unbatch as unbatch, unique as unique
)
