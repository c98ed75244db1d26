"""Names of nodes moved into a name scope, or out of one, when parts of graphs are exported and imported."""

from __future__ import annotations

_PREFIXES = ("^", "loc:@", "")  # of control edges, colocations and plain names


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """`name` as it is called inside `import_scope`; a control edge (`^name`) and a colocation (`loc:@name`) keep their
    prefix."""
    if not import_scope:
        return name
    prefix = next(p for p in _PREFIXES if name.startswith(p))
    return f"{prefix}{import_scope.rstrip('/')}/{name[len(prefix) :]}"


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """`name` as it is called outside `export_scope`; a name that is not inside stays as it is."""
    if not export_scope:
        return name
    prefix = next(p for p in _PREFIXES if name.startswith(p))
    return prefix + name[len(prefix) :].removeprefix(export_scope.rstrip("/") + "/")
