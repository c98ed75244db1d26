"""Datasets of the names of files that match patterns."""
from __future__ import annotations

from typing import Any

from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import control_dependencies, name_scope
from ossia_core.names import dtypes
from ossia_core.primitives.identity import identity
from ossia_io.file_ops import matching_files
from ossia_ops.array.shape import shape
from ossia_ops.control.assertion import Assert
from ossia_ops.math.arithmetic import add, maximum
from ossia_ops.math.comparison import greater
from ossia_ops.strings.elementwise import reduce_join


def listed(family: Any, file_pattern: Any, shuffle: Any, seed: Any) -> Any:
    """See `Dataset.list_files`."""
    with name_scope("list_files"):
        pattern = convert_to_tensor(file_pattern, dtypes.string, name="file_pattern")
        names = matching_files(pattern)
        some = greater(shape(names)[0], 0, name="match_not_empty")
        message = add("No files matched pattern: ", reduce_join(pattern, separator=", "), name="message")
        check = Assert(some, [message], summarize=1, name="assert_not_empty")
        with control_dependencies([check]):
            names = identity(names)
        found = family.from_tensor_slices(names)
        if shuffle is None or shuffle:
            size = maximum(shape(names, out_type=dtypes.int64)[0], 1)
            found = found.shuffle(size, seed=seed)
        return found
