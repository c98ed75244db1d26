"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_optimizers.loss_scale import (
 DynamicLossScale as DynamicLossScale, FixedLossScale as FixedLossScale, LossScale as LossScale
)
