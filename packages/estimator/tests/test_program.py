"""A small model through all that an estimator does gives what the original recorded."""

import importlib.util
import json
import pathlib

import numpy as np
import pytest

import ossia as tf

GOLDEN = pathlib.Path(__file__).parent / "golden"


def load(name):
    spec = importlib.util.spec_from_file_location(name, GOLDEN / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    result = load("program").run(tf, str(tmp_path_factory.mktemp("program")))
    return json.loads(json.dumps(result))


@pytest.fixture(scope="module")
def recorded():
    return json.loads((GOLDEN / "program_golden.json").read_text())


@pytest.mark.parametrize("what", ["evaluate", "evaluate 2", "predict", "variables", "train_and_evaluate"])
def test_values(made, recorded, what):
    assert made[what].keys() == recorded[what].keys()
    for name, value in recorded[what].items():
        np.testing.assert_allclose(made[what][name], value, rtol=2e-5, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("what", ["batches", "exports", "files", "checkpoint", "lines"])
def test_what_is_left(made, recorded, what):
    assert made[what] == recorded[what]


@pytest.mark.parametrize("mode", ["train", "eval", "infer"])
def test_graphs_are_the_originals(made, recorded, mode):
    operations, collections = made["graphs"][mode]
    for ours, theirs in zip(operations, recorded["graphs"][mode][0]):
        assert ours == theirs
    assert len(operations) == len(recorded["graphs"][mode][0])
    assert collections == recorded["graphs"][mode][1]


@pytest.mark.parametrize("folder", ["first", "first/eval", "first/eval_two", "second", "second/eval"])
def test_event_files(made, recorded, folder):
    ours, theirs = made["events"][folder], recorded["events"][folder]
    assert [step for step, _ in ours] == [step for step, _ in theirs]
    for (_, values), (_, wanted) in zip(ours, theirs):
        if isinstance(wanted, str):
            assert values == wanted
            continue
        assert [tag for tag, _ in values] == [tag for tag, _ in wanted]
        for (tag, value), (_, number) in zip(values, wanted):
            if number is None:
                assert value is None
            elif "queue" not in tag:  # how full a queue is depends on time
                assert value == pytest.approx(number, rel=2e-5), tag
