"""The TensorFlow 1 API, assembled from the installed Ossia packages: `import ossia as tf`.

Importing this loads nothing else; a name is looked up in the packages' tables and loaded when it is first used.
`ossia.compat.v1` serves the same names.
"""

from ossia import _assembler

__version__ = "1.15.5"  # the API that is served; the packages have versions of their own

_assembler.install()


def __getattr__(name: str) -> object:
    return _assembler.member("ossia", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_assembler.members("ossia")})
