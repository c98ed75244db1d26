# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.contrib.tpu import (
 InputPipelineConfig as InputPipelineConfig, RunConfig as RunConfig, TPUConfig as TPUConfig,
 TPUEstimator as TPUEstimator, TPUEstimatorSpec as TPUEstimatorSpec
)
