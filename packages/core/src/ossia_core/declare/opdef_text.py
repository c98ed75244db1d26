"""Op types as messages write them: `Op<name=Neg; signature=x:T -> y:T; attr=T:type,allowed=[DT_HALF, ...]>`."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ossia_core.names import dtypes

if TYPE_CHECKING:
    from ossia_core.declare.opdef import Arg, Attr, OpDef

_LONG = 15  # items of a list, from which on its middle is left out
_SHOWN = 5  # items at each end of such a list


def summary(definition: OpDef) -> str:
    """The op type with its arguments and attributes."""
    ends = [", ".join(f"{arg.name}:{_type(arg)}" for arg in args) for args in (definition.inputs, definition.outputs)]
    attrs = "".join(f"; attr={attr.name}:{attr.kind}{_limits(attr)}" for attr in definition.attrs.values())
    stateful = "; is_stateful=true" if definition.stateful else ""
    return f"Op<name={definition.type}; signature={ends[0]} -> {ends[1]}{attrs}{stateful}>"


def _type(arg: Arg) -> str:
    if arg.type_list_attr:
        return ""
    kind = arg.type_attr or dtypes.engine_name(arg.type)  # type: ignore[arg-type]
    text = f"{arg.number_attr}*{kind}" if arg.number_attr else kind
    return f"Ref({text})" if arg.is_ref else text


def _limits(attr: Attr) -> str:
    from ossia_core.declare.opdef import MISSING
    text = "" if attr.default is MISSING else f",default={_value(attr.default)}"
    if attr.minimum is not None:
        text += f",min={attr.minimum}"
    return text if attr.allowed is None else f"{text},allowed={_value(list(attr.allowed))}"


def _value(value: Any) -> str:
    if isinstance(value, list):
        items = [_value(item) for item in value]
        if len(items) >= _LONG:
            items[_SHOWN:-_SHOWN] = ["..."]
        return f"[{', '.join(items)}]"
    if isinstance(value, dtypes.DType):
        return f"DT_{dtypes.engine_name(value).upper()}"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (bytes, str)):
        text = value.decode(errors="replace") if isinstance(value, bytes) else value
        return f'"{text}"'
    if isinstance(value, float):
        return f"{value:g}"
    if hasattr(value, "as_tuple"):
        dims = value.as_tuple()
        return "<unknown>" if dims is None else f"[{','.join('?' if d is None else str(d) for d in dims)}]"
    return str(value)
