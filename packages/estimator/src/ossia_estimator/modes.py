"""What a model is built for."""
from ossia_core.plugins.api_table import public


@public("estimator.ModeKeys", "compat.v2.estimator.ModeKeys")
class ModeKeys:
    """What a model function is asked to build: a model to train, to evaluate, or to predict with."""

    TRAIN = "train"
    EVAL = "eval"
    PREDICT = "infer"
