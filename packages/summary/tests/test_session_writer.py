"""Writers that belong to a session."""

import os

import pytest

from ossia_core.graph.graph import Graph
from ossia_core.names import errors
from ossia_core.proto import Summary
from ossia_core.session.session import Session
from ossia_summary.reading import summary_iterator
from ossia_summary.writer import FileWriter


def _steps(directory):
    paths = [os.path.join(directory, name) for name in sorted(os.listdir(directory))]
    return [[event.step for event in summary_iterator(path) if event.HasField("summary")] for path in paths]


def test_writers_of_one_directory_share_a_file(tmp_path):
    with Graph().as_default(), Session() as session:
        first = FileWriter(str(tmp_path), session=session)
        second = FileWriter(str(tmp_path), session=session)
        first.add_summary(Summary(), 1)
        second.add_summary(Summary(), 2)
        first.flush()
        assert _steps(tmp_path) == [[1, 2]]
        first.close()
        first.reopen()
        first.add_summary(Summary(), 3)
        first.close()
        assert _steps(tmp_path) == [[1, 2], [3]]
        with pytest.raises(errors.NotFoundError, match="summary writer"):
            second.flush()
        assert all(name.endswith(".v2") for name in os.listdir(tmp_path))


def test_a_closed_session_leaves_everything_on_disk(tmp_path):
    with Graph().as_default():
        session = Session()
        writer = FileWriter(str(tmp_path), session=session, filename_suffix=".mine")
        writer.add_summary(Summary(), 5)
        session.close()
    assert _steps(tmp_path) == [[5]]
    assert os.listdir(tmp_path)[0].endswith(".mine")
