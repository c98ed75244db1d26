"""`server_lib`: how the definition of a server is made."""

from __future__ import annotations

from ossia_distribute import server

_make_server_def = server.server_def_of
