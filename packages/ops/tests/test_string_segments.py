"""Strings joined by segment, and split, as the original does it; ragged rows need a package of their own."""

import pytest

import ossia as tf
from ossia_core.declare import builders
from ossia_testkit.golden import golden_tests

test_string_segments = golden_tests(__file__, "string_segments_cases.py")


def test_ragged_pieces_name_what_is_needed(monkeypatch):
    string_split = tf.string_split  # looked up while there is a table of names to look it up in
    monkeypatch.setattr(builders.plugins, "api_table", dict)
    builders.builder.cache_clear()
    with pytest.raises(NotImplementedError, match="tf.RaggedTensor .* `pip install ossia-ragged`"):
        string_split(["a b"], result_type="RaggedTensor")
