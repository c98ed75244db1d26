"""Branches that are taken while the graph is made, where the graph alone says which."""

from __future__ import annotations

from ossia_core.plugins.api_table import public_value
from ossia_tensorflow_paths.python.framework import smart_cond as known

smart_case = known.smart_case
smart_cond = known.smart_cond
smart_constant_value = known.smart_constant_value
for _name in ("smart_case", "smart_cond", "smart_constant_value"):
    public_value(f"contrib.framework.{_name}", name=_name)
