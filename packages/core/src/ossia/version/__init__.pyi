"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.version import COMPILER_VERSION as COMPILER_VERSION
from ossia_core.version import GIT_VERSION as GIT_VERSION
from ossia_core.version import GRAPH_DEF_VERSION as GRAPH_DEF_VERSION
from ossia_core.version import GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER
from ossia_core.version import GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER
from ossia_core.version import VERSION as VERSION
