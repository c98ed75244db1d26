"""Drawings of a model on its way through the passes of a conversion."""

from __future__ import annotations

import os
from collections.abc import Sequence

from ossia_core import files
from ossia_lite.builder import ModelBuilder
from ossia_lite.inspect.drawing import dot


class Dumps:
    """Writes `.dot` files, by the names that the original gives them.

    Args:
        folder: Where to write; None to write nothing.
        every_pass: Whether there is one after each pass, too.
    """

    def __init__(self, folder: str | None, every_pass: bool) -> None:
        self._folder, self._every_pass, self._count = folder, every_pass, 0

    def stage(self, name: str, model: ModelBuilder, fed: Sequence[int], fetched: Sequence[int]) -> None:
        """Writes `toco_NAME.dot`.

        Args:
            name: The stage, such as `AT_IMPORT`.
            model: The model under construction.
            fed: Its inputs.
            fetched: Its outputs.
        """
        if self._folder:
            self._write(f"toco_{name}.dot", model, fed, fetched)

    def after_pass(self, model: ModelBuilder, fed: Sequence[int], fetched: Sequence[int]) -> None:
        """Writes the next `toco_video_NUMBER.dot`, if every pass is to be written.

        Args:
            model: The model under construction.
            fed: Its inputs.
            fetched: Its outputs.
        """
        if self._folder and self._every_pass:
            self._write(f"toco_video_{self._count:05}.dot", model, fed, fetched)
            self._count += 1

    def _write(self, name: str, model: ModelBuilder, fed: Sequence[int], fetched: Sequence[int]) -> None:
        path = os.path.join(os.fsdecode(self._folder or ""), name)
        with files.file_system(path).open(path, "wb") as stream:
            stream.write(dot(model.model(fed, fetched)).encode())
