# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_core.graph.scopes import name_scope as name_scope
