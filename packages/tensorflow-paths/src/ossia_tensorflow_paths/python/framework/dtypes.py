"""`framework.dtypes`: the tables of element types."""

from __future__ import annotations

import ossia as tf
from ossia_core import proto

_TYPE_TO_STRING = {number: tf.as_dtype(number).name for number in proto.DataType.values() if number}
_STRING_TO_TF = {name: tf.as_dtype(number) for number, name in _TYPE_TO_STRING.items()}
_INTERN_TABLE = {dtype.as_datatype_enum: dtype for dtype in _STRING_TO_TF.values()}
TF_VALUE_DTYPES = {dtype for number, dtype in _INTERN_TABLE.items() if number < 100}
half_ref = tf.as_dtype("half_ref")
double_ref = tf.as_dtype("double_ref")
