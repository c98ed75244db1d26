"""What ossia-functions registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_functions._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS


@hookimpl
def ossia_functions():
    return {
        "import": "ossia_functions.library:take",
        "expansion": "ossia_functions.expansion:Expanded",
        "call_gradient": "ossia_functions.gradients:call_gradient",
        "loop_gradient": "ossia_functions.loop_gradients:loop_gradient",
        "cond": "ossia_functions.choices:conditional",
        "case": "ossia_functions.choices:choice",
        "while_loop": "ossia_functions.choices:loop",
        "tensor_array": "ossia_functions.list_array:ListArray",
        "scan": "ossia_functions.scan:scan",
    }
