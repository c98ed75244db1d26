# Written by tools/api_stubs.py; do not edit.
from ossia_checkpoint.objects.python_state import PythonState as PythonState
from ossia_optimizers.loss_scale import (
 DynamicLossScale as DynamicLossScale, FixedLossScale as FixedLossScale, LossScale as LossScale
)
from ossia_optimizers.mixed_precision import (
 MixedPrecisionLossScaleOptimizer as MixedPrecisionLossScaleOptimizer,
 disable_mixed_precision_graph_rewrite as disable_mixed_precision_graph_rewrite,
 enable_mixed_precision_graph_rewrite as enable_mixed_precision_graph_rewrite
)
