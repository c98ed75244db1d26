"""What to parse from Examples: the features of columns, with labels and weights."""
from __future__ import annotations

from typing import Any

from ossia_core.declare.builders import builder
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_feature_column.numeric import NumericColumn, numeric_column
from ossia_feature_column.parsing_spec import make_parse_example_spec


@public("estimator.classifier_parse_example_spec", "compat.v2.estimator.classifier_parse_example_spec")
def classifier_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = dtypes.int64, label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:
    """What to parse for a classifier.

    Args:
        feature_columns: The columns of the model.
        label_key: Key of the labels.
        label_dtype: Their dtype: integer, or string where the classifier has a vocabulary.
        label_default: The label where an Example has none; by default each has to have one.
        weight_column: Key or numeric column of weights.

    Returns:
        A dict from keys to `FixedLenFeature` or `VarLenFeature`, for `tf.io.parse_example`.

    Raises:
        ValueError: A key is used twice, or something is no column.
    """
    label = builder("io.FixedLenFeature")((1,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


@public("estimator.regressor_parse_example_spec", "compat.v2.estimator.regressor_parse_example_spec")
def regressor_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = dtypes.float32, label_default: Any = None,
    label_dimension: int = 1, weight_column: Any = None,
) -> dict[str, Any]:
    """What to parse for a regressor.

    Args:
        feature_columns: As for `classifier_parse_example_spec`, as are the others but the next to last.
        label_key: Key of the labels.
        label_dtype: Their dtype.
        label_default: The label where an Example has none.
        label_dimension: How many numbers a label has.
        weight_column: Key or numeric column of weights.

    Raises:
        ValueError: As there.
    """
    label = builder("io.FixedLenFeature")((label_dimension,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


def _with_label(spec: dict[str, Any], label_key: str, label: Any, weight_column: Any) -> dict[str, Any]:
    if label_key in spec:
        raise ValueError(f"label should not be used as feature. label_key: {label_key}, features: {spec.keys()}")
    spec[label_key] = label
    if weight_column is None:
        return spec
    column = numeric_column(weight_column) if isinstance(weight_column, str) else weight_column
    if not isinstance(column, NumericColumn):
        raise ValueError(
            f"weight_column should be an instance of tf.feature_column.numeric_column. Given type: {type(column)} "
            f"value: {column}"
        )
    if column.key in spec:
        raise ValueError(
            f"weight_column should not be used as feature. weight_column: {column.key}, features: {spec.keys()}"
        )
    return {**spec, **column.parse_example_spec}
