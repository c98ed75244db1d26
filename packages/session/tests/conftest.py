"""Fixtures: a fresh graph for each test, and what is logged."""

import logging

import pytest

import ossia as tf


@pytest.fixture(autouse=True)
def graph():
    """The test's default graph."""
    with tf.Graph().as_default() as graph:
        yield graph
    tf.summary.FileWriterCache.clear()


@pytest.fixture
def logged(caplog):
    """A function that gives the messages so far and forgets them."""
    caplog.set_level(logging.INFO, "tensorflow")

    def messages():
        found = [record.getMessage() for record in caplog.records]
        caplog.clear()
        return found

    return messages


@pytest.fixture
def counter():
    """The global step, and an operation that increases it."""
    step = tf.train.get_or_create_global_step()
    return step, tf.assign_add(step, 1)
