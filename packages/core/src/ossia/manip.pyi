# Written by tools/api_stubs.py; do not edit.
from ossia_ops.array.gather import gather_nd as gather_nd
from ossia_ops.array.reversal import reverse as reverse, roll as roll
from ossia_ops.array.scatter import scatter_nd as scatter_nd
from ossia_ops.array.shape import reshape as reshape
from ossia_ops.array.space_to_batch import (
 batch_to_space_nd as batch_to_space_nd, space_to_batch_nd as space_to_batch_nd
)
from ossia_ops.array.tiling import tile as tile
