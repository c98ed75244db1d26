"""The TensorFlow 1 API, assembled from the installed Ossia packages: `import ossia as tf`.

Importing this loads nothing else; a name is looked up in the packages' tables and loaded when it is first used.
`ossia.compat.v1` serves the same names.
"""

import sys

from ossia import _assembler

__version__ = "1.15.5"  # the API that is served; the packages have versions of their own

_assembler.install()
sys.modules[__name__].__class__ = _assembler.ApiModule
