# Written by ossia_core.api_stubs; do not edit.
from ossia_ops.gather import gather_nd as gather_nd
from ossia_ops.reversal import reverse as reverse, roll as roll
from ossia_ops.scatter import scatter_nd as scatter_nd
from ossia_ops.shape import reshape as reshape
from ossia_ops.space_to_batch import batch_to_space_nd as batch_to_space_nd, space_to_batch_nd as space_to_batch_nd
from ossia_ops.tiling import tile as tile
