# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_estimator.tpu.config import (
 InputPipelineConfig as InputPipelineConfig, RunConfig as RunConfig, TPUConfig as TPUConfig
)
from ossia_estimator.tpu.estimator import TPUEstimator as TPUEstimator
from ossia_estimator.tpu.spec import TPUEstimatorSpec as TPUEstimatorSpec
