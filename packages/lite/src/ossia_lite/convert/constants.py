"""`tf.lite.constants`: names of types and formats that converters take."""

from ossia_core.names.dtypes import float16 as FLOAT16
from ossia_core.names.dtypes import float32 as FLOAT
from ossia_core.names.dtypes import int8 as INT8
from ossia_core.names.dtypes import int32 as INT32
from ossia_core.names.dtypes import int64 as INT64
from ossia_core.names.dtypes import string as STRING
from ossia_core.names.dtypes import uint8 as QUANTIZED_UINT8
from ossia_core.plugins.api_table import public_value

TFLITE = 2
GRAPHVIZ_DOT = 3

for _name in ("FLOAT", "FLOAT16", "INT8", "INT32", "INT64", "STRING", "QUANTIZED_UINT8", "TFLITE", "GRAPHVIZ_DOT"):
    public_value(f"lite.constants.{_name}", name=_name)

__all__ = ["FLOAT", "FLOAT16", "GRAPHVIZ_DOT", "INT8", "INT32", "INT64", "QUANTIZED_UINT8", "STRING", "TFLITE"]
