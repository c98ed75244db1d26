"""`tf.lite.experimental.nn`: recurrent cells that mark their parts with hints. Only the names are here; marking is
not implemented."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public


class _Cell:
    _name = ""

    @property
    def graph(self) -> Any:
        """The graph of the cell.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.graph")

    @property
    def scope_name(self) -> str:
        """The variable scope of the cell.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.scope_name")

    @property
    def state_size(self) -> Any:
        """The sizes of the state.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.state_size")

    @property
    def output_size(self) -> Any:
        """The size of the output.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.output_size")

    def get_initial_state(self, inputs: Any = None, batch_size: Any = None, dtype: Any = None) -> Any:
        """The first state.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.get_initial_state")

    def zero_state(self, batch_size: Any, dtype: Any) -> Any:
        """A state of zeros.

        Raises:
            NotImplementedError: Always.
        """
        raise NotImplementedError(f"{self._name}.zero_state")


@public("lite.experimental.nn.TFLiteLSTMCell")
class TFLiteLSTMCell(_Cell):
    """An LSTM cell that becomes one operator.

    Raises:
        NotImplementedError: Always.
    """

    _name = "tf.lite.experimental.nn.TFLiteLSTMCell"

    def __init__(
        self,
        num_units: int,
        use_peepholes: bool = False,
        cell_clip: float | None = None,
        initializer: Any = None,
        num_proj: int | None = None,
        proj_clip: float | None = None,
        num_unit_shards: int | None = None,
        num_proj_shards: int | None = None,
        forget_bias: float = 1.0,
        state_is_tuple: bool = True,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        raise NotImplementedError(self._name)


@public("lite.experimental.nn.TfLiteRNNCell")
class TfLiteRNNCell(_Cell):
    """A basic recurrent cell that becomes one operator.

    Raises:
        NotImplementedError: Always.
    """

    _name = "tf.lite.experimental.nn.TfLiteRNNCell"

    def __init__(
        self,
        num_units: int,
        activation: Any = None,
        reuse: Any = None,
        name: str | None = None,
        dtype: Any = None,
        **kwargs: Any,
    ) -> None:
        raise NotImplementedError(self._name)


@public("lite.experimental.nn.dynamic_rnn")
def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: Any = None,
    swap_memory: bool = False,
    time_major: bool = True,
    scope: Any = None,
) -> Any:
    """A sequence through a cell of this module.

    Raises:
        NotImplementedError: Always.
    """
    raise NotImplementedError("tf.lite.experimental.nn.dynamic_rnn")
