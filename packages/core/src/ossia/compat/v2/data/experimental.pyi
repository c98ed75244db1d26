# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.data.experimental import (
 AUTOTUNE as AUTOTUNE, DistributeOptions as DistributeOptions, MapVectorizationOptions as MapVectorizationOptions,
 OptimizationOptions as OptimizationOptions, Optional as Optional, StatsOptions as StatsOptions,
 ThreadingOptions as ThreadingOptions
)
