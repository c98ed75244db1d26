"""NumPy as programs of TensorFlow 1 knew it: names that NumPy 2 took away, its old printing, its old `load`.

They are put in place when NumPy is imported, and the first use of one is told once, on standard error. `ossia run
--strict` leaves NumPy as it is.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

_BUILTIN: dict[str, Any] = {
    "float": float, "int": int, "bool": bool, "object": object, "str": str, "complex": complex, "long": int,
    "unicode": str,
}  # fmt: skip
_RENAMED = {
    "product": "prod", "cumproduct": "cumprod", "sometrue": "any", "alltrue": "all", "round_": "round",
    "row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid", "Inf": "inf", "Infinity": "inf", "infty": "inf",
    "PINF": "inf", "NaN": "nan", "NAN": "nan", "float_": "float64", "complex_": "complex128",
    "singlecomplex": "complex64", "cfloat": "complex128",
    "longfloat": "longdouble", "clongfloat": "clongdouble", "longcomplex": "clongdouble",
    "unicode_": "str_", "string_": "bytes_", "Bytes0": "bytes_", "Str0": "str_", "Datetime64": "datetime64",
    "Uint64": "uint64", "bool8": "bool_", "object0": "object_", "int0": "intp", "uint0": "uintp", "void0": "void",
    "mat": "asmatrix", "rank": "ndim",
}  # fmt: skip
_MADE: dict[str, Callable[[Any], Any]] = {
    "NINF": lambda np: -np.inf,
    "PZERO": lambda np: 0.0,
    "NZERO": lambda np: -0.0,
    "asscalar": lambda np: lambda a: np.asarray(a).item(),
    "asfarray": lambda np: lambda a, dtype=np.float64: np.asarray(
        a, dtype if np.issubdtype(dtype, np.inexact) else np.float64
    ),
    "msort": lambda np: lambda a: np.sort(a, axis=0),
    "cast": lambda np: _Casts(np),
    "issubsctype": lambda np: lambda a, b: issubclass(np.dtype(a).type, np.dtype(b).type),
    "issctype": lambda np: lambda rep: isinstance(rep, type) and issubclass(rep, np.generic),
    "obj2sctype": lambda np: lambda rep, default=None: np.dtype(rep).type,
    "sctype2char": lambda np: lambda sctype: np.dtype(sctype).char,
    "find_common_type": lambda np: lambda array_types, scalar_types: np.result_type(*array_types, *scalar_types),
}
_METHODS: dict[str, Callable[..., Any]] = {
    "tostring": lambda array, order="C": array.tobytes(order),
    "itemset": lambda array, *args: array.__setitem__(
        args[0] if len(args) > 1 and isinstance(args[0], tuple) else
        (() if len(args) == 1 else __import__("numpy").unravel_index(args[0], array.shape)), args[-1]
    ),
    "ptp": lambda array, *args, **kwargs: __import__("numpy").ptp(array, *args, **kwargs),
    "newbyteorder": lambda array, order="S": array.view(array.dtype.newbyteorder(order)),
}  # fmt: skip
_told: set[str] = set()


class _Casts(dict):
    """`np.cast[dtype](values)`."""

    def __init__(self, np: Any) -> None:
        super().__init__()
        self._np = np

    def __missing__(self, dtype: Any) -> Callable[[Any], Any]:
        return lambda values: self._np.asarray(values).astype(dtype)


def install() -> None:
    """Puts the old names into NumPy: at once if it is loaded, else when it is imported."""
    if "numpy" in sys.modules:
        _restore(sys.modules["numpy"])
    elif not any(isinstance(finder, _NumpyFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _NumpyFinder())


class _NumpyFinder:
    """Finds NumPy as always, and completes it after it is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """NumPy's own spec, with a loader that completes the module; None for any other module."""
        if fullname != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def complete(module: ModuleType) -> None:
                execute(module)
                _restore(module)

            spec.loader.exec_module = complete  # type: ignore[method-assign]
        return spec


def _restore(np: Any) -> None:
    np.set_printoptions(legacy="1.21")  # scalars print as numbers, not as np.float32(0.5)
    own = vars(np).get("__getattr__")

    def lookup(name: str) -> Any:
        if name in _BUILTIN:
            found = _BUILTIN[name]
        elif name in _RENAMED and hasattr(np, _RENAMED[name]):
            found = getattr(np, _RENAMED[name])
        elif name in _MADE:
            found = _MADE[name](np)
        elif own is not None:
            return own(name)
        else:
            raise AttributeError(f"module 'numpy' has no attribute {name!r}", name=name, obj=np)
        _tell(f"np.{name}")
        setattr(np, name, found)
        return found

    np.__getattr__ = lookup
    _restore_methods(np)
    np.load = _loader(np.load)


def _restore_methods(np: Any) -> None:
    """Gives arrays and scalars the methods that NumPy took away: `array.tostring()`."""
    for kind in (np.ndarray, np.generic):
        missing = {name: method for name, method in _METHODS.items() if not hasattr(kind, name)}
        if not missing:
            continue
        [names] = gc.get_referents(vars(kind))  # the type's own dict: Python gives no other way into a type made in C
        for name, method in missing.items():
            names[name] = _telling(name, method)
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


def _telling(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def called(array: Any, *args: Any, **kwargs: Any) -> Any:
        _tell(f"ndarray.{name}()")
        return method(array, *args, **kwargs)

    called.__name__ = name
    return called


def _loader(load: Callable[..., Any]) -> Callable[..., Any]:
    """`np.load` as before NumPy 1.16.3: what a program loads without saying more may hold pickled objects."""

    @functools.wraps(load)
    def lenient(file: Any, mmap_mode: Any = None, allow_pickle: Any = None, *args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__", "").partition(".")[0]
        if allow_pickle is None and caller != "numpy" and not caller.startswith("ossia"):
            try:
                return load(file, mmap_mode, False, *args, **kwargs)
            except ValueError as error:
                if "allow_pickle" not in str(error):
                    raise
                if hasattr(file, "seek"):
                    file.seek(0)
            _tell("np.load of pickled objects")
            allow_pickle = True
        return load(file, mmap_mode, bool(allow_pickle), *args, **kwargs)

    return lenient


def _tell(what: str) -> None:
    if not _told:
        print(
            f"ossia run: {what} is of an older NumPy; it and its like are served as they were (--strict: as they are)",
            file=sys.stderr,
        )
    _told.add(what)
