"""A run that TensorFlow 1.15 began and saved goes on here as it does there, with every optimizer and its slots."""
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import ossia as tf

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="module")
def program():
    """The program that the original ran."""
    spec = importlib.util.spec_from_file_location("make_resume", GOLDEN / "make_resume.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("resource", [False, True])
def test_goes_on_from_the_originals_checkpoint(program, resource):
    expected = json.loads((GOLDEN / "resume_golden.json").read_text())
    with tf.Graph().as_default(), tf.Session() as session:
        variables, averages, train, saver = program.build(tf, resource)
        assert [v.op.name for v in variables] == expected["names"]
        saver.restore(session, program.CHECKPOINT)
        found = program.run(session, variables, averages, train)
    for step, (got, wanted) in enumerate(zip(found, expected["after"], strict=True)):
        for variable, a, b in zip([*variables, *averages], got, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6, err_msg=f"{variable.op.name} after step {step}")


@pytest.mark.parametrize("resource", [False, True])
def test_saving_and_restoring_changes_nothing(program, resource, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        variables, averages, train, saver = program.build(tf, resource)
        session.run(tf.global_variables_initializer())
        program.run(session, variables, averages, train)
        path = saver.save(session, str(tmp_path / "model"))
        uninterrupted = program.run(session, variables, averages, train)
    with tf.Graph().as_default(), tf.Session() as session:
        variables, averages, train, saver = program.build(tf, resource)
        saver.restore(session, path)
        assert program.run(session, variables, averages, train) == uninterrupted


def test_same_names_and_shapes_in_the_file(program, tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        *_, saver = program.build(tf, False)
        session.run(tf.global_variables_initializer())
        path = saver.save(session, str(tmp_path / "model"))
    assert tf.train.list_variables(path) == tf.train.list_variables(program.CHECKPOINT)
