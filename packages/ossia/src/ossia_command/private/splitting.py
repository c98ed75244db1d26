"""`string_ops`: strings split by one op, outside of any name scope."""

from __future__ import annotations

from typing import Any

import ossia as tf


def string_split(source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None) -> Any:
    """The pieces of strings as a SparseTensor of [strings, pieces].

    Args:
        source: Strings, [n].
        sep: The characters that separate pieces, a scalar, a space by default; every character is a piece if it is
            empty.
        skip_empty: Whether empty pieces are left out.
        delimiter: The older name of `sep`.

    Raises:
        ValueError: `sep` and `delimiter` are both given.
    """
    if sep is not None and delimiter is not None:
        raise ValueError("Cannot specify both 'delimiter' and 'sep'")
    delimiter = next((given for given in (sep, delimiter) if given is not None), " ")
    delimiter = tf.convert_to_tensor(delimiter, dtype=tf.string)
    source = tf.convert_to_tensor(source, dtype=tf.string)
    found = tf.raw_ops.StringSplit(input=source, delimiter=delimiter, skip_empty=skip_empty)
    for part, shape in zip(found, ([None, 2], [None], [2])):
        part.set_shape(shape)
    return tf.SparseTensor(*found)
