"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_io.records import TFRecordCompressionType as TFRecordCompressionType
from ossia_io.records import TFRecordOptions as TFRecordOptions
from ossia_io.records import TFRecordWriter as TFRecordWriter
from ossia_io.records import tf_record_iterator as tf_record_iterator
