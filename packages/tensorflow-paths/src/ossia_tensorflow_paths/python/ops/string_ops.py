"""`string_ops`: strings split by one op, outside of any name scope."""

from __future__ import annotations

from typing import Any

import ossia as tf
from ossia_ops.array.shape import one_of


def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None) -> Any:
    """The pieces of strings as a SparseTensor of [strings, pieces].

    Args:
        source: Strings, [n].
        sep: The characters that separate pieces, a scalar, a space if None; every character is a piece if it is empty.
        skip_empty: Whether empty pieces are left out.
        delimiter: The older name of `sep`.
    """
    between = one_of("sep", sep, "delimiter", delimiter)
    delimiter = tf.convert_to_tensor(" " if between is None else between, dtype=tf.string)
    source = tf.convert_to_tensor(source, dtype=tf.string)
    found = tf.raw_ops.StringSplit(input=source, delimiter=delimiter, skip_empty=skip_empty)
    for part, shape in zip(found, ([None, 2], [None], [2])):
        part.set_shape(shape)
    return tf.SparseTensor(*found)
