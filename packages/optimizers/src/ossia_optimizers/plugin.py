"""What ossia-optimizers registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_optimizers._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS


@hookimpl
def ossia_plan_rewrites():
    return {
        "auto_mixed_precision": "ossia_optimizers.half_precision:as_original",
        "auto_mixed_precision_cpu": "ossia_optimizers.half_precision:in_float16",
        "auto_mixed_precision_mkl": "ossia_optimizers.half_precision:in_bfloat16",
        "auto_mixed_precision_onednn_bfloat16": "ossia_optimizers.half_precision:in_bfloat16",
    }
