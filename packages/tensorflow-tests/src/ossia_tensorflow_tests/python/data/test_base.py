"""`python.data.kernel_tests.test_base`: the base class of tests of datasets."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import ossia as tf
from ossia_core.graph.composites import SparseTensorValue
from ossia_data import structure as nested


class DatasetTestBase(tf.test.TestCase):
    """A test case that runs datasets and compares their elements."""

    @classmethod
    def setUpClass(cls) -> None:
        """Nothing more than the class above does."""
        super().setUpClass()

    def assert_op_cancelled(self, op: Any) -> None:
        """Check that running an op raises CancelledError."""
        with self.assertRaises(tf.errors.CancelledError):
            self.evaluate(op)

    def assertValuesEqual(self, expected: Any, actual: Any) -> None:
        """Check that two values, sparse or ragged ones among them, are equal."""
        if isinstance(expected, SparseTensorValue):
            for name in ("indices", "values", "dense_shape"):
                self.assertAllEqual(getattr(expected, name), getattr(actual, name))
        elif hasattr(expected, "to_list"):
            self.assertEqual(expected.to_list(), actual.to_list())
        else:
            self.assertAllEqual(expected, actual)

    def getNext(
        self, dataset: Any, requires_initialization: bool = False, shared_name: str | None = None
    ) -> Callable[[], Any]:
        """What returns the tensors of the next element."""
        if requires_initialization:
            iterator = tf.data.make_initializable_iterator(dataset, shared_name)
            self.evaluate(iterator.initializer)
        else:
            iterator = tf.data.make_one_shot_iterator(dataset)
        following = iterator.get_next()
        return lambda: following

    def _compareOutputToExpected(self, result_values: Any, expected_values: Any, assert_items_equal: bool) -> None:
        if assert_items_equal:
            self.assertItemsEqual(expected_values, result_values)
            return
        for result, expected in zip(result_values, expected_values, strict=False):
            parts, wanted = nested.flatten(result), nested.flatten(expected)
            self.assertEqual(len(parts), len(wanted))
            for part, want in zip(parts, wanted, strict=True):
                self.assertValuesEqual(want, part)

    def assertDatasetProduces(
        self, dataset: Any, expected_output: Any = None, expected_shapes: Any = None, expected_error: Any = None,
        requires_initialization: bool = False, num_test_iterations: int = 1, assert_items_equal: bool = False,
        expected_error_iter: int = 1,
    ) -> None:
        """Check what elements a dataset has, or which error it raises."""
        self.assertTrue(
            expected_error is not None or expected_output is not None,
            "Exactly one of expected_output or expected error should be provided.",
        )
        if expected_error:
            self.assertTrue(
                expected_output is None, "Exactly one of expected_output or expected error should be provided."
            )
            kind, pattern = expected_error
            with self.assertRaisesWithPredicateMatch(kind, pattern):
                following = self.getNext(dataset, requires_initialization=requires_initialization)
                for _ in range(expected_error_iter):
                    self.evaluate(following())
            return
        if expected_shapes:
            self.assertEqual(expected_shapes, tf.data.get_output_shapes(dataset))
        self.assertGreater(num_test_iterations, 0)
        for _ in range(num_test_iterations):
            following = self.getNext(dataset, requires_initialization=requires_initialization)
            found = [self.evaluate(following()) for _ in range(len(expected_output))]
            self._compareOutputToExpected(found, expected_output, assert_items_equal)
            for _ in range(2):
                with self.assertRaises(tf.errors.OutOfRangeError):
                    self.evaluate(following())

    def assertDatasetsEqual(self, dataset1: Any, dataset2: Any) -> None:
        """Check that two datasets have the same elements."""
        self.assertEqual(
            nested.flatten(tf.data.get_output_types(dataset1)), nested.flatten(tf.data.get_output_types(dataset2))
        )
        following = [self.getNext(dataset) for dataset in (dataset1, dataset2)]
        while True:
            try:
                first = self.evaluate(following[0]())
            except tf.errors.OutOfRangeError:
                with self.assertRaises(tf.errors.OutOfRangeError):
                    self.evaluate(following[1]())
                return
            second = self.evaluate(following[1]())
            for one, other in zip(nested.flatten(first), nested.flatten(second), strict=True):
                self.assertValuesEqual(one, other)

    def assertDatasetsRaiseSameError(
        self, dataset1: Any, dataset2: Any, exception_class: Any, replacements: Any = None
    ) -> None:
        """Check that two datasets raise one error, but for the names in their messages."""
        following = [self.getNext(dataset) for dataset in (dataset1, dataset2)]
        try:
            self.evaluate(following[0]())
        except exception_class as error:
            message = re.escape(error.message)
            for old, new in replacements or []:
                message = message.replace(old, new)
            with self.assertRaisesRegex(exception_class, message):
                self.evaluate(following[1]())
            return
        raise ValueError(f"Expected dataset1 to raise an exception of type {exception_class!r}, but it did not.")

    def structuredDataset(self, structure: Any, shape: Any = None, dtype: Any = tf.int64) -> Any:
        """A dataset of one element of a structure: random numbers for None, tuples of them for tuples."""
        if structure is None:
            return tf.data.Dataset.from_tensors(tf.zeros([] if shape is None else shape, dtype=dtype))
        return tf.data.Dataset.zip(tuple([self.structuredDataset(part, shape, dtype) for part in structure]))

    def structuredElement(self, structure: Any, shape: Any = None, dtype: Any = tf.int64) -> Any:
        """An element of a structure."""
        if structure is None:
            return tf.zeros([] if shape is None else shape, dtype=dtype)
        return tuple([self.structuredElement(part, shape, dtype) for part in structure])
