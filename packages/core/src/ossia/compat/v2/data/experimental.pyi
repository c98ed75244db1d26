# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.data.experimental import (
 AUTOTUNE as AUTOTUNE, OptimizationOptions as OptimizationOptions, Optional as Optional,
 ThreadingOptions as ThreadingOptions
)
