# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia.data.experimental import Optional as Optional
