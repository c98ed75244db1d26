# Written by tools/api_stubs.py; do not edit.
from ossia.lite import (
 Interpreter as Interpreter, OpsSet as OpsSet, Optimize as Optimize, RepresentativeDataset as RepresentativeDataset,
 TargetSpec as TargetSpec
)
from ossia_lite.convert.converter_v2 import TFLiteConverterV2 as _TFLiteConverter
TFLiteConverter = _TFLiteConverter
