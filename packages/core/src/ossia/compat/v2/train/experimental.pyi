# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.train.experimental import (
 DynamicLossScale as DynamicLossScale, FixedLossScale as FixedLossScale, LossScale as LossScale,
 PythonState as PythonState
)
