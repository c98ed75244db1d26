# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.older_names import ProfilerHook as ProfilerHook
