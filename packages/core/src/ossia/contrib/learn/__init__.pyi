# Written by ossia_core.plugins.api_stubs; do not edit.
from . import (
 datasets as datasets, estimators as estimators, monitors as monitors, preprocessing as preprocessing, utils as utils
)
from ossia_contrib.learn.estimator import (
 BaseEstimator as BaseEstimator, Estimator as Estimator, Evaluable as Evaluable, NotFittedError as NotFittedError,
 SKCompat as SKCompat, Trainable as Trainable
)
from ossia_contrib.learn.modes import ModeKeys as ModeKeys
from ossia_contrib.learn.monitors import NanLossDuringTrainingError as NanLossDuringTrainingError
from ossia_contrib.learn.run_config import RunConfig as RunConfig
from ossia_contrib.learn.specs import (
 ExportStrategy as ExportStrategy, InputFnOps as InputFnOps, MetricSpec as MetricSpec, ModelFnOps as ModelFnOps,
 PredictionKey as PredictionKey, ProblemType as ProblemType, TaskType as TaskType
)
