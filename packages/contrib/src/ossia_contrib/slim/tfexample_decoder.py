"""Items of `tf.train.Example`s: what makes tensors of parsed features."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import ossia as tf
from ossia_contrib.slim.data_decoder import DataDecoder
from ossia_core.plugins.api_table import public

_WHERE = "contrib.slim.tfexample_decoder."


@public(_WHERE + "ItemHandler")
class ItemHandler(metaclass=abc.ABCMeta):
    """Makes one item of the features under some keys.

    Args:
      keys: a key or several.
    """

    def __init__(self, keys: Any) -> None:
        self._keys = list(keys) if isinstance(keys, (tuple, list)) else [keys]

    @property
    def keys(self) -> list[str]:
        """The keys of the features."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        """The item made of the tensors of the features."""


@public(_WHERE + "ItemHandlerCallback")
class ItemHandlerCallback(ItemHandler):
    """An item that a function makes of a dict of the tensors.

    Args:
      keys: the keys.
      func: the function.
    """

    def __init__(self, keys: Any, func: Callable[[dict[str, Any]], Any]) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        return self._func(keys_to_tensors)


@public(_WHERE + "BoundingBox")
class BoundingBox(ItemHandler):
    """Boxes `[boxes, 4]` of four features.

    Args:
      keys: names of the four; by default ymin, xmin, ymax, xmax.
      prefix: what the names begin with.

    Raises:
      ValueError: there are not four keys.
    """

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        self._prefix = prefix
        self._full_keys = [prefix + key for key in keys]
        super().__init__(self._full_keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        sides = []
        for key in self._full_keys:
            side = keys_to_tensors[key]
            if isinstance(side, tf.SparseTensor):
                side = side.values
            sides.append(tf.expand_dims(side, 0))
        return tf.transpose(tf.concat(sides, 0))


def _shape_of(keys_to_tensors: dict[str, Any], shape_keys: Sequence[str]) -> Any:
    dims = []
    for key in shape_keys:
        dim = keys_to_tensors[key]
        dims.append(tf.sparse.to_dense(dim) if isinstance(dim, tf.SparseTensor) else dim)
    return tf.reshape(tf.stack(dims), [-1])


@public(_WHERE + "Tensor")
class Tensor(ItemHandler):
    """The tensor of a feature, in a shape.

    Args:
      tensor_key: the key of the feature.
      shape_keys: keys of features that hold the sizes.
      shape: the shape, if there are no `shape_keys`.
      default_value: what a sparse tensor has where it has nothing.

    Raises:
      ValueError: there are both a shape and keys for it.
    """

    def __init__(self, tensor_key: str, shape_keys: Any = None, shape: Any = None, default_value: Any = 0) -> None:
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key = tensor_key
        self._shape_keys = shape_keys
        self._shape = shape
        self._default_value = default_value
        super().__init__([tensor_key, *(shape_keys or ())])

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        tensor = keys_to_tensors[self._tensor_key]
        shape = self._shape
        if self._shape_keys:
            shape = _shape_of(keys_to_tensors, self._shape_keys)
        if isinstance(tensor, tf.SparseTensor):
            if shape is not None:
                tensor = tf.sparse.reshape(tensor, shape)
            return tf.sparse.to_dense(tensor, self._default_value)
        return tensor if shape is None else tf.reshape(tensor, shape)


@public(_WHERE + "LookupTensor")
class LookupTensor(Tensor):
    """What a table has for the values of a feature.

    Args:
      tensor_key, shape_keys, shape, default_value: as for `Tensor`.
      table: a lookup table.
    """

    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None, default_value: Any = ""
    ) -> None:
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


@public(_WHERE + "BackupHandler")
class BackupHandler(ItemHandler):
    """The item of one handler, or of another where that is empty.

    Args:
      handler: the first.
      backup: the other.

    Raises:
      ValueError: one is no handler.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        for given in (handler, backup):
            if not isinstance(given, ItemHandler):
                which = "Primary" if given is handler else "Backup"
                raise ValueError(f"{which} handler is of type {type(given)} instead of ItemHandler")
        self._handler = handler
        self._backup = backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        return tf.cond(
            pred=tf.equal(tf.reduce_prod(tf.shape(item)), 0),
            true_fn=lambda: self._backup.tensors_to_item(keys_to_tensors), false_fn=lambda: item,
        )


