"""Event files: what is written, when it is on disk, and what a killed process or a damaged file leaves."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from ossia_core.graph.convert import constant
from ossia_core.graph.graph import Graph
from ossia_core.names import errors
from ossia_core.proto import Event, GraphDef, MetaGraphDef, RunMetadata, SessionLog, Summary
from ossia_summary.description import get_summary_description
from ossia_summary.event_file import EventFileWriter, EventsWriter
from ossia_summary.reading import summary_iterator
from ossia_summary.writer import FileWriter, FileWriterCache, SummaryWriter


def _loss(value, tag="loss", **more):
    return Summary(value=[Summary.Value(tag=tag, simple_value=value, **more)])


def _events(directory):
    return [
        event for name in sorted(os.listdir(directory)) for event in summary_iterator(os.path.join(directory, name))
    ]


def test_a_file_begins_with_its_version(tmp_path):
    with FileWriter(str(tmp_path / "new" / "logs")) as writer:
        assert writer.get_logdir() == str(tmp_path / "new" / "logs")
        writer.flush()
        assert os.listdir(tmp_path / "new" / "logs") == []
        writer.add_summary(_loss(1.5), 3)
        writer.add_summary(_loss(2.5).SerializeToString())
        writer.flush()
        first, second, third = _events(tmp_path / "new" / "logs")
    assert first.file_version == "brain.Event:2"
    assert (second.step, second.summary) == (3, _loss(1.5))
    assert second.wall_time >= first.wall_time > 1e9
    assert (third.step, third.summary) == (0, _loss(2.5))
    (name,) = os.listdir(tmp_path / "new" / "logs")
    prefix, seconds, host = name.partition(".tfevents.")[0], name.split(".")[3], name.split(".", 4)[4]
    assert prefix == "events.out" and len(seconds) == 10 and host


def test_a_graph(tmp_path):
    graph = Graph()
    with graph.as_default():
        constant(1.0, name="x")
    with FileWriter(str(tmp_path), graph, filename_suffix=".sfx") as writer:
        writer.add_graph(graph.as_graph_def(), 4)
        writer.add_meta_graph(MetaGraphDef(), 2)
        writer.add_session_log(SessionLog(status=SessionLog.START), 5)
        writer.add_run_metadata(RunMetadata(), "run", 6)
        with pytest.raises(ValueError, match="tag was already used"):
            writer.add_run_metadata(RunMetadata(), "run", 7)
        with pytest.raises(ValueError, match="only graph, or graph_def"):
            writer.add_graph(graph, graph_def=GraphDef())
        with pytest.raises(TypeError, match="meta_graph_def"):
            writer.add_meta_graph("x")
        for wrong in ("x", None):
            with pytest.raises(TypeError, match="instance of `Graph`"):
                writer.add_graph(wrong)
        with pytest.raises(TypeError, match="expected an Event"):
            writer.add_event(3)
    events = _events(tmp_path)
    assert [(e.WhichOneof("what"), e.step) for e in events] == [
        ("file_version", 0),
        ("graph_def", 0),
        ("meta_graph_def", 0),
        ("graph_def", 4),
        ("meta_graph_def", 2),
        ("session_log", 5),
        ("tagged_run_metadata", 6),
    ]
    shown = GraphDef.FromString(events[1].graph_def)
    assert [node.name for node in shown.node] == ["x"]
    assert shown.node[0].attr["_output_shapes"].list.shape
    assert MetaGraphDef.FromString(events[2].meta_graph_def).graph_def.node[0].name == "x"
    assert os.listdir(tmp_path)[0].endswith(".sfx")


def test_the_metadata_of_a_tag_is_written_once(tmp_path):
    described = _loss(1.0)
    described.value[0].metadata.display_name = "shown"
    with FileWriter(str(tmp_path)) as writer:
        writer.add_summary(described, 1)
        writer.add_summary(described, 2)
    assert described.value[0].metadata.display_name == "shown"
    assert [e.summary.value[0].metadata.display_name for e in _events(tmp_path)[1:]] == ["shown", ""]


def test_closing_and_opening_again(tmp_path):
    writer = FileWriter(str(tmp_path))
    writer.add_summary(_loss(1.0), 1)
    writer.close()
    writer.close()
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.add_summary(_loss(2.0), 2)
    with pytest.warns(UserWarning, match="closed FileWriter"):
        writer.flush()
    writer.reopen()
    writer.add_summary(_loss(3.0), 3)
    writer.close()
    assert len(os.listdir(tmp_path)) == 2  # nothing that was written is lost, within one second either
    assert [e.step for e in _events(tmp_path) if e.HasField("summary")] == [1, 3]


def test_no_thread_before_the_first_event(tmp_path):
    before = threading.active_count()
    writer = FileWriter(str(tmp_path))
    assert threading.active_count() == before
    writer.add_summary(_loss(1.0))
    assert threading.active_count() == before + 1
    writer.close()
    assert threading.active_count() == before


def test_a_forgotten_writer_writes_everything(tmp_path):
    writer = FileWriter(str(tmp_path))
    for step in range(50):
        writer.add_summary(_loss(1.0), step)
    del writer
    assert len(_events(tmp_path)) == 51


def test_flush_secs(tmp_path):
    writer = EventFileWriter(str(tmp_path), flush_secs=0)
    done = threading.Event()
    writer.add_event(Event(step=7))
    for _ in range(200):
        if len(_events(tmp_path)) == 2:
            break
        done.wait(0.01)
    assert _events(tmp_path)[1].step == 7
    writer.close()


def test_events_that_cannot_be_written_are_reported(tmp_path):
    writer = EventFileWriter(str(tmp_path / "logs"))
    (tmp_path / "logs").rmdir()
    writer.add_event(Event(step=1))
    with pytest.raises(errors.NotFoundError):
        writer.flush()
    writer.close()


@pytest.mark.parametrize("as_proto", [False, True])
def test_a_writer_of_a_graph_says_which_ops_it_uses(tmp_path, as_proto):
    graph = Graph()
    with graph.as_default():
        constant(1.0)
    given = {"graph_def": graph.as_graph_def()} if as_proto else {"graph": graph}
    FileWriter(str(tmp_path), **given).close()
    meta_graph = MetaGraphDef.FromString(_events(tmp_path)[2].meta_graph_def)
    assert [op.name for op in meta_graph.meta_info_def.stripped_op_list.op] == ["Const"]
    assert meta_graph.meta_info_def.tensorflow_version == "1.15.5"
    assert ("_output_shapes" in meta_graph.graph_def.node[0].attr) is not as_proto


def test_old_names(tmp_path):
    graph = Graph()
    with graph.as_default():
        constant(1.0)
    with SummaryWriter(str(tmp_path), graph.as_graph_def()) as writer:
        writer.add_graph(graph, 2)
        writer.add_graph(graph_def=graph.as_graph_def(), global_step=3)
    assert [(e.WhichOneof("what"), e.step) for e in _events(tmp_path)[1:]] == [
        ("graph_def", 0),
        ("meta_graph_def", 0),
        ("graph_def", 2),
        ("graph_def", 3),
    ]


def test_writers_are_shared(tmp_path):
    writer = FileWriterCache.get(str(tmp_path))
    assert FileWriterCache.get(str(tmp_path)) is writer
    FileWriterCache.clear()
    assert FileWriterCache.get(str(tmp_path)) is not writer
    FileWriterCache.clear()


def test_damaged_files(tmp_path):
    writer = EventsWriter(str(tmp_path / "events"))
    for step in range(3):
        writer.write(Event(step=step, wall_time=1.0).SerializeToString())
    writer.write(b"\xff\xff")
    writer.close()
    events = summary_iterator(writer.path)
    assert [next(events).step for _ in range(4)] == [0, 0, 1, 2]
    with pytest.raises(errors.DataLossError, match="no Event"):
        next(events)
    with pytest.raises(errors.NotFoundError):
        list(summary_iterator(str(tmp_path / "none")))


KILLED = """
import sys
from ossia_core.proto import Summary
from ossia_summary.writer import FileWriter
writer = FileWriter(sys.argv[1], flush_secs=0)
step = 0
while True:
    writer.add_summary(Summary(value=[Summary.Value(tag="x" * 300, simple_value=step)]), step)
    if step == 20:
        writer.flush()
        print("ready", flush=True)
    step += 1
