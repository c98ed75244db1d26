"""Attributes that ops got after TensorFlow 1.15: graphs that TensorFlow 2 wrote hold them, nearly always with defaults.

A node with the default of such an attribute means what the node meant without it, so the attribute is dropped; with
any other value the node asks for something that its op does not do here, and is refused.
"""

from __future__ import annotations

from typing import Any

from ossia_core.names import dtypes

_FALSE = (
    "allow_missing_files allow_stateful enable_large_batch_splitting force_synchronous is_files "
    "is_mirrored_variable is_packed log_warning multiply_linear_by_lr narrow_range perturb_singular "
    "replicate_on_split resize_if_index_out_of_bounds shuffle_on_read sparse_gradient stop_on_empty_dataset "
    "strip_device_assignment use_shardy_partitioner use_spmd_for_xla_partitioning"
)
_ZERO = (
    "auto_shard_policy buffer_size_min external_state_policy low_priority_batch_timeout_micros "
    "low_priority_max_batch_size low_priority_max_enqueued_batches num_distributed_variables num_host_args "
    "num_replicas offset ram_budget timeout_seconds"
)
_MINUS_ONE = "axis blank_index index"
_EMPTY_LIST = (
    "allowed_devices explicit_paddings low_priority_allowed_batch_sizes num_features padding_list ragged_keys "
    "ragged_split_types ragged_value_types"
)
_EMPTY_TEXT = "bad_indices_policy cardinality_options config snapshot_name tpu_compile_options_proto"
_INT32 = "Tk Tsegmentids Tshape index_type shape_type"

_DEFAULTS: dict[str, Any] = {
    **dict.fromkeys(_FALSE.split(), False),
    **dict.fromkeys(_ZERO.split(), 0),
    **dict.fromkeys(_MINUS_ONE.split(), -1),
    **dict.fromkeys(_EMPTY_LIST.split(), []),
    **dict.fromkeys(_EMPTY_TEXT.split(), b""),
    **dict.fromkeys(_INT32.split(), dtypes.int32),
    "Tcomplex": dtypes.complex64,
    "Treal": dtypes.float32,
    "batch_padding_policy": b"PAD_UP",
    "drop_remainder": True,
    "dtype": dtypes.float32,
    "exponential_avg_factor": 1.0,
    "filter_format": b"HWIO",
    "mixed_priority_policy": b"low_priority_padding_with_max_batch_size",
    "mode": b"auto",
    "reshuffle_each_iteration": True,
    "use_default_device": True,
}
# Any value: names and notes for people, which gradient the node is, a check of what the shape rule checks here.
_INFORMING = frozenset(("debug_name", "grad_a", "grad_b", "grad_x", "grad_y", "metadata", "validate_shape"))


def says_nothing(name: str, value: Any) -> bool:
    """Whether an attribute that 1.15 does not know changes nothing about what its node does.

    Args:
        name: The attribute.
        value: Its value as a Python value, strings as bytes.
    """
    return name in _INFORMING or (name in _DEFAULTS and value == _DEFAULTS[name])
