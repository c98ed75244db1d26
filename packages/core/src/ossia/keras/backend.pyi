# Written by tools/api_stubs.py; do not edit.
from ossia_core.graph.scopes import name_scope as name_scope
