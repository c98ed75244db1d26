"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_io.records import (
 TFRecordCompressionType as TFRecordCompressionType, TFRecordOptions as TFRecordOptions,
 TFRecordWriter as TFRecordWriter, tf_record_iterator as tf_record_iterator
)
