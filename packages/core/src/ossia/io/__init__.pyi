# Written by tools/api_stubs.py; do not edit.
from . import gfile as gfile
from ossia.image import (
 decode_and_crop_jpeg as decode_and_crop_jpeg, decode_bmp as decode_bmp, decode_gif as decode_gif,
 decode_image as decode_image, decode_jpeg as decode_jpeg, decode_png as decode_png, encode_jpeg as encode_jpeg,
 encode_png as encode_png, extract_jpeg_shape as extract_jpeg_shape, is_jpeg as is_jpeg
)
from ossia_io.file_ops import matching_files as matching_files, read_file as read_file, write_file as write_file
from ossia_io.graph_files import write_graph as write_graph
from ossia_io.records import (
 TFRecordCompressionType as TFRecordCompressionType, TFRecordOptions as TFRecordOptions,
 TFRecordWriter as TFRecordWriter, tf_record_iterator as tf_record_iterator
)
from ossia_io.tensors import parse_tensor as parse_tensor, serialize_tensor as serialize_tensor
from ossia_parsing.base64 import decode_base64 as decode_base64, encode_base64 as encode_base64
from ossia_parsing.compressed import decode_compressed as decode_compressed
from ossia_parsing.csv import decode_csv as decode_csv
from ossia_parsing.features import (
 FixedLenFeature as FixedLenFeature, FixedLenSequenceFeature as FixedLenSequenceFeature, SparseFeature as SparseFeature,
 VarLenFeature as VarLenFeature
)
from ossia_parsing.json_examples import decode_json_example as decode_json_example
from ossia_parsing.parse_example import parse_example as parse_example, parse_single_example as parse_single_example
from ossia_parsing.parse_sequence import (
 parse_sequence_example as parse_sequence_example, parse_single_sequence_example as parse_single_sequence_example
)
from ossia_parsing.proto_fields import decode_proto as decode_proto, encode_proto as encode_proto
from ossia_parsing.raw import decode_raw as decode_raw
from ossia_parsing.sparse import (
 deserialize_many_sparse as deserialize_many_sparse, serialize_many_sparse as serialize_many_sparse,
 serialize_sparse as serialize_sparse
)
from ossia_queues.padding import PaddingFIFOQueue as PaddingFIFOQueue
from ossia_queues.priority import PriorityQueue as PriorityQueue
from ossia_queues.producers import match_filenames_once as match_filenames_once
from ossia_queues.queue_base import QueueBase as QueueBase
from ossia_queues.shuffle import RandomShuffleQueue as RandomShuffleQueue
