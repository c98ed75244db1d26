"""Samples of the session hooks; `loss:0` is the number of the run, as a float."""

from __future__ import annotations

import os
import tempfile
from typing import Any


def _tensor(name: str = "loss:0") -> Any:
    import ossia as tf

    return tf.get_default_graph().get_tensor_by_name(name)


def _nan(**options: Any) -> Any:
    import ossia as tf

    loss = _tensor()
    if options.pop("nan"):
        loss = loss / tf.to_float(tf.less(loss, 2.5)) * 0.0  # in the third run, infinity times zero
    return tf.train.NanTensorHook(loss, **options)


def _summary() -> Any:
    import ossia as tf

    return tf.train.SummarySaverHook(save_steps=2, output_dir="events", summary_op=tf.summary.scalar("loss", _tensor()))


def _profiler() -> Any:
    import ossia as tf

    return tf.train.ProfilerHook(save_steps=100, output_dir=tempfile.mkdtemp(dir=os.getcwd()))


def _feed() -> Any:
    import ossia as tf

    given = tf.placeholder_with_default(1.0, [])
    return tf.train.FeedFnHook(lambda: {given: 2.0})


    return tf.train.NanLossDuringTrainingError


SAMPLES: dict[str, dict[str, dict[str, Any]]] = {
    "StopAtStepHook": {"last": {"arguments": {"last_step": 4}, "stops": 4},
                       "many": {"arguments": {"num_steps": 3}, "stops": 3}},
    "LoggingTensorHook": {"often": {"arguments": {"tensors": ["loss:0"], "every_n_iter": 3}},
                          "at_end": {"arguments": {"tensors": {"l": "loss:0"}, "at_end": True}}},
    "CheckpointSaverHook": {"often": {"arguments": {"checkpoint_dir": "saved", "save_steps": 4}}},
    "SummarySaverHook": {"often": {"make": _summary}},
    "StepCounterHook": {"often": {"arguments": {"every_n_steps": 3, "output_dir": "events"}}},
    "NanTensorHook": {"number": {"make": lambda: _nan(nan=False)},
                      "nan_ends": {"make": lambda: _nan(nan=True, fail_on_nan_loss=False), "stops": 3}},
    "FeedFnHook": {"default": {"make": _feed}},
    "FinalOpsHook": {"step": {"arguments": {"final_ops": "global_step:0"}}},
    "GlobalStepWaiterHook": {"there": {"arguments": {"wait_until_step": 0}}},
    "ProgressHook": {"quiet": {"arguments": {"total_steps": 9}}},
    "ProfilerHook": {"once": {"make": _profiler}},
}
