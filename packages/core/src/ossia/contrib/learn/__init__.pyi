# Written by tools/api_stubs.py; do not edit.
from . import (
 datasets as datasets, estimators as estimators, graph_actions as graph_actions, learn_runner as learn_runner,
 monitors as monitors, preprocessing as preprocessing, utils as utils
)
from ossia_contrib.learn.estimator import (
 BaseEstimator as BaseEstimator, Estimator as Estimator, Evaluable as Evaluable, NotFittedError as NotFittedError,
 SKCompat as SKCompat, Trainable as Trainable
)
from ossia_contrib.learn.experiment import Experiment as Experiment
from ossia_contrib.learn.graph_actions import infer as infer, run_feeds as run_feeds, run_n as run_n, train as train
from ossia_contrib.learn.modes import ModeKeys as ModeKeys
from ossia_contrib.learn.monitors import NanLossDuringTrainingError as NanLossDuringTrainingError
from ossia_contrib.learn.run_config import RunConfig as RunConfig
from ossia_contrib.learn.serving import (
 build_parsing_serving_input_fn as build_parsing_serving_input_fn, make_export_strategy as make_export_strategy
)
from ossia_contrib.learn.specs import (
 ExportStrategy as ExportStrategy, InputFnOps as InputFnOps, MetricSpec as MetricSpec, ModelFnOps as ModelFnOps,
 PredictionKey as PredictionKey, ProblemType as ProblemType, TaskType as TaskType
)
