"""Written by `python -m ossia_core.api_stubs packages`; do not edit."""

from ossia_core.graph.scopes import name_scope as name_scope
