# Written by tools/api_stubs.py; do not edit.
from ossia.contrib.learn import make_export_strategy as make_export_strategy
from ossia_contrib.learn.serving import garbage_collect_exports as garbage_collect_exports
