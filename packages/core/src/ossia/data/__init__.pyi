# Written by tools/api_stubs.py; do not edit.
from . import experimental as experimental
from ossia_data.dataset import Dataset as Dataset
from ossia_data.iterator import (
 Iterator as Iterator, get_output_classes as get_output_classes, get_output_shapes as get_output_shapes,
 get_output_types as get_output_types, make_initializable_iterator as make_initializable_iterator,
 make_one_shot_iterator as make_one_shot_iterator
)
from ossia_data.options import Options as Options
from ossia_data.readers import (
 FixedLengthRecordDataset as FixedLengthRecordDataset, TFRecordDataset as TFRecordDataset,
 TextLineDataset as TextLineDataset
)
from ossia_data.specs import DatasetSpec as DatasetSpec
