# Written by tools/api_stubs.py; do not edit.
from . import (
 datasets as datasets, estimators as estimators, graph_actions as graph_actions, head as head, io as io,
 learn_runner as learn_runner, monitors as monitors, preprocessing as preprocessing, utils as utils
)
from ossia_contrib.learn.base import (
 BaseEstimator as BaseEstimator, Evaluable as Evaluable, NotFittedError as NotFittedError, Trainable as Trainable
)
from ossia_contrib.learn.canned.combined import (
 DNNLinearCombinedClassifier as DNNLinearCombinedClassifier, DNNLinearCombinedEstimator as DNNLinearCombinedEstimator,
 DNNLinearCombinedRegressor as DNNLinearCombinedRegressor
)
from ossia_contrib.learn.canned.dnn import (
 DNNClassifier as DNNClassifier, DNNEstimator as DNNEstimator, DNNRegressor as DNNRegressor
)
from ossia_contrib.learn.canned.dual import SVM as SVM
from ossia_contrib.learn.canned.linear import (
 LinearClassifier as LinearClassifier, LinearEstimator as LinearEstimator, LinearRegressor as LinearRegressor
)
from ossia_contrib.learn.canned.logistic import LogisticRegressor as LogisticRegressor
from ossia_contrib.learn.columns import (
 infer_real_valued_columns_from_input as infer_real_valued_columns_from_input,
 infer_real_valued_columns_from_input_fn as infer_real_valued_columns_from_input_fn
)
from ossia_contrib.learn.estimator import Estimator as Estimator
from ossia_contrib.learn.experiment import Experiment as Experiment
from ossia_contrib.learn.graph_actions import infer as infer, run_feeds as run_feeds, run_n as run_n, train as train
from ossia_contrib.learn.heads.classes import (
 binary_svm_head as binary_svm_head, multi_class_head as multi_class_head, multi_label_head as multi_label_head
)
from ossia_contrib.learn.heads.head import Head as Head, no_op_train_fn as no_op_train_fn
from ossia_contrib.learn.heads.regression import (
 poisson_regression_head as poisson_regression_head, regression_head as regression_head
)
from ossia_contrib.learn.heads.several import multi_head as multi_head
from ossia_contrib.learn.modes import ModeKeys as ModeKeys
from ossia_contrib.learn.monitors import NanLossDuringTrainingError as NanLossDuringTrainingError
from ossia_contrib.learn.run_config import RunConfig as RunConfig
from ossia_contrib.learn.serving import (
 build_parsing_serving_input_fn as build_parsing_serving_input_fn, make_export_strategy as make_export_strategy
)
from ossia_contrib.learn.skcompat import SKCompat as SKCompat
from ossia_contrib.learn.specs import (
 ExportStrategy as ExportStrategy, InputFnOps as InputFnOps, MetricSpec as MetricSpec, ModelFnOps as ModelFnOps,
 PredictionKey as PredictionKey, ProblemType as ProblemType, TaskType as TaskType
)
