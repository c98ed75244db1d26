"""Dimensions, and values per dimension, of one data format in another: what rewritten layouts of graphs hold."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import unchanged
from ossia_core.names.errors import InvalidArgumentError
from ossia_ops.element_types import INDEX_32

_FORMATS = {"src_format": "string = 'NHWC'", "dst_format": "string = 'NCHW'"}


def _permutation(source: bytes, target: bytes) -> list[int]:
    """Where each letter of `source` stands in `target`.

    Raises:
      InvalidArgumentError: the formats are not orders of the same four or five letters.
    """
    for which, text in (("Source", source), ("Destination", target)):
        if len(text) not in (4, 5):
            name, shown = "src_format" if which == "Source" else "dst_format", text.decode(errors="replace")
            raise InvalidArgumentError(
                None, None, f"{which} format must be of length 4 or 5, received {name} = {shown}"
            )
    if len(set(source)) != len(source) or sorted(source) != sorted(target):
        raise InvalidArgumentError(
            None,
            None,
            "Destination and source format must determine a permutation, got "
            f"{source.decode(errors='replace')} and {target.decode(errors='replace')}",
        )
    return [target.index(letter) for letter in source]


data_format_dim_map_op = op("DataFormatDimMap(x: T) -> y: T", T=INDEX_32, **_FORMATS)


data_format_dim_map_op.shape(unchanged)


@data_format_dim_map_op.kernel
def _(x, *, src_format, dst_format):
    table = np.array(_permutation(src_format, dst_format), x.dtype)
    # The original looks at two bits, whatever the number: -1 is the fourth dimension, of five too.
    return np.asarray(table[x & 3])


data_format_dim_map_op.samples(
    first=sample([0, 1, 2, 3]),
    last=sample([[-4, -3], [-2, -1]], src_format="HWNC", dst_format="NCHW"),
    far=sample([4, -5, 100]),
    volumes=sample([0, -1, 3], src_format="NDHWC", dst_format="NCDHW"),
    scalar=sample(2),
    none=sample(np.zeros((0, 2), np.int64)),
    refused_letters=sample([0], dst_format="NCHX"),
    refused_twice=sample([0], src_format="NHHC"),
    refused_short=sample([0], src_format="HWC", dst_format="CHW"),
)


data_format_vec_permute_op = op("DataFormatVecPermute(x: T) -> y: T", T=INDEX_32, **_FORMATS)


data_format_vec_permute_op.shape(unchanged)


@data_format_vec_permute_op.kernel
def _(x, *, src_format, dst_format):
    places = _permutation(src_format, dst_format)
    size = ",".join(map(str, x.shape))
    if x.ndim not in (1, 2):
        raise InvalidArgumentError(None, None, f"input must be a vector or 2D tensor, but got shape [{size}]")
    if len(x) != 4:
        what = "1D input" if x.ndim == 1 else "First dimension of 2D input"
        raise InvalidArgumentError(None, None, f"{what} must be of size 4, but got shape [{size}]")
    if x.ndim == 2 and x.shape[1] != 2:
        what = "Second dimension of 2D input"
        raise InvalidArgumentError(None, None, f"{what} must be of size 2, but got shape [{size}]")
    order: list[Any] = sorted(range(len(places)), key=places.__getitem__)[:4]
    if max(order) > 3:
        # The original copies what lies beside the input in memory.
        raise InvalidArgumentError(None, None, f"input has 4 values, but {src_format.decode()} is of length 5")
    return x[order]


data_format_vec_permute_op.samples(
    vector=sample([7, 4, 9, 3]),
    back=sample(np.array([7, 3, 4, 9]), src_format="NCHW", dst_format="NHWC"),
    pairs=sample([[7, 4], [9, 3], [4, 5], [5, 1]], src_format="HWNC", dst_format="WHCN"),
    refused_letters=sample([1, 2, 3, 4], dst_format="NCHX"),
    refused_size=sample([1, 2, 3]),
    refused_rows=sample([[1, 2], [3, 4]]),
    refused_columns=sample([[1], [2], [3], [4]]),
    refused_scalar=sample(5),
    refused_rank=sample([[[1]]]),
)
