"""`string_ops`: strings split by one op, outside of any name scope."""

from __future__ import annotations

from typing import Any

import ossia as tf


def string_split(source: Any, delimiter: Any = " ", skip_empty: bool = True) -> Any:
    """The pieces of strings as a SparseTensor of [strings, pieces].

    Args:
        source: Strings, [n].
        delimiter: The characters that separate pieces, a scalar; every character is a piece if it is empty.
        skip_empty: Whether empty pieces are left out.
    """
    delimiter = tf.convert_to_tensor(delimiter, dtype=tf.string)
    source = tf.convert_to_tensor(source, dtype=tf.string)
    found = tf.raw_ops.StringSplit(input=source, delimiter=delimiter, skip_empty=skip_empty)
    for part, shape in zip(found, ([None, 2], [None], [2])):
        part.set_shape(shape)
    return tf.SparseTensor(*found)
