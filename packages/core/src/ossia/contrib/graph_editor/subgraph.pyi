# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.graph_editor import (
 SubGraphView as SubGraphView, make_view as make_view, make_view_from_scope as make_view_from_scope
)
