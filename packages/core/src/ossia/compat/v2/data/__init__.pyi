# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia.data import DatasetSpec as DatasetSpec, Options as Options
from ossia_data.dataset import DatasetV2 as _Dataset
from ossia_data.readers import (
 FixedLengthRecordDatasetV2 as _FixedLengthRecordDataset, TFRecordDatasetV2 as _TFRecordDataset,
 TextLineDatasetV2 as _TextLineDataset
)
Dataset = _Dataset
FixedLengthRecordDataset = _FixedLengthRecordDataset
TFRecordDataset = _TFRecordDataset
TextLineDataset = _TextLineDataset
