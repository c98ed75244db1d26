# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.distribute.cluster_resolver import *
