"""Variables as objects: protos, creators, parts, scopes and templates, with no package but core."""

import numpy as np
import pytest

import ossia as tf
from ossia_core.graph.scopes import prepend_name_scope, strip_name_scope
from ossia_core.variables.partition import PartitionInfo
from ossia_core.variables.variable import SaveSliceInfo, from_definition


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def zeros(shape, dtype=None, partition_info=None):
    return tf.constant(0, dtype, shape)


BOTH = pytest.mark.parametrize("use_resource", [False, True], ids=["ref", "resource"])


@BOTH
def test_from_proto(use_resource):
    variable = tf.Variable([1.0, 2.0], name="v", use_resource=use_resource, trainable=False)
    variable._set_save_slice_info(SaveSliceInfo("whole", [4], [2], [2]))
    again = from_definition(variable.to_proto())
    assert type(again) is type(variable)
    assert (again.name, again.op, again.initializer, again.trainable) == (
        "v:0",
        variable.op,
        variable.initializer,
        False,
    )
    assert again.initial_value is variable.initial_value
    assert again._get_save_slice_info().spec == "4 2,2"
    with tf.Session() as session:
        session.run(again.initializer)
        np.testing.assert_array_equal(session.run(again), [1, 2])


@BOTH
def test_proto_of_a_scope(use_resource):
    with tf.variable_scope("outer"):
        variable = tf.get_variable("v", [1], initializer=zeros, use_resource=use_resource)
    inner = variable.to_proto(export_scope="outer")
    assert inner.variable_name == "v:0"
    assert variable.to_proto(export_scope="other") is None
    assert from_definition(inner, import_scope="outer").op is variable.op


@pytest.mark.parametrize("name, inside", [("a", "s/a"), ("^a", "^s/a"), ("loc:@a", "loc:@s/a"), ("a/b:0", "s/a/b:0")])
def test_names_in_and_out_of_scopes(name, inside):
    assert prepend_name_scope(name, "s") == prepend_name_scope(name, "s/") == inside
    assert strip_name_scope(inside, "s") == strip_name_scope(inside, "s/") == name
    assert prepend_name_scope(name, None) == strip_name_scope(name, "") == name
    assert strip_name_scope("other/a", "s") == "other/a"


def test_creators_see_arguments_from_the_inside_out():
    seen = []

    def creator(label):
        def create(next_creator, **kwargs):
            seen.append((label, kwargs["name"]))
            return next_creator(**{**kwargs, "name": kwargs["name"] + label})

        return create

    with tf.variable_creator_scope(creator("_outer")), tf.variable_creator_scope(creator("_inner")):
        variable = tf.Variable(1.0, name="v")
    assert variable.name == "v_inner_outer:0"
    assert seen == [("_inner", "v"), ("_outer", "v_inner")]


def test_subclasses_are_made_as_any_class():
    class Mine(tf.Variable):
        def __init__(self):
            self.made = True

    assert Mine().made


@pytest.mark.parametrize("switched", [False, True])
def test_resource_variables_by_default(switched):
    if switched:
        tf.enable_resource_variables()
    try:
        kinds = [
            hasattr(v, "handle")
            for v in (
                tf.Variable(1.0),
                tf.get_variable("v", [], initializer=zeros),
                tf.Variable(1.0, use_resource=not switched),
            )
        ]
    finally:
        tf.disable_resource_variables()
    assert kinds == [switched, switched, not switched]


def test_partition_info():
    info = PartitionInfo([4, 3], [2, 0])
    assert info.single_slice_dim([2, 3]) == 0
    assert info.single_offset([2, 3]) == 2
    assert info.single_slice_dim([2, 3]) == 0
    for shape, offset, error in (([4], [4], ValueError), ([4], [0, 0], ValueError), (4, [0], TypeError)):
        with pytest.raises(error):
            PartitionInfo(shape, offset)
    with pytest.raises(ValueError, match="would exceed"):
        info.single_slice_dim([3, 3])
    with pytest.raises(ValueError, match="either dimension"):
        info.single_slice_dim([1, 1])


def test_scopes_of_threads_are_their_own():
    import threading

    found = []
    graph = tf.get_default_graph()

    def look():
        with graph.as_default():
            found.append(tf.get_variable_scope().name)

    with tf.variable_scope("here"):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found == [""]


def test_a_scope_that_fails_is_left():
    with pytest.raises(RuntimeError), tf.variable_scope("a"):
        raise RuntimeError
    assert tf.get_variable_scope().name == ""
    assert tf.get_default_graph().get_name_scope() == ""


def test_template_names_where_it_was_made():
    template = tf.make_template("t", lambda: tf.Variable(1.0))
    template()
    with pytest.raises(ValueError, match="(?s)Trainable variable created.*originally defined at.*test_variables"):
        template()


def test_global_step():
    assert tf.train.get_global_step() is None
    step = tf.train.get_or_create_global_step()
    assert tf.train.get_global_step() is step is tf.train.get_or_create_global_step()
    with pytest.raises(ValueError, match="already exists"):
        tf.train.create_global_step()
    with tf.Session() as session:
        session.run(step.initializer)
        session.run(tf.assign_add(step, 3))
        assert tf.train.global_step(session, step) == 3
