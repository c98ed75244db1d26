# Written by tools/api_stubs.py; do not edit.
from ossia.train.experimental import (
 DynamicLossScale as DynamicLossScale, FixedLossScale as FixedLossScale, LossScale as LossScale,
 PythonState as PythonState
)
