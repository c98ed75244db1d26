"""The versions that programs compare: those of the API that is served, TensorFlow 1.15.5."""

import platform

from ossia_core.plugins.api_table import public_value

VERSION = "1.15.5"
GIT_VERSION = "ossia"
COMPILER_VERSION = platform.python_compiler()
GRAPH_DEF_VERSION = 134
GRAPH_DEF_VERSION_MIN_CONSUMER = 0
GRAPH_DEF_VERSION_MIN_PRODUCER = 0

for _name in (
    "VERSION",
    "GIT_VERSION",
    "COMPILER_VERSION",
    "GRAPH_DEF_VERSION",
    "GRAPH_DEF_VERSION_MIN_CONSUMER",
    "GRAPH_DEF_VERSION_MIN_PRODUCER",
):
    public_value(_name, f"version.{_name}", name=_name)

public_value("__git_version__", name="GIT_VERSION")
public_value("__compiler_version__", name="COMPILER_VERSION")
