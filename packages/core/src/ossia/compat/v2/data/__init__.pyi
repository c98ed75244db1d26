# Written by ossia_core.plugins.api_stubs; do not edit.
from . import experimental as experimental
from ossia.data import (
 DatasetSpec as DatasetSpec, FixedLengthRecordDataset as FixedLengthRecordDataset, Options as Options,
 TFRecordDataset as TFRecordDataset, TextLineDataset as TextLineDataset
)
