"""Which part of a partitioned variable a variable holds, as checkpoints note it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ossia_core.graph.scopes import prepend_name_scope, strip_name_scope


class SaveSliceInfo:
    """Which part of a larger, partitioned variable a variable holds, for checkpoints.

    Args:
      full_name: name of the whole.
      full_shape: shape of the whole.
      var_offset: where this part begins in it.
      var_shape: shape of this part.
      save_slice_info_def: a SaveSliceInfoDef to read all this from.
      import_scope: name scope to put in front of the name read.
    """

    def __init__(
        self,
        full_name: str | None = None,
        full_shape: Sequence[int] | None = None,
        var_offset: Sequence[int] | None = None,
        var_shape: Sequence[int] | None = None,
        save_slice_info_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        if save_slice_info_def is not None:
            self.full_name: Any = prepend_name_scope(save_slice_info_def.full_name, import_scope)
            self.full_shape: Any = list(save_slice_info_def.full_shape)
            self.var_offset: Any = list(save_slice_info_def.var_offset)
            self.var_shape: Any = list(save_slice_info_def.var_shape)
        else:
            self.full_name, self.full_shape, self.var_offset, self.var_shape = (
                full_name,
                full_shape,
                var_offset,
                var_shape,
            )

    @property
    def spec(self) -> str:
        """The part in the notation of checkpoints: sizes of the whole, then `offset,size` per axis, joined by
        colons."""
        sizes = "".join(f"{size} " for size in self.full_shape)
        return sizes + ":".join(
            f"{offset},{size}" for offset, size in zip(self.var_offset, self.var_shape, strict=True)
        )

    def to_proto(self, export_scope: str | None = None) -> Any:
        """The SaveSliceInfoDef; None if the whole lies outside `export_scope`."""
        from ossia_core.proto import SaveSliceInfoDef

        if export_scope is not None and not self.full_name.startswith(export_scope):
            return None
        return SaveSliceInfoDef(
            full_name=strip_name_scope(self.full_name, export_scope),
            full_shape=self.full_shape,
            var_offset=self.var_offset,
            var_shape=self.var_shape,
        )
