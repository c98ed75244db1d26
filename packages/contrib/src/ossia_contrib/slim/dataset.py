"""Datasets: files, with what reads and decodes them."""

from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public


@public("contrib.slim.dataset.Dataset")
class Dataset:
    """Where examples are, and how tensors are made of them; every argument is an attribute.

    Args:
      data_sources: paths or patterns of files.
      reader: class of the reader, `tf.TFRecordReader` among them.
      decoder: a DataDecoder.
      num_samples: how many examples there are.
      items_to_descriptions: for each item what it is.
      **kwargs: further attributes.
    """

    def __init__(
        self, data_sources: Any, reader: Any, decoder: Any, num_samples: Any, items_to_descriptions: Any, **kwargs: Any
    ) -> None:
        kwargs.update(
            data_sources=data_sources, reader=reader, decoder=decoder, num_samples=num_samples,
            items_to_descriptions=items_to_descriptions,
        )
        self.__dict__.update(kwargs)
