"""Assertions about arrays and tensors, a mixin of `TestCase`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import unittest

    _Base = unittest.TestCase
else:
    _Base = object

_SHOWN = 10  # how many offending elements a message lists


def _is_tensor(value: Any) -> bool:
    return hasattr(value, "_as_graph_element") or type(value).__name__ == "Tensor"


class ArrayAssertions(_Base):
    """Assertions that compare arrays element by element; tensors are evaluated first."""

    def evaluate(self, tensors: Any) -> Any:
        """Returns the values of tensors."""
        raise NotImplementedError(f"{type(self).__name__}.evaluate")

    def _GetNdArray(self, a: Any) -> np.ndarray:
        if _is_tensor(a):
            a = self.evaluate(a)
        return a if isinstance(a, np.ndarray) else np.array(a)

    def assertAllClose(self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None) -> None:
        """Fails unless two values are equal within `atol + rtol * abs(b)`, element by element.

        Args:
            a: an array, a number or a tensor, or a structure of them: dicts, lists, namedtuples.
            b: the expected value.
            rtol: the relative tolerance.
            atol: the absolute tolerance.
            msg: what the failure's text begins with.

        Raises:
            ValueError: if a dict is compared with something else.
        """
        self._assert_close(a, b, rtol, atol, "" if msg is None else str(msg), "")

    def _assert_close(self, a: Any, b: Any, rtol: float, atol: float, msg: str, path: str) -> None:
        a, b = (x._asdict() if hasattr(x, "_asdict") else x for x in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        if isinstance(a, Mapping):
            self.assertCountEqual(
                a.keys(),
                b.keys(),
                f"{msg} mismatched keys: a{path} has keys {a.keys()}, but b{path} has keys {b.keys()}.",
            )
            for key in a:
                self._assert_close(a[key], b[key], rtol, atol, msg, f"{path}[{key}]")
            return
        if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            arrays = self._as_arrays(a, b)
            if arrays is None:
                self.assertEqual(len(a), len(b), f"{msg} mismatched lengths: a{path} vs b{path}")
                for index, (one, other) in enumerate(zip(a, b)):
                    self._assert_close(one, other, rtol, atol, msg, f"{path}[{index}]")
                return
            a, b = arrays
        self._assert_arrays_close(self._GetNdArray(a), self._GetNdArray(b), rtol, atol, msg, path)

    def _as_arrays(self, a: Any, b: Any) -> tuple[np.ndarray, np.ndarray] | None:
        """Two sequences as arrays of numbers; `None` if they are structures instead."""
        try:
            arrays = (
                self._GetNdArray([self._evaluated(x) for x in a]),
                self._GetNdArray([self._evaluated(x) for x in b]),
            )
        except (ValueError, TypeError):
            return None
        return None if any(array.dtype == object for array in arrays) else arrays

    def _evaluated(self, value: Any) -> Any:
        return self.evaluate(value) if _is_tensor(value) else value

    def _assert_arrays_close(self, a: np.ndarray, b: np.ndarray, rtol: float, atol: float, msg: str, path: str) -> None:
        where = f" At a{path}." if path else ""
        self.assertEqual(
            a.shape,
            b.shape,
            f"{msg}Shape mismatch: expected {a.shape}, got {b.shape} with contents {_shown(b)}.{where}",
        )
        if np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True):
            return
        with np.errstate(all="ignore"):
            off = ~np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
            difference = np.abs(np.asarray(a[off] - b[off]))
            allowed = np.asarray(atol + rtol * np.abs(b[off]))
        self.fail(
            f"Not equal to tolerance rtol={rtol:g}, atol={atol:g}\n"
            f"Mismatched value: a{path} is different from b{path}. {msg}\n{_offending('close', a, b, off)}"
            f"not close dif = {_shown(difference)}\nnot close tol = {_shown(allowed)}\n"
            f"dtype = {a.dtype}, shape = {a.shape}\nMismatched elements: {off.sum()} / {a.size}"
        )

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: Any = None,
    ) -> None:
        """Like `assertAllClose`, with tolerances at least those of the less precise of the two types."""
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        types = {a.dtype.name, b.dtype.name}
        if types & {"float32", "complex64"}:
            rtol, atol = max(rtol, float_rtol), max(atol, float_atol)
        if "float16" in types:
            rtol, atol = max(rtol, half_rtol), max(atol, half_atol)
        if "bfloat16" in types:
            rtol, atol = max(rtol, bfloat16_rtol), max(atol, bfloat16_atol)
            a, b = a.astype(np.float32), b.astype(np.float32)
        self.assertAllClose(a, b, rtol=rtol, atol=atol, msg=msg)

    def assertNotAllClose(self, a: Any, b: Any, **kwargs: Any) -> None:
        """Fails if `assertAllClose` passes."""
        try:
            self.assertAllClose(a, b, **kwargs)
        except AssertionError:
            return
        raise AssertionError("The two values are close at all elements")

    def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Fails unless two arrays have the same shape and equal elements; NaN equals NaN."""
        msg = "" if msg is None else msg
        a, b = self._GetNdArray(a), self._GetNdArray(b)
        self.assertEqual(
            a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}. Contents: {_shown(a)}. \n{msg}."
        )
        off = ~_same(a, b)
        if off.any():
            self.fail(
                f"Arrays are not equal\n{msg}\n{_offending('equal', a, b, off)}"
                f"Mismatched elements: {off.sum()} / {a.size}"
            )

    def assertNotAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
        """Fails if two arrays have the same shape and equal elements."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements{'' if msg is None else f' {msg}'}")

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Fails unless all elements are greater than a value."""
        self.assertGreater(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Fails unless all elements are less than a value."""
        self.assertLess(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Fails if an element is less than a value."""
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), comparison_target)

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Fails if an element is greater than a value."""
        self.assertLessEqual(np.max(self._GetNdArray(a)), comparison_target)

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Fails unless all elements are in a range, which contains its bounds unless said to be open."""
        values = self._GetNdArray(target)
        if not (np.issubdtype(values.dtype, np.floating) or np.issubdtype(values.dtype, np.integer)):
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it has type: {values.dtype}"
            )
        below: Callable[[Any, Any], Any] = np.less_equal if open_lower_bound else np.less
        above: Callable[[Any, Any], Any] = np.greater_equal if open_upper_bound else np.greater
        off = below(values, lower_bound) | above(values, upper_bound) | (values != values)
        if off.any():
            bounds = f"{'[('[open_lower_bound]}{lower_bound}, {upper_bound}{'])'[open_upper_bound]}"
            places = zip(np.argwhere(off)[:_SHOWN], values[off])
            listed = [f"  {place} : {value}" for place, value in places] + ["  ..."] * bool(off.sum() > _SHOWN)
            raise AssertionError(
                f"{off.sum()} of the {values.size} element(s) are outside the range {bounds}. "
                "Subscript(s) and value(s) of the offending elements:\n" + "\n".join(listed)
            )

    def assertAllInSet(self, target: Any, expected_set: Any) -> None:
        """Fails unless all elements are in a set."""
        missing = set(self._GetNdArray(target).ravel().tolist()) - set(expected_set)
        if missing:
            raise AssertionError(
                f"{len(missing)} unique element(s) are not in the set {expected_set}: {sorted(missing)}"
            )

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """Fails unless an array has an element type."""
        found = target.dtype if _is_tensor(target) else self._GetNdArray(target).dtype
        if found != expected_dtype:
            raise AssertionError(f"{found!r} != {expected_dtype!r}")

    def assertArrayNear(self, farray1: Sequence[float], farray2: Sequence[float], err: float, msg: Any = None) -> None:
        """Fails unless two sequences have equal lengths, and numbers that differ by at most `err`."""
        self.assertEqual(len(farray1), len(farray2), msg=msg)
        for one, other in zip(farray1, farray2):
            self.assertNear(float(one), float(other), err, msg=msg)

    def assertNDArrayNear(self, ndarray1: Any, ndarray2: Any, err: float, msg: Any = None) -> None:
        """Fails unless the distance of two arrays, the norm of their difference, is below `err`."""
        self.assertTrue(np.linalg.norm(ndarray1 - ndarray2) < err, msg=msg)

    def assertNear(self, f1: float, f2: float, err: float, msg: Any = None) -> None:
        """Fails unless two numbers, or arrays of one, differ by at most `err`."""
        f1, f2 = np.asarray(f1).item(), np.asarray(f2).item()
        text = f"{f1:f} != {f2:f} +/- {err:f}{'' if msg is None else f' ({msg})'}"
        self.assertTrue(f1 == f2 or math.fabs(f1 - f2) <= err, text)

    def assertShapeEqual(self, np_array: Any, tf_tensor: Any, msg: Any = None) -> None:
        """Fails unless an array has the static shape of a tensor.

        Raises:
            TypeError: if the arguments are no array and no tensor.
        """
        if not isinstance(np_array, (np.ndarray, np.generic)):
            raise TypeError("np_array must be a Numpy ndarray or Numpy scalar")
        if not _is_tensor(tf_tensor):
            raise TypeError("tf_tensor must be a Tensor")
        self.assertEqual(list(np_array.shape), tf_tensor.get_shape().as_list(), msg=msg)


def _same(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    same = np.asarray(a == b)
    if same.shape != a.shape:  # types that NumPy does not compare are never equal
        same = np.zeros(a.shape, bool)
    if all(np.issubdtype(x.dtype, np.inexact) for x in (a, b)):
        same |= np.isnan(a) & np.isnan(b)
    return same


def _offending(relation: str, a: np.ndarray, b: np.ndarray, off: np.ndarray) -> str:
    """Where two arrays are not `relation`, and what they have there."""
    where = f"not {relation} where = {np.nonzero(off)}\n" if a.ndim else ""
    return f"{where}not {relation} lhs = {_shown(a[off])}\nnot {relation} rhs = {_shown(b[off])}\n"


def _shown(values: np.ndarray) -> str:
    return np.array2string(values, threshold=1000, edgeitems=_SHOWN)
