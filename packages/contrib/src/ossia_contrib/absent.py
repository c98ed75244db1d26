"""Functions that programs ask `tf.contrib` for, and that need what is not here: they say so when they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_REASONS = {
    "cloud": (
        "Ossia reads files of the systems that are installed, see `ossia plugins filesystems`; what a cloud stores has "
        "to be copied first",
        "BigQueryReader BigtableClient BigtableTable BlockCacheParams ConfigureGcsHook configure_colab_session "
        "configure_gcs",
    ),
    "cudnn_rnn": (
        "layers of cuDNN keep their weights as one vector, which checkpoints hold as it is",
        "CudnnGRUSaveable CudnnLSTMSaveable CudnnParamsFormatConverterGRU CudnnParamsFormatConverterLSTM "
        "CudnnParamsFormatConverterRelu CudnnParamsFormatConverterTanh CudnnRNNReluSaveable CudnnRNNTanhSaveable",
    ),
    "eager": (
        "Ossia builds graphs and runs them in sessions; eager execution is not available",
        "EagerVariableStore Iterator Network Saver Sequential Variable gradients_function implicit_gradients "
        "implicit_value_and_gradients list_devices num_gpus restore_network_checkpoint restore_variables_on_create run "
        "run_all_tests_in_graph_and_eager_modes save_network_checkpoint value_and_gradients_function",
    ),
    "hadoop": ("files of Hadoop have to be converted first; tf.data reads TFRecord files", "SequenceFileDataset"),
    "kafka": ("there is no client of Kafka; tf.data.Dataset.from_generator takes what one reads", "KafkaDataset"),
    "opt": (
        "workers do not average their variables; tf.train.SyncReplicasOptimizer averages gradients",
        "AGNCustomGetter AGNOptimizer ElasticAverageCustomGetter ElasticAverageOptimizer ModelAverageCustomGetter "
        "ModelAverageOptimizer",
    ),
    "tensorrt": ("there is no TensorRT here; a frozen graph runs as it is", "create_inference_graph"),
    "saved_model": (
        "Keras models are another library; tf.saved_model writes and reads graphs", "load_keras_model save_keras_model"
    ),
}
"""Modules of `tf.contrib`, each with the reason and its functions."""


def _saying(name: str, reason: str) -> Callable[..., Any]:
    def function(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"tf.contrib.{name}: {reason}.")

    function.__name__ = function.__qualname__ = name.rpartition(".")[2]
    function.__doc__ = f"Raises NotImplementedError: {reason}."
    return function


_MADE = {
    name: _saying(f"{module}.{name}", reason)
    for module, (reason, names) in _REASONS.items()
    for name in names.split()
}
PUBLIC = {name: [f"contrib.{module}.{name}"] for module, (_, names) in _REASONS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _MADE:
        raise AttributeError(f"no absent name {name!r}", name=name)
    return _MADE[name]
