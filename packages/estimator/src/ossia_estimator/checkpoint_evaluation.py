"""Evaluations and exports of new checkpoints, for `tf.estimator.train_and_evaluate`."""
from __future__ import annotations

import os
from typing import Any

from ossia_core.graph.collections import GraphKeys
from ossia_estimator.specs import EvalSpec


class Evaluator:
    """Evaluates and exports the newest checkpoint, each once.

    Args:
        estimator: The estimator.
        spec: What to evaluate on, and what exports.
        max_steps: The global step at which training ends, and exports are final.
    """

    def __init__(self, estimator: Any, spec: EvalSpec, max_steps: int | None) -> None:
        self.metrics: Any = None
        self.exports: Any = None
        self._estimator = estimator
        self._spec = spec
        self._max_steps = max_steps
        self._evaluated: str | None = None

    @property
    def is_final(self) -> bool:
        """Whether the last evaluation was that of the model at the end of training."""
        return bool(self._max_steps and self.metrics) and self.metrics[GraphKeys.GLOBAL_STEP] >= self._max_steps

    def evaluate(self) -> Any:
        """The metrics of the newest checkpoint; None if it was evaluated before, or there is none."""
        checkpoint = self._estimator.latest_checkpoint()
        if not checkpoint or checkpoint == self._evaluated:
            return None
        spec = self._spec
        self.metrics = self._estimator.evaluate(
            spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=checkpoint, hooks=spec.hooks
        )
        self._evaluated = checkpoint
        base = os.path.join(self._estimator.model_dir, "export")
        self.exports = [
            exporter.export(
                estimator=self._estimator, export_path=os.path.join(base, exporter.name), checkpoint_path=checkpoint,
                eval_result=self.metrics, is_the_final_export=self.is_final,
            )
            for exporter in spec.exporters
        ]
        return self.metrics
