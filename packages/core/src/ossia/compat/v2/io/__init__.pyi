# Written by tools/api_stubs.py; do not edit.
from . import gfile as gfile
from ossia.image import (
 decode_and_crop_jpeg as decode_and_crop_jpeg, decode_bmp as decode_bmp, decode_gif as decode_gif,
 decode_image as decode_image, decode_jpeg as decode_jpeg, decode_png as decode_png, encode_jpeg as encode_jpeg,
 encode_png as encode_png, extract_jpeg_shape as extract_jpeg_shape, is_jpeg as is_jpeg
)
from ossia.io import (
 FixedLenFeature as FixedLenFeature, FixedLenSequenceFeature as FixedLenSequenceFeature, SparseFeature as SparseFeature,
 TFRecordOptions as TFRecordOptions, TFRecordWriter as TFRecordWriter, VarLenFeature as VarLenFeature,
 decode_base64 as decode_base64, decode_compressed as decode_compressed, decode_json_example as decode_json_example,
 decode_proto as decode_proto, deserialize_many_sparse as deserialize_many_sparse, encode_base64 as encode_base64,
 encode_proto as encode_proto, match_filenames_once as match_filenames_once, matching_files as matching_files,
 parse_sequence_example as parse_sequence_example, parse_single_sequence_example as parse_single_sequence_example,
 parse_tensor as parse_tensor, read_file as read_file, serialize_tensor as serialize_tensor, write_file as write_file,
 write_graph as write_graph
)
from ossia_parsing.csv import decode_csv_v2 as _decode_csv
from ossia_parsing.parse_example import (
 parse_example_v2 as _parse_example, parse_single_example_v2 as _parse_single_example
)
from ossia_parsing.raw import decode_raw_v2 as _decode_raw
from ossia_parsing.sparse import (
 serialize_many_sparse_v2 as _serialize_many_sparse, serialize_sparse_v2 as _serialize_sparse
)
decode_csv = _decode_csv
decode_raw = _decode_raw
parse_example = _parse_example
parse_single_example = _parse_single_example
serialize_many_sparse = _serialize_many_sparse
serialize_sparse = _serialize_sparse
