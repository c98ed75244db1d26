"""The linear model: a weight for each id and number of columns."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ossia_core.control.cond import cond
from ossia_core.graph.convert import constant
from ossia_core.graph.scopes import name_scope
from ossia_core.graph.tensor import Tensor
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_core.primitives.identity import identity
from ossia_core.variables.partition import PartitionedVariable
from ossia_core.variables.variable_scope import variable_scope
from ossia_estimator.canned.choice_of_head import MIN_SLICE_SIZE, check_features, over_servers
from ossia_estimator.canned.optimizers import optimizer_of
from ossia_estimator.model_spec import EstimatorSpec
from ossia_feature_column.linear_layer import LinearModel
from ossia_ops.array.shape import size
from ossia_ops.math.cast import cast, to_float
from ossia_ops.math.comparison import equal
from ossia_ops.math.sums import add_n
from ossia_ops.nn.normalization import zero_fraction
from ossia_summary.histogram import histogram
from ossia_summary.scalar import scalar

_LEARNING_RATE = 0.2


@public("estimator.experimental.linear_logit_fn_builder", "contrib.estimator.linear_logit_fn_builder")
def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = "sum"
) -> Callable[[dict[str, Any]], Tensor]:
    """A function that builds the logits of a linear model.

    Args:
        units: How many logits there are.
        feature_columns: Categorical or dense columns.
        sparse_combiner: How the weights of one categorical column are combined: "sum", "mean" or "sqrtn".

    Returns:
        A function of features by name, which returns logits of shape [batch, units].
    """

    def linear_logit_fn(features: dict[str, Any]) -> Tensor:
        model = LinearModel(
            feature_columns=feature_columns, units=units, sparse_combiner=sparse_combiner, name="linear_model"
        )
        logits = model(features)
        weights = _parts([variable for variable in model.variables if variable is not model.bias])
        bias = _parts([model.bias])
        if units > 1:
            histogram("bias", bias)
        else:
            scalar("bias", bias[0][0])
        scalar("fraction_of_zero_weights", _fraction_of_zero(weights))
        return logits

    return linear_logit_fn


def _parts(variables: Sequence[Any]) -> list[Any]:
    return [
        part for variable in variables
        for part in (variable if isinstance(variable, PartitionedVariable) else [variable])
    ]


def _fraction_of_zero(variables: Sequence[Any]) -> Tensor:
    with name_scope("zero_fraction"):
        with name_scope("total_size"):
            sizes = [size(variable, out_type=dtypes.int64) for variable in variables]
            total = add_n(sizes)
        with name_scope("total_zero"):
            zeros = add_n([_zeros(variable, count) for variable, count in zip(variables, sizes)])
        with name_scope("compute"):
            fraction = zeros / cast(total, dtypes.float32, name="float32_size")
        return identity(fraction, name="zero_fraction_or_nan")


def _zeros(variable: Any, count: Tensor) -> Tensor:
    return cond(
        equal(count, constant(0, dtype=dtypes.int64)),
        true_fn=lambda: constant(0, dtype=dtypes.float32),
        false_fn=lambda: zero_fraction(variable) * to_float(count),
        name="zero_count",
    )


def linear_model_fn(
    features: Any, labels: Any, mode: str, head: Any, feature_columns: Any, optimizer: Any,
    partitioner: Callable | None, config: Any, sparse_combiner: str = "sum",
) -> EstimatorSpec:
    """The model function of linear models.

    Args:
        features: Features by name.
        labels: Labels, as the head takes them.
        mode: A mode of ModeKeys.
        head: The head.
        feature_columns: Categorical or dense columns.
        optimizer: An optimizer, its name, or a function that makes it.
        partitioner: Cuts variables.
        config: The RunConfig.
        sparse_combiner: As for `linear_logit_fn_builder`.

    Raises:
        ValueError: `features` is no dict.
    """
    check_features(features)
    partitioner = partitioner or over_servers(config, min_slice_size=MIN_SLICE_SIZE)
    with variable_scope("linear", values=tuple(features.values()), partitioner=partitioner):
        logit_fn = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)
        logits = logit_fn(features)
        made = optimizer_of(optimizer, _LEARNING_RATE)
        return head.create_estimator_spec(features=features, mode=mode, labels=labels, optimizer=made, logits=logits)
