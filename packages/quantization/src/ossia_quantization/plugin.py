"""What ossia-quantization registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_quantization._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS
