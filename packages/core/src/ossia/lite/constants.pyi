# Written by tools/api_stubs.py; do not edit.
from ossia_lite.convert.constants import (
 FLOAT as FLOAT, FLOAT16 as FLOAT16, GRAPHVIZ_DOT as GRAPHVIZ_DOT, INT32 as INT32, INT64 as INT64, INT8 as INT8,
 QUANTIZED_UINT8 as QUANTIZED_UINT8, STRING as STRING, TFLITE as TFLITE
)
