# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.io import (
 TFRecordCompressionType as TFRecordCompressionType, TFRecordOptions as TFRecordOptions,
 TFRecordWriter as TFRecordWriter, tf_record_iterator as tf_record_iterator
)
