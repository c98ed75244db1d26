"""The switches between the versions of TensorFlow: what is off here stays off."""
from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public


def _graphs_only(what: str) -> NotImplementedError:
    return NotImplementedError(
        f"{what} is not available: Ossia builds graphs and runs them in sessions. Leave this call out, build the "
        "graph, and get its values by `with tf.Session() as session: session.run(...)`."
    )


@public("executing_eagerly")
def executing_eagerly() -> bool:
    """False: there is no eager execution."""
    return False


@public("enable_eager_execution")
def enable_eager_execution(config: Any = None, device_policy: Any = None, execution_mode: Any = None) -> None:
    """Not possible: raises NotImplementedError."""
    raise _graphs_only("Eager execution")


@public("disable_eager_execution")
def disable_eager_execution() -> None:
    """Nothing to do: there is no eager execution."""


@public("enable_v2_behavior")
def enable_v2_behavior() -> None:
    """Not possible: raises NotImplementedError."""
    raise _graphs_only("The behaviour of TensorFlow 2")


@public("disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Nothing to do: the behaviour is that of TensorFlow 1."""


_control_flow_v2 = False


@public("enable_control_flow_v2")
def enable_control_flow_v2() -> None:
    """Let `tf.cond` and `tf.while_loop` build functional ops (If, While) from now on, as they do in functions."""
    global _control_flow_v2
    _control_flow_v2 = True


@public("disable_control_flow_v2")
def disable_control_flow_v2() -> None:
    """Let `tf.cond` and `tf.while_loop` build Switch, Merge, Enter and their kin, outside of functions."""
    global _control_flow_v2
    _control_flow_v2 = False


@public("control_flow_v2_enabled")
def control_flow_v2_enabled() -> bool:
    """Whether `tf.enable_control_flow_v2` was called."""
    return _control_flow_v2


@public("enable_tensor_equality")
def enable_tensor_equality() -> None:
    """Not possible: raises NotImplementedError."""
    raise _graphs_only("Comparing tensors by value")


@public("disable_tensor_equality")
def disable_tensor_equality() -> None:
    """Nothing to do: tensors compare by identity."""


@public("experimental.output_all_intermediates")
def output_all_intermediates(state: bool | None) -> None:
    """Say whether functional control flow puts out all that its gradient could need; here it puts out what the gradient
    does need, whatever is said."""
