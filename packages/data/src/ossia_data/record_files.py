"""`tf.data.experimental.TFRecordWriter`: the elements of a dataset as the records of a file."""
from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import lookup, op
from ossia_core.graph.convert import convert_to_tensor
from ossia_core.graph.type_spec import TensorSpec
from ossia_core.names import dtypes
from ossia_core.plugins.api_table import public
from ossia_data import structure
from ossia_data.dataset import DatasetV2
from ossia_data.elements import Iteration
from ossia_data.files import compression, kinds
from ossia_data.settings import BOTH
from ossia_io.records import TFRecordOptions
from ossia_io.records import TFRecordWriter as FileWriter

for _prefix in BOTH:
    _made = op(
        f"{_prefix}DatasetToTFRecord(input_dataset: variant, filename: string, compression_type: string)", stateful=True
    )
    _made.not_differentiable()

    @_made.kernel
    def _(input_dataset, filename, compression_type, *, session):
        kind = compression(compression_type)
        options = TFRecordOptions(getattr(kinds(), kind or "NONE"))
        with FileWriter(np.asarray(filename, object).item().decode(), options) as writer:
            for element in input_dataset.start(Iteration(session)):
                writer.write(np.asarray(element[0], object).item())


@public("data.experimental.TFRecordWriter", "compat.v2.data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes the elements of datasets to a TFRecord file.

    Args:
        filename: The name of the file, a string scalar.
        compression_type: "" or None, "ZLIB" or "GZIP".
    """

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        self._filename = convert_to_tensor(filename, dtypes.string, name="filename")
        self._compression_type = convert_to_tensor(
            "" if compression_type is None else compression_type, dtypes.string, name="compression_type"
        )

    def write(self, dataset: DatasetV2) -> Any:
        """An operation that writes all elements of a dataset.

        Raises:
            TypeError: It is no dataset of string scalars.
        """
        if not isinstance(dataset, DatasetV2):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        spec = dataset.element_spec
        if structure.legacy_types(spec) != dtypes.string or not TensorSpec([], dtypes.string).is_compatible_with(spec):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
                f"{structure.legacy_shapes(spec)} and types {structure.legacy_types(spec)}"
            )
        return lookup("DatasetToTFRecord")(dataset._variant_tensor, self._filename, self._compression_type)
