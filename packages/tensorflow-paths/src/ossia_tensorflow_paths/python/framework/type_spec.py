"""`framework.type_spec`: what is known of values."""

from __future__ import annotations

from ossia_core.graph.type_spec import BatchableTypeSpec, register_converter, spec_of

__all__ = ["BatchableTypeSpec"]

type_spec_from_value = spec_of
register_type_spec_from_value_converter = register_converter
