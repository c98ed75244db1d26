"""Two cells over the same sequences, one forwards and one backwards."""
from __future__ import annotations

from typing import Any

from ossia_core.names import nest
from ossia_core.plugins.api_table import public
from ossia_core.variables.variable_scope import variable_scope
from ossia_nn.rnn.cell import assert_like_cell
from ossia_nn.rnn.dynamic import dynamic_rnn
from ossia_ops.array.reversal import reverse, reverse_sequence


@public("nn.bidirectional_dynamic_rnn")
def bidirectional_dynamic_rnn(
    cell_fw: Any,
    cell_bw: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state_fw: Any = None,
    initial_state_bw: Any = None,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    swap_memory: bool = False,
    time_major: bool = False,
    scope: Any = None,
) -> tuple[Any, Any]:
    """Run two cells over sequences, the second one from their ends (Schuster and Paliwal 1997).

    Args:
      cell_fw: the cell that goes forwards.
      cell_bw: the cell that goes backwards.
      inputs, sequence_length, dtype, parallel_iterations, swap_memory, time_major: as in `dynamic_rnn`.
      initial_state_fw, initial_state_bw: the first states.
      scope: variable scope, "bidirectional_rnn" by default.

    Returns:
      ((outputs forwards, outputs backwards), (final state forwards, final state backwards)).
    """
    assert_like_cell("cell_fw", cell_fw)
    assert_like_cell("cell_bw", cell_bw)
    time_axis, batch_axis = (0, 1) if time_major else (1, 0)
    shared = {
        "sequence_length": sequence_length,
        "dtype": dtype,
        "parallel_iterations": parallel_iterations,
        "swap_memory": swap_memory,
        "time_major": time_major,
    }

    def reversed_in_time(x: Any) -> Any:
        if sequence_length is not None:
            return reverse_sequence(input=x, seq_lengths=sequence_length, seq_axis=time_axis, batch_axis=batch_axis)
        return reverse(x, axis=[time_axis])

    with variable_scope(scope or "bidirectional_rnn"):
        with variable_scope("fw") as fw_scope:
            output_fw, state_fw = dynamic_rnn(cell_fw, inputs, initial_state=initial_state_fw, scope=fw_scope, **shared)
        with variable_scope("bw") as bw_scope:
            backwards = nest.map_structure(reversed_in_time, inputs)
            output, state_bw = dynamic_rnn(cell_bw, backwards, initial_state=initial_state_bw, scope=bw_scope, **shared)
    output_bw = nest.map_structure(reversed_in_time, output)
    return (output_fw, output_bw), (state_fw, state_bw)