@public(_WHERE + "SparseTensor")
class SparseTensor(ItemHandler):
    """A sparse tensor of features with its indices and its values.

    Args:
      indices_key, values_key, shape_key: keys of the features; "indices" and "values" by default.
      shape: the shape, in place of a feature.
      densify: whether a dense tensor is made of it.
      default_value: what that has where there is nothing.
    """

    def __init__(
        self, indices_key: str | None = None, values_key: str | None = None, shape_key: str | None = None,
        shape: Any = None, densify: bool = False, default_value: Any = 0,
    ) -> None:
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key = shape_key
        self._shape = shape
        self._densify = densify
        self._default_value = default_value
        keys = [self._indices_key, self._values_key]
        super().__init__([*keys, shape_key] if shape_key else keys)

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        indices, values = keys_to_tensors[self._indices_key], keys_to_tensors[self._values_key]
        if self._shape_key:
            shape = keys_to_tensors[self._shape_key]
            if isinstance(shape, tf.SparseTensor):
                shape = tf.sparse.to_dense(shape)
        elif self._shape:
            shape = self._shape
        else:
            shape = indices.dense_shape
        shape = tf.cast(shape, tf.int64)
        count = tf.size(shape)
        columns = tf.transpose(tf.reshape(indices.values, tf.stack([count, -1])))
        tensor = tf.SparseTensor(tf.cast(columns, tf.int64), values.values, shape)
        return tf.sparse.to_dense(tensor, self._default_value) if self._densify else tensor


@public(_WHERE + "Image")
class Image(ItemHandler):
    """A decoded image.

    Args:
      image_key: key of the bytes; "image/encoded" by default.
      format_key: key of the name of the format; "image/format" by default.
      shape: shape of the image, if known.
      channels: number of channels.
      dtype: dtype of a raw image.
      repeated: whether the feature holds several images.
      dct_method: how JPEGs are decoded.
    """

    def __init__(
        self, image_key: str | None = None, format_key: str | None = None, shape: Any = None, channels: int = 3,
        dtype: Any = tf.uint8, repeated: bool = False, dct_method: str = "",
    ) -> None:
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape = shape
        self._channels = channels
        self._dtype = dtype
        self._repeated = repeated
        self._dct_method = dct_method

    def tensors_to_item(self, keys_to_tensors: dict[str, Any]) -> Any:
        buffer, image_format = keys_to_tensors[self._image_key], keys_to_tensors[self._format_key]
        if self._repeated:
            return tf.map_fn(lambda x: self._decode(x, image_format), buffer, dtype=self._dtype)
        return self._decode(buffer, image_format)

    def _decode(self, buffer: Any, image_format: Any) -> Any:
        def decoded() -> Any:
            return tf.cast(tf.image.decode_image(buffer, channels=self._channels), self._dtype)

        def jpeg() -> Any:
            image = tf.image.decode_jpeg(buffer, channels=self._channels, dct_method=self._dct_method)
            return tf.cast(image, self._dtype)

        def jpeg_or_other() -> Any:
            return tf.cond(tf.image.is_jpeg(buffer), jpeg, decoded, name="cond_jpeg")

        def raw() -> Any:
            return tf.decode_raw(buffer, out_type=self._dtype)

        is_raw = tf.logical_or(tf.equal(image_format, "raw"), tf.equal(image_format, "RAW"))
        image = tf.case({is_raw: raw}, default=jpeg_or_other, exclusive=True)
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else tf.reshape(image, self._shape)


@public(_WHERE + "TFExampleDecoder")
class TFExampleDecoder(DataDecoder):
    """Parses serialized Examples into items.

    Args:
      keys_to_features: features by key, as for `tf.parse_single_example`.
      items_to_handlers: for each item its handler.
    """

    def __init__(self, keys_to_features: dict[str, Any], items_to_handlers: dict[str, ItemHandler]) -> None:
        self._keys_to_features = keys_to_features
        self._items_to_handlers = items_to_handlers

    def list_items(self) -> list[str]:
        return list(self._items_to_handlers.keys())

    def decode(self, serialized_example: Any, items: Sequence[str] | None = None) -> list[Any]:
        """The tensors of some items, of all if None, of one serialized Example."""
        example = tf.parse_single_example(serialized_example, self._keys_to_features)
        for key in sorted(self._keys_to_features):
            feature = self._keys_to_features[key]
            if isinstance(feature, tf.FixedLenFeature):
                example[key] = tf.reshape(example[key], feature.shape)
        outputs = []
        for item in items or self._items_to_handlers.keys():
            handler = self._items_to_handlers[item]
            outputs.append(handler.tensors_to_item({key: example[key] for key in handler.keys}))
        return outputs
