"""Public names of symbols, results that are to be used, and names that tests replace."""

from __future__ import annotations

import gc
import types
from unittest import mock

import pytest

import ossia as tf
from ossia import logging
from ossia_tensorflow_paths import finder
from ossia_tensorflow_paths.python.util import tf_export as exports
from ossia_tensorflow_paths.python.util import tf_should_use as unused


def test_symbols_know_their_names():
    @exports.tf_export("a.first", "second", v1=["old.first"])
    def symbol():
        pass

    assert exports.get_v2_names(symbol) == ["a.first", "second"] and exports.get_v1_names(symbol) == ["old.first"]
    assert exports.get_canonical_name_for_symbol(symbol) == "a.first"
    assert exports.get_canonical_name_for_symbol(symbol, api_name="keras") is None
    with pytest.raises(exports.SymbolAlreadyExposedError, match="symbol is already exposed as"):
        exports.tf_export("third")(symbol)
    exports.tf_export("third", allow_multiple_exports=True)(symbol)


def test_names_of_version_1_alone():
    symbol = exports.tf_export(v1=["old"])(lambda: None)
    assert exports.get_canonical_name_for_symbol(symbol) == "old"
    assert exports.get_canonical_name_for_symbol(symbol, add_prefix_to_v1_names=True) == "compat.v1.old"


@pytest.mark.parametrize(
    ("export", "name"), [("tf_export", "estimator.a"), ("estimator_export", "a"), ("keras_export", "a")]
)
def test_names_of_other_libraries_are_refused(export, name):
    with pytest.raises(exports.InvalidSymbolNameError):
        getattr(exports, export)(name)


def test_constants_know_their_names(monkeypatch):
    module = types.ModuleType("constants_of_a_test")
    monkeypatch.setitem(__import__("sys").modules, module.__name__, module)
    exports.tf_export("a.B", v1=["B"]).export_constant(module.__name__, "B")
    assert exports.get_v2_constants(module) == [(("a.B",), "B")] and exports.get_v1_constants(module) == [(["B"], "B")]


def test_results_that_nobody_uses_are_logged():
    made = unused.should_use_result(lambda: tf.constant(0, name="made"))
    with tf.Graph().as_default(), mock.patch.object(logging, "error") as error:
        made()
        gc.collect()
    text = "\n".join(error.call_args[0])
    assert "Object was never used" in text and "made:0" in text and "test_results_that_nobody_uses" in text


@pytest.mark.parametrize(
    "use", [lambda t: t.mark_used(), lambda t: t.name, lambda t: t + 1, lambda t: tf.add(t, 1)]
)
def test_results_that_are_used_are_not_logged(use):
    with tf.Graph().as_default(), mock.patch.object(logging, "error") as error:
        result = unused._add_should_use_warning(tf.constant(0))
        use(result)
        del result
        gc.collect()
    error.assert_not_called()


def test_results_to_be_used_can_be_run():
    with tf.Graph().as_default(), tf.Session() as session:
        result = unused._add_should_use_warning(tf.constant(3))
        assert session.run([result, result * 2]) == [3, 6]


def test_the_time_of_savers_is_replaced_where_it_is_read():
    module = finder.PrivateModule("tensorflow.python.training.saver", ())
    import time

    from ossia_checkpoint import saver

    with mock.patch.object(module, "time") as clock:
        assert saver.time is clock
    assert saver.time is module.time is time
