# Written by tools/api_stubs.py; do not edit.
from . import constants as constants, experimental as experimental
from ossia_lite.convert.converter import TFLiteConverter as TFLiteConverter
from ossia_lite.convert.op_hint import OpHint as OpHint
from ossia_lite.convert.settings import (
 OpsSet as OpsSet, Optimize as Optimize, RepresentativeDataset as RepresentativeDataset, TargetSpec as TargetSpec
)
from ossia_lite.convert.toco import TocoConverter as TocoConverter, toco_convert as toco_convert
from ossia_lite.interpreter import Interpreter as Interpreter
