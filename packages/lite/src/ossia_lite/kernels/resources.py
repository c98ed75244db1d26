"""Tables and variables that a model keeps between its runs, by handle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_lite.kernels import Call


def _held(call: Call, handle: np.ndarray) -> Any:
    return call.resources.setdefault(int(handle.reshape(-1)[0]), {})


def _new(call: Call, key: Any) -> np.ndarray:
    """The handle of a resource, by what names it."""
    names = call.resources.setdefault("names", {})
    return np.array([names.setdefault(key, len(names))], np.int32)


def hashtable(call: Call) -> np.ndarray:
    """The handle of a table."""
    return _new(call, ("table", call.options.table_id))


def hashtable_import(call: Call, handle: np.ndarray, keys: np.ndarray, values: np.ndarray) -> Any:
    """Fills a table, the first time that it is asked to."""
    table = _held(call, handle)
    if not table:
        table.update(zip(keys.reshape(-1).tolist(), values.reshape(-1).tolist(), strict=True))
    return ()


def hashtable_find(call: Call, handle: np.ndarray, keys: np.ndarray, default: np.ndarray) -> np.ndarray:
    """The values of keys, `default` where there is none."""
    table, other = _held(call, handle), default.reshape(-1)[0]
    found = np.empty(keys.size, default.dtype)
    found[:] = [table.get(key, other) for key in keys.reshape(-1).tolist()]
    return found.reshape(keys.shape)


def hashtable_size(call: Call, handle: np.ndarray) -> np.ndarray:
    """The number of keys of a table."""
    return np.array([len(_held(call, handle))], np.int64)


def var_handle(call: Call) -> np.ndarray:
    """The handle of a variable."""
    return _new(call, ("variable", call.option("container") or "", call.option("shared_name") or ""))


def assign_variable(call: Call, handle: np.ndarray, value: np.ndarray) -> Any:
    """Gives a variable a value."""
    _held(call, handle)["value"] = value.copy()
    return ()


def read_variable(call: Call, handle: np.ndarray) -> np.ndarray:
    """The value of a variable."""
    held = _held(call, handle)
    if "value" not in held:
        raise RuntimeError("READ_VARIABLE: the variable has no value yet.")
    return held["value"]


def hashtable_lookup(call: Call, wanted: np.ndarray, keys: np.ndarray, values: np.ndarray) -> Any:
    """The rows of `values` at the places of keys, zeros where there is none, and which were found."""
    places = np.searchsorted(keys, wanted)
    hits = (places < keys.size) & (keys[np.minimum(places, max(keys.size - 1, 0))] == wanted)
    rows = values[np.where(hits, places, 0)]
    if rows.dtype == object:
        rows[~hits] = b""
    else:
        rows = np.where(hits.reshape(-1, *[1] * (rows.ndim - 1)), rows, np.zeros((), rows.dtype))
    return rows, hits.astype(np.uint8)