"""


def test_what_a_killed_process_leaves(tmp_path):
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], stdout=subprocess.PIPE)
    process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    steps = []
    try:
        for event in summary_iterator(str(next(tmp_path.iterdir()))):
            steps.append(event.step)
    except errors.DataLossError as error:
        assert "truncated" in str(error)
    assert steps == [0, *range(len(steps) - 1)]
    assert len(steps) > 20


def test_descriptions():
    graph = GraphDef()
    node = graph.node.add(op="TensorSummary")
    node.attr["description"].s = b'{"typeHint": "abc"}'
    assert get_summary_description(node).type_hint == "abc"
    node.op = "Other"
    with pytest.raises(ValueError, match="get_summary_description"):
        get_summary_description(node)


def test_a_suffix_makes_the_file_at_once(tmp_path):
    def names():
        return [path.name for path in tmp_path.iterdir()]
    FileWriter(str(tmp_path)).close()
    assert names() == []
    writer = FileWriter(str(tmp_path), filename_suffix=".sfx")
    assert [name.endswith(".sfx") for name in names()] == [True]
    writer.add_session_log(SessionLog(status=SessionLog.START), 5)
    writer.close()
    assert [event.step for event in _events(tmp_path)] == [0, 5]
    writer.close()
    assert len(names()) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_child_is_told_that_it_cannot_write(tmp_path):
    writer = EventFileWriter(str(tmp_path))
    writer.add_event(Event(step=1))
    writer.flush()
    child = os.fork()
    if not child:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(30)
        try:
            writer.flush()
            said = False
        except errors.FailedPreconditionError:
            said = True
        os._exit(0 if said else 1)
    assert os.waitpid(child, 0)[1] == 0
    writer.add_event(Event(step=2))
    writer.close()
    (path,) = tmp_path.iterdir()
    assert [event.step for event in summary_iterator(str(path))] == [0, 1, 2]
