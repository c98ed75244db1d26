"""Raw features, and what columns have made of them while a layer is called."""

from __future__ import annotations

from typing import Any

from ossia_feature_column.interface import FeatureColumn
from ossia_feature_column.raw_features import RawFeatures


class FeatureTransformationCache(RawFeatures):
    """Raw features, and what columns have made of them; each column transforms once.

    Args:
        features: Dict from keys to tensors, SparseTensors or what converts to tensors.
    """

    def get(self, key: Any, state_manager: Any) -> Any:
        """The raw feature of a key, at least a matrix, or the transformed feature of a column.

        Raises:
            ValueError: There is no such feature, it is a scalar, or the column makes None.
            TypeError: `key` is neither a string nor a column.
        """
        if key not in self._tensors:
            self._tensors[key] = self._made(
                key, FeatureColumn, lambda column: column.transform_feature(self, state_manager)
            )
        return self._tensors[key]
