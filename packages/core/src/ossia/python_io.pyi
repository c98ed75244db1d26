# Written by tools/api_stubs.py; do not edit.
from ossia.io import (
 TFRecordCompressionType as TFRecordCompressionType, TFRecordOptions as TFRecordOptions,
 TFRecordWriter as TFRecordWriter, tf_record_iterator as tf_record_iterator
)
