"""What of TensorFlow 1 no package of Ossia has, and what to use in its place: for the message to who asks for it."""

SYSTEMS: dict[str, str] = {
    "autograph": "it writes no graphs from Python statements; tf.cond and tf.while_loop do",
    "contrib": "of what went with TensorFlow 1.15 it has what programs use most; tf.layers, tf.nn, tf.losses, "
    "tf.metrics and tf.initializers have much of the rest",
    "keras": "Keras models are another library; tf.layers has the layers",
    "saved_model.load_v2": "tf.saved_model.load loads graphs of TensorFlow 2 into a session through their signatures",
    "saved_model.save": "tf.saved_model.simple_save and tf.saved_model.Builder write the graph of a session",
    "train.do_quantize_training_on_graphdef": "tf.quantization.fake_quant_with_min_max_vars trains with rounded values",
    "xla": "the backends compile without it",
}
"""Namespaces and names below `tf`, each with the reason or the way around."""


def hint(inner: str) -> str | None:
    """Says that Ossia lacks a system, for a dotted name in it; None for any other name."""
    for system, instead in SYSTEMS.items():
        if f"{inner}.".startswith(f"{system}."):
            return f"Ossia does not have tf.{inner}: {instead}"
    return None
