"""Public names and ops of ossia_io. Written by `python -m ossia_core.api_table packages/io`; do not edit."""

from ossia_core.api_table import read

API, OPS = read("ossia_io", """
.base64: compat.v2.io.decode_base64 compat.v2.io.encode_base64 decode_base64 encode_base64 io.decode_base64
 io.encode_base64 +DecodeBase64 +EncodeBase64
.compressed: compat.v2.io.decode_compressed decode_compressed io.decode_compressed +DecodeCompressed
.csv: compat.v2.io.decode_csv=decode_csv_v2 decode_csv io.decode_csv +DecodeCSV
.features: FixedLenFeature FixedLenSequenceFeature SparseFeature VarLenFeature compat.v2.io.FixedLenFeature
 compat.v2.io.FixedLenSequenceFeature compat.v2.io.SparseFeature compat.v2.io.VarLenFeature io.FixedLenFeature
 io.FixedLenSequenceFeature io.SparseFeature io.VarLenFeature
.file_ops: compat.v2.io.matching_files compat.v2.io.read_file compat.v2.io.write_file io.matching_files io.read_file
 io.write_file matching_files read_file write_file +MatchingFiles +ReadFile +WriteFile
.gfile: compat.v2.io.gfile.GFile gfile.FastGFile gfile.GFile gfile.Open=GFile io.gfile.GFile
.graph_files: compat.v2.io.write_graph io.write_graph train.write_graph
.json_examples: compat.v2.io.decode_json_example decode_json_example io.decode_json_example +DecodeJSONExample
.parse_example: compat.v2.io.parse_example=parse_example_v2 compat.v2.io.parse_single_example=parse_single_example_v2
 io.parse_example io.parse_single_example parse_example parse_single_example +ParseExample +ParseSingleExample
.parse_sequence: compat.v2.io.parse_sequence_example compat.v2.io.parse_single_sequence_example
 io.parse_sequence_example io.parse_single_sequence_example parse_single_sequence_example +ParseSequenceExample
 +ParseSingleSequenceExample
.paths: compat.v2.io.gfile.copy compat.v2.io.gfile.exists compat.v2.io.gfile.glob compat.v2.io.gfile.isdir
 compat.v2.io.gfile.listdir compat.v2.io.gfile.makedirs compat.v2.io.gfile.mkdir compat.v2.io.gfile.remove
 compat.v2.io.gfile.rename compat.v2.io.gfile.rmtree compat.v2.io.gfile.stat compat.v2.io.gfile.walk gfile.Copy
 gfile.DeleteRecursively gfile.Exists gfile.Glob gfile.IsDirectory gfile.ListDirectory gfile.MakeDirs gfile.MkDir
 gfile.Remove gfile.Rename gfile.Stat gfile.Walk io.gfile.copy io.gfile.exists io.gfile.glob io.gfile.isdir
 io.gfile.listdir io.gfile.makedirs io.gfile.mkdir io.gfile.remove io.gfile.rename io.gfile.rmtree io.gfile.stat
 io.gfile.walk
.proto_fields: compat.v2.io.decode_proto compat.v2.io.encode_proto io.decode_proto io.encode_proto +DecodeProtoV2
 +EncodeProto
.raw: compat.v2.io.decode_raw=decode_raw_v2 decode_raw io.decode_raw +DecodePaddedRaw +DecodeRaw
.records: compat.v2.io.TFRecordOptions compat.v2.io.TFRecordWriter io.TFRecordCompressionType io.TFRecordOptions
 io.TFRecordWriter io.tf_record_iterator python_io.TFRecordCompressionType python_io.TFRecordOptions
 python_io.TFRecordWriter python_io.tf_record_iterator
.sparse: compat.v2.io.deserialize_many_sparse compat.v2.io.serialize_many_sparse=serialize_many_sparse_v2
 compat.v2.io.serialize_sparse=serialize_sparse_v2 deserialize_many_sparse io.deserialize_many_sparse
 io.serialize_many_sparse io.serialize_sparse serialize_many_sparse serialize_sparse +DeserializeManySparse
 +DeserializeSparse +SerializeManySparse +SerializeSparse
.tensors: compat.v2.io.parse_tensor compat.v2.io.serialize_tensor io.parse_tensor io.serialize_tensor parse_tensor
 serialize_tensor +ParseTensor +SerializeTensor
.wav: audio.decode_wav audio.encode_wav compat.v2.audio.decode_wav compat.v2.audio.encode_wav +DecodeWav +EncodeWav
""")
