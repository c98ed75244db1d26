"""`HParams`: named hyperparameters with the types of their first values, set from text or JSON."""

from __future__ import annotations

import json
import numbers
import re
from typing import Any

from ossia_core.plugins.api_table import public

_SETTING = re.compile(r"\s*(?P<name>[a-zA-Z][\w.]*)\s*=\s*(?:\[(?P<list>[^\]]*)\]|(?P<one>[^,\[]*))\s*(?:,|$)")
_TRUTHS = {"true": True, "True": True, "1": True, "false": False, "False": False, "0": False}


def _cast(kind: Any, value: Any, name: str) -> Any:
    """A value as a type, if that loses nothing."""
    refused = ValueError(f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}")
    if kind is type(None) or isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    if kind in (str, bytes) and isinstance(value, (str, bytes)):
        return value.encode() if isinstance(value, str) else value.decode()
    if issubclass(kind, bool) or isinstance(value, bool) or isinstance(value, str):
        raise refused
    if issubclass(kind, numbers.Integral) and not isinstance(value, numbers.Integral):
        raise refused
    if issubclass(kind, numbers.Number) and not isinstance(value, numbers.Number):
        raise refused
    return kind(value)


def _read(kind: Any, text: str, name: str, setting: str) -> Any:
    """A value from its text."""
    try:
        if kind is bool:
            return _TRUTHS[text]
        return text if kind is type(None) else kind(text)
    except (KeyError, ValueError):
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{kind.__name__}' with value '{text}' in {setting}"
        ) from None


@public("contrib.training.HParams", "contrib.training.python.training.hparam.HParams")
class HParams:
    """Hyperparameters, each an attribute, whose types stay those of their first values.

    Args:
      hparam_def: not there: a proto of hyperparameters.
      model_structure: anything that belongs to them.
      **kwargs: the hyperparameters; a list makes one of several values of one type.

    Raises:
      NotImplementedError: `hparam_def` is given.
      ValueError: a name is taken, or a list is empty.
    """

    def __init__(self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any) -> None:
        if hparam_def is not None:
            raise NotImplementedError("HParams(hparam_def=...) is not implemented")
        self._hparam_types: dict[str, tuple[type, bool]] = {}
        self._model_structure = model_structure
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def add_hparam(self, name: str, value: Any) -> None:
        """Adds a hyperparameter.

        Raises:
          ValueError: the name is taken, or the value is an empty list.
        """
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        if isinstance(value, (list, tuple)):
            if not value:
                raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
            self._hparam_types[name] = (type(value[0]), True)
        else:
            self._hparam_types[name] = (type(value), False)
        setattr(self, name, value)

    def set_hparam(self, name: str, value: Any) -> None:
        """Gives a hyperparameter another value.

        Raises:
          KeyError: there is no such hyperparameter.
          ValueError: the value has another type, or is a list where it should not be.
        """
        kind, several = self._hparam_types[name]
        if isinstance(value, list):
            if not several:
                raise ValueError(f"Must not pass a list for single-valued parameter: {name}")
            setattr(self, name, [_cast(kind, one, name) for one in value])
        else:
            if several:
                raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
            setattr(self, name, _cast(kind, value, name))

    def del_hparam(self, name: str) -> None:
        """Removes a hyperparameter, if it is there."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: str) -> HParams:
        """Sets hyperparameters from text like `rate=0.1,sizes=[3,4],name=small`; returns these hyperparameters.

        Raises:
          ValueError: the text is of another form, or has an unknown name or a value of another type.
        """
        found: dict[str, Any] = {}
        place = 0
        while place < len(values):
            match = _SETTING.match(values, place)
            if not match:
                raise ValueError(f"Malformed hyperparameter value: {values[place:]}")
            place, name = match.end(), match["name"]
            setting = match[0].rstrip(",")
            if name not in self._hparam_types:
                raise ValueError(f"Unknown hyperparameter type for {name}")
            kind, _ = self._hparam_types[name]
            if match["list"] is None:
                found[name] = _read(kind, match["one"], name, setting)
            else:
                texts = [text.strip() for text in match["list"].split(",") if text.strip()]
                found[name] = [_read(kind, text, name, setting) for text in texts]
        return self.override_from_dict(found)

    def override_from_dict(self, values_dict: dict[str, Any]) -> HParams:
        """Sets hyperparameters from a dict; returns these hyperparameters."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def parse_json(self, values_json: str) -> HParams:
        """Sets hyperparameters from a JSON object; returns these hyperparameters."""
        return self.override_from_dict(json.loads(values_json))

    def to_json(
        self, indent: Any = None, separators: Any = None, sort_keys: bool = False, remove_callable_values: bool = True
    ) -> str:
        """The hyperparameters as a JSON object.

        Args:
          indent, separators, sort_keys: as for `json.dumps`.
          remove_callable_values: whether functions are left out.
        """
        values = {
            name: value for name, value in self.values().items() if not (remove_callable_values and callable(value))
        }
        return json.dumps(values, indent=indent, separators=separators, sort_keys=sort_keys)

    def get_model_structure(self) -> Any:
        """What `set_model_structure` was given."""
        return self._model_structure

    def set_model_structure(self, model_structure: Any) -> None:
        """Keeps anything that belongs to the hyperparameters."""
        self._model_structure = model_structure

    def values(self) -> dict[str, Any]:
        """The hyperparameters by name."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: str, default: Any = None) -> Any:
        """A hyperparameter, or `default` if there is none.

        Raises:
          ValueError: the default has another type than the hyperparameter.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            kind, several = self._hparam_types[key]
            problem = f"Hparam '{key}' of type '{kind}' is incompatible with default={default}"
            if several is not isinstance(default, list):
                raise ValueError(problem)
            try:
                for one in default if several else [default]:
                    _cast(kind, one, key)
            except ValueError as error:
                raise ValueError(f"{problem}. {error}") from error
        return getattr(self, key)

    def __contains__(self, key: str) -> bool:
        return key in self._hparam_types

    def __str__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in sorted(self.values().items()))

    def __repr__(self) -> str:
        return f"HParams({sorted(self.values().items())})"
