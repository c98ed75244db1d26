"""The class of ragged tensors."""
from __future__ import annotations

from typing import Any

from ossia_core.plugins.api_table import public
from ossia_core.session.run.fetch import register_session_run_conversion_functions
from ossia_ragged import construction, dense, sparse, variants
from ossia_ragged.rows import Rows
from ossia_ragged.value import RaggedTensorValue


@public("RaggedTensor", "compat.v2.RaggedTensor")
class RaggedTensor(Rows):
    """A tensor whose rows may differ in length. It is made by the class methods `from_...` or `tf.ragged.constant`.

    Args:
      values: all rows one after the other, a tensor or a ragged tensor.
      row_splits: where each row starts in `values`, and at the end the number of values.
      cached_row_lengths: the lengths of the rows, where they are known.
      cached_value_rowids: the row of every value, where that is known.
      cached_nrows: the number of rows, where that is known.
      internal: whether a class method calls.
    """

    __slots__ = ()
    # As for tensors, equality is identity.
    __hash__ = object.__hash__

    from_row_splits = classmethod(construction.from_row_splits)
    from_row_lengths = classmethod(construction.from_row_lengths)
    from_row_starts = classmethod(construction.from_row_starts)
    from_row_limits = classmethod(construction.from_row_limits)
    from_value_rowids = classmethod(construction.from_value_rowids)
    from_nested_row_splits = classmethod(construction.from_nested_row_splits)
    from_nested_row_lengths = classmethod(construction.from_nested_row_lengths)
    from_nested_value_rowids = classmethod(construction.from_nested_value_rowids)
    from_tensor = classmethod(dense.from_tensor)
    from_sparse = classmethod(sparse.from_sparse)
    to_tensor = dense.to_tensor
    to_sparse = sparse.to_sparse
    _from_variant = classmethod(variants.from_variant)
    _to_variant = variants.to_variant

    def to_list(self) -> Any:
        """Not for graphs: fetch the tensor, and ask its value."""
        raise ValueError("RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the "
                         "RaggedTensor first and then use RaggedTensorValue.to_list().")

    def __repr__(self) -> str:
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    @property
    def _type_spec(self) -> Any:
        from ossia_ragged.spec import RaggedTensorSpec
        return RaggedTensorSpec.from_value(self)

    @classmethod
    def _dispatch(cls, function: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        from ossia_ragged.dispatch import dispatched
        return dispatched(function, args, kwargs)


def _operator(name: str) -> Any:
    def operator(*args: Any) -> Any:
        from ossia_ragged.operators import OPERATORS
        return OPERATORS[name](*args)

    operator.__name__ = operator.__qualname__ = f"__{name}__"
    return operator


for _name in ("getitem", "bool", "abs", "neg", "invert", "ge", "gt", "le", "lt"):
    setattr(RaggedTensor, f"__{_name}__", _operator(_name))
for _name in ("add", "and", "div", "floordiv", "mod", "mul", "or", "pow", "sub", "truediv", "xor"):
    setattr(RaggedTensor, f"__{_name}__", _operator(_name))
    setattr(RaggedTensor, f"__r{_name}__", _operator(f"r{_name}"))


def _fetched(fetch: RaggedTensor) -> Any:
    def combined(parts: list) -> RaggedTensorValue:
        result = parts[0]
        for splits in reversed(parts[1:]):
            result = RaggedTensorValue(result, splits)
        return result
    return list(fetch.components()), combined


def _fed(key: RaggedTensor, value: Any) -> Any:
    parts = [value.flat_values, *value.nested_row_splits]
    return list(zip(key.components(), parts, strict=True))


register_session_run_conversion_functions(RaggedTensor, _fetched, _fed, lambda key: list(key.components()))
