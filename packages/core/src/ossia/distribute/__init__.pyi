# Written by ossia_core.plugins.api_stubs; do not edit.
from . import cluster_resolver as cluster_resolver
from ossia_distribute.server import Server as Server
