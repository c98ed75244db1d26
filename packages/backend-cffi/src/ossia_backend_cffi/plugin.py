"""What ossia-backend-cffi registers with the plugin manager."""

from ossia_backend_cffi._tables import API, OPS
from ossia_core.hookspecs import hookimpl


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS


@hookimpl
def ossia_backends():
    return {"cffi": "ossia_backend_cffi.backend:CffiBackend"}
