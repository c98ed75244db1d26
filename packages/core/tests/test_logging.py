"""`tf.logging`: texts, levels, and which calls are logged."""

import logging as python_logging
import subprocess
import sys

import pytest

from ossia_core.names import logging


@pytest.fixture
def messages(caplog):
    level = python_logging.getLogger("tensorflow").level
    logging.set_verbosity(logging.INFO)
    yield lambda: [(record.levelname, record.getMessage()) for record in caplog.records]
    logging.set_verbosity(level)


def test_levels(messages):
    logging.debug("no")
    logging.info("x %d", 3)
    logging.warn("w")
    logging.warning("w%s", 2)
    logging.error("e")
    logging.fatal("f")
    logging.log(logging.INFO, "l %s", "a")
    logging.vlog(20, "v")
    logging.vlog(1, "no")
    logging.TaskLevelStatusMessage("t")
    logging.log_if(logging.INFO, "if %s", True, "y")
    logging.log_if(logging.INFO, "no", False)
    assert messages() == [
        ("INFO", "x 3"), ("WARNING", "w"), ("WARNING", "w2"), ("ERROR", "e"), ("CRITICAL", "f"), ("INFO", "l a"),
        ("INFO", "v"),
        ("ERROR", "t"), ("INFO", "if y"),
    ]  # fmt: skip
    with pytest.raises(TypeError):
        logging.log("INFO", "x")


def test_calls_are_counted_by_line(messages):
    for i in range(5):
        logging.log_every_n(logging.INFO, "every %d", 2, i)
        logging.log_first_n(logging.INFO, "first %d", 2, i)
    texts = [text for _, text in messages()]
    assert sorted(texts) == ["every 0", "every 2", "every 4", "first 0", "first 1"]


def test_records_name_the_line_of_the_call(messages, caplog):
    logging.info("here")
    logging.log_first_n(logging.INFO, "here", 1)
    assert {record.filename for record in caplog.records} == {"test_logging.py"}


def test_verbosity(messages):
    assert logging.get_verbosity() == logging.INFO
    logging.set_verbosity("DEBUG")
    assert logging.get_verbosity() == logging.DEBUG
    logging.set_verbosity(5)
    assert logging.get_verbosity() == 5
    with pytest.raises(ValueError):
        logging.set_verbosity("foo")
    logging.flush()


@pytest.mark.parametrize(
    "setup,text",
    [("", "WARNING:tensorflow:w\n"), ("import logging; logging.basicConfig(format='%(message)s')\n", "w\n")],
)
def test_handler(setup, text):
    code = f"""{setup}from ossia_core.names import logging
logging.info('no'); logging.warn('w'); assert logging.get_verbosity() == logging.WARN"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", text)
