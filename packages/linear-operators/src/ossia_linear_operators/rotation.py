"""Dimensions of a tensor turned around in a circle."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.declare.shape_rules import constant
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_ops.array.concat import concat
from ossia_ops.array.selection import where_v2
from ossia_ops.array.shape import rank
from ossia_ops.array.transposition import transpose
from ossia_ops.math.comparison import less
from ossia_ops.math.division import floormod
from ossia_ops.math.sequence import range as sequence


def rotate_transpose(x: Any, shift: int) -> Tensor:
    """`x` with its dimensions moved `shift` places to the right, those that leave at the end coming in at the front."""
    with name_scope("rotate_transpose", values=[x, shift]):
        x = convert_to_tensor(x, name="x")
        places = convert_to_tensor(shift, name="shift")
        builder("debugging.assert_integer")(places)
        known = constant(places)
        ndims = x.shape.ndims
        if ndims is not None and known is not None:
            if ndims < 2:
                return x
            turn = ndims - int(known) % ndims
            return transpose(x, perm=[*range(turn, ndims), *range(turn)])
        dimensions = rank(x)
        turn = where_v2(less(places, 0), floormod(-places, dimensions), dimensions - floormod(places, dimensions))
        front = sequence(0, turn)
        back = sequence(turn, dimensions)
        return transpose(x, perm=concat([back, front], 0))
