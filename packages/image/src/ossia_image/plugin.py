"""What ossia-image registers with the plugin manager."""

from ossia_core.hookspecs import hookimpl
from ossia_image._tables import API, OPS


@hookimpl
def ossia_api():
    return API


@hookimpl
def ossia_ops():
    return OPS


@hookimpl
def ossia_image_codecs():
    return {
        kind: f"ossia_image.codecs.{kind}:{kind.capitalize()}Codec" for kind in ("jpeg", "png", "gif", "bmp")
    }
