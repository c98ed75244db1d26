# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.mixed_precision.loss_scale_manager import (
 ExponentialUpdateLossScaleManager as ExponentialUpdateLossScaleManager, FixedLossScaleManager as FixedLossScaleManager,
 LossScaleManager as LossScaleManager
)
from ossia_contrib.mixed_precision.loss_scale_optimizer import LossScaleOptimizer as LossScaleOptimizer
