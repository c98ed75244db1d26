"""`tf.lite.experimental.get_potentially_supported_ops`: op types that a conversion takes."""

from __future__ import annotations

from typing import NamedTuple

from ossia_core.plugins import manager
from ossia_core.plugins.api_table import public


class SupportedOp(NamedTuple):
    """An op type that can be converted, at least in some of its uses."""

    op: str


@public("lite.experimental.get_potentially_supported_ops")
def get_potentially_supported_ops() -> list[SupportedOp]:
    """The op types for which a lowering is registered, and those that a conversion folds, in alphabetical order."""
    return [SupportedOp(op) for op in sorted({*manager.table("ossia_lite_lowerings"), "Const", "Placeholder"})]
