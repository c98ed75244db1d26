"""What a conversion aims at: sets of operators, optimizations, and data to calibrate with."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ossia_core.plugins.api_table import public


@public("lite.OpsSet", "compat.v2.lite.OpsSet")
class OpsSet(enum.Enum):
    """Operators that a model may have."""

    TFLITE_BUILTINS = "TFLITE_BUILTINS"
    SELECT_TF_OPS = "SELECT_TF_OPS"
    TFLITE_BUILTINS_INT8 = "TFLITE_BUILTINS_INT8"

    def __str__(self) -> str:
        return self.value

    @staticmethod
    def get_options() -> list[str]:
        """The names of all sets."""
        return [str(option) for option in OpsSet]


@public("lite.Optimize", "compat.v2.lite.Optimize")
class Optimize(enum.Enum):
    """What a model is made small or fast by; all three quantize it after training."""

    DEFAULT = "DEFAULT"
    OPTIMIZE_FOR_SIZE = "OPTIMIZE_FOR_SIZE"
    OPTIMIZE_FOR_LATENCY = "OPTIMIZE_FOR_LATENCY"

    def __str__(self) -> str:
        return self.value


@public("lite.RepresentativeDataset", "compat.v2.lite.RepresentativeDataset")
class RepresentativeDataset:
    """Inputs by which the ranges of a model's tensors are found.

    Args:
        input_gen: A function that returns an iterable; each item is a list with an array per input.
    """

    def __init__(self, input_gen: Callable[[], Iterable[Any]]) -> None:
        self.input_gen = input_gen


@public("lite.TargetSpec", "compat.v2.lite.TargetSpec")
class TargetSpec:
    """What a model has to run on.

    Args:
        supported_ops: A set of `OpsSet` values; the builtin operators by default.
        supported_types: A list of types that constants may have besides float32: `tf.float16` halves their size.
    """

    def __init__(
        self, supported_ops: Iterable[OpsSet] | None = None, supported_types: Sequence[Any] | None = None
    ) -> None:
        self.supported_ops = {OpsSet.TFLITE_BUILTINS} if supported_ops is None else supported_ops
        self.supported_types = [] if supported_types is None else supported_types


class ConverterError(Exception):
    """A graph cannot be converted; the message names every reason."""
