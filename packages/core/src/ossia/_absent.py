"""What of TensorFlow 1 no package of Ossia has, and what to use in its place: for the message to who asks for it."""

SYSTEMS: dict[str, str] = {
    "autograph": "it writes no graphs from Python statements; tf.cond and tf.while_loop do",
    "contrib": "of what went with TensorFlow 1.15 it has what programs use most; tf.layers, tf.nn, tf.losses, "
    "tf.metrics and tf.initializers have much of the rest",
    "keras": "Keras models are another library; tf.layers has the layers",
    "profiler": "tf.RunMetadata with tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE) times the ops of a run",
    "xla": "the backends compile without it",
}
"""Namespaces below `tf`, each with the reason or the way around."""


def hint(inner: str) -> str | None:
    """Says that Ossia lacks a system, for a dotted name in it; None for any other name."""
    for system, instead in SYSTEMS.items():
        if f"{inner}.".startswith(f"{system}."):
            return f"Ossia does not have tf.{inner}: {instead}"
    return None
