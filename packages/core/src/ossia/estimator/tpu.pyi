# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.tpu import (
 InputPipelineConfig as InputPipelineConfig, RunConfig as RunConfig, TPUConfig as TPUConfig,
 TPUEstimator as TPUEstimator, TPUEstimatorSpec as TPUEstimatorSpec
)
