"""Functional control flow, ordered effects and other parts of control flow under private names."""

import gc

import pytest

import ossia as tf
from ossia_core.primitives.variable_ops import handle_data
from ossia_tensorflow_paths import finder, table
from ossia_tensorflow_paths.python.framework import auto_control_deps as effects
from ossia_tensorflow_paths.python.framework import func_graph, test_util
from ossia_tensorflow_paths.python.ops import cond_v2 as functional_control
from ossia_tensorflow_paths.python.ops import control_flow_util as control_flow
from ossia_tensorflow_paths.python.ops import custom_gradient as handles
from ossia_tensorflow_paths.python.util import object_identity as identity


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def chosen():
    return tf.cond(tf.constant(True), lambda: 1, lambda: 2).op.type


def test_the_switch_can_be_set_by_its_private_name():
    finder.install()
    from tensorflow.python.ops import control_flow_util

    assert control_flow_util.ENABLE_CONTROL_FLOW_V2 is False
    control_flow_util.ENABLE_CONTROL_FLOW_V2 = True
    try:
        assert chosen() == "Identity" and tf.control_flow_v2_enabled() and control_flow_util.ENABLE_CONTROL_FLOW_V2
        assert control_flow_util.EnableControlFlowV2(tf.get_default_graph())
    finally:
        control_flow_util.ENABLE_CONTROL_FLOW_V2 = False
    assert chosen() == "Merge"


def test_tests_run_with_functional_control_flow_too():
    seen = []

    @test_util.with_control_flow_v2
    class Case:
        def test_choice(self):
            seen.append(chosen())

        @test_util.disable_control_flow_v2("not there")
        def test_old(self):
            pass

    names = sorted(name for name in vars(Case) if name.startswith("test"))
    assert names == ["test_choice", "test_choiceWithControlFlowV2", "test_old"]
    for name in names:
        getattr(Case(), name)()
    assert seen == ["Merge", "Identity"] and not tf.control_flow_v2_enabled()


def test_functional_conditionals_and_loops():
    x, pred = tf.constant(2.0), tf.placeholder(tf.bool)
    both = functional_control.cond_v2(pred, lambda: [x * 2], lambda: [x], name="c")
    case = functional_control.indexed_case(tf.constant(1), [lambda: 5, lambda: 6])
    loop = functional_control.while_loop(lambda i: i < 3, lambda i: i + 1, [0])
    assert both[0].op.inputs[0].op.type == "StatelessIf" and isinstance(loop, list)
    with tf.Session() as session:
        assert session.run([both, case, loop], {pred: True}) == [[4.0], 6, [3]]
    with pytest.raises(TypeError):
        functional_control.indexed_case(1, [lambda: 5])
    assert not functional_control.in_defun() and not tf.control_flow_v2_enabled()


def test_effects_are_ordered():
    v = tf.get_variable("v", [], initializer=tf.ones_initializer(), use_resource=True)

    def updates(mark):
        v.assign(v + 1)
        v.assign(2 * v)
        return mark(v.read_value())

    with tf.Session() as session:
        session.run(v.initializer)
        with effects.AutomaticControlDependencies() as control:
            value = updates(control.mark_as_return)
        assert session.run(value) == 4.0
        assert session.run(effects.automatic_control_dependencies(updates)(lambda x: x)) == 10.0
    control = effects.AutomaticControlDependencies()
    control.__enter__()
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="Graph changed"):
        control.__exit__(None, None, None)


@pytest.mark.parametrize(
    ("before", "branches", "after", "expected"),
    [
        (None, ("v + 1", "v + 4"), None, [2.0, 5.0]),
        ("v * 2", (None, "v + 4"), None, [2.0, 6.0]),
        (None, (None, "v + 4"), "v * 2", [2.0, 10.0]),
        (None, ("v + 1", ("v * 2", "v * 3")), "v * 10", [20.0, 20.0, 20.0, 30.0]),
    ],
)
def test_effects_around_a_conditional_keep_their_order(before, branches, after, expected):
    v, preds = tf.Variable(1.0, use_resource=True), [tf.placeholder(tf.bool, []) for _ in range(2)]

    def built(what, depth=0):
        if isinstance(what, tuple):
            tf.cond(preds[depth], lambda: built(what[0], depth + 1), lambda: built(what[1], depth + 1))
        elif what is not None:
            v.assign(v * float(what[4:]) if "*" in what else v + float(what[4:]))
        return 1.0

    with effects.AutomaticControlDependencies() as control:
        for what in (before, branches, after):
            built(what)
        value = control.mark_as_return(v.read_value())
    for i, wanted in enumerate(expected):
        places = [i == 0, i == 2] if len(expected) == 2 else [i < 2, i % 2 == 0]
        with tf.Session() as session:
            session.run(v.initializer)
            assert session.run(value, dict(zip(preds, places, strict=True))) == wanted


def test_values_of_loops_stay_inside(graph):
    inside = []
    tf.while_loop(lambda i: i < 3, lambda i: inside.append(i + 1) or inside[0], [0])
    user = tf.no_op()
    with pytest.raises(ValueError, match="is in a while loop"):
        control_flow.CheckInputFromValidContext(user, inside[0].op)
    control_flow.CheckInputFromValidContext(inside[0].op, user)
    assert not control_flow.InXlaContext(graph) and not control_flow.IsInXLAContext(user)


def test_variables_by_name():
    v = tf.get_variable("v", [], use_resource=True)
    assert handles.get_variable_by_name("v") is v
    with pytest.raises(ValueError, match="Unsuccessful"):
        handles.get_variable_by_name("w")
    with tf.Graph().as_default():
        other = tf.placeholder(tf.resource)
        handles.copy_handle_data(v.handle, other)
        assert handle_data(other) == handle_data(v.handle) is not None


def test_weak_keys():
    class Key:
        pass

    keys, members = identity.ObjectIdentityWeakKeyDictionary(), identity.ObjectIdentityWeakSet()
    first, second = Key(), Key()
    keys[first], keys[second] = 1, 2
    members.add(first)
    assert keys[first] == 1 and len(keys) == 2 and first in members and second not in members
    del second
    gc.collect()
    assert list(keys) == [first] and list(members) == [first]
    members.discard(first)
    assert len(members) == 0


def test_modules_serve_them():
    finder.install()
    from tensorflow.python.framework import auto_control_deps
    from tensorflow.python.ops import (
        cond_v2,
        control_flow_ops,
        custom_gradient,
        gradients_util,
        variable_scope,
        while_v2,
    )

    assert auto_control_deps.AutomaticControlDependencies is effects.AutomaticControlDependencies
    assert cond_v2.cond_v2 is functional_control.cond_v2 and while_v2.while_loop is functional_control.while_loop
    tf.cond(tf.constant(True), lambda: 1, lambda: 2, name="c")
    context = tf.get_default_graph().get_collection(tf.GraphKeys.COND_CONTEXT)[0]
    assert isinstance(context, control_flow_ops.CondContext) and not isinstance(context, control_flow_ops.WhileContext)
    assert custom_gradient.get_variable_by_name is handles.get_variable_by_name
    assert gradients_util.IsTrainable(tf.constant(1.0)) and not gradients_util.IsTrainable(tf.constant(1))
    assert variable_scope._get_default_variable_store() is not None


def test_bodies_of_nodes():
    x = tf.constant(3.0)
    choice = functional_control.cond_v2(tf.constant(True), lambda: x * x, lambda: x, name="").op.inputs[0].op
    assert choice.name == "cond"
    square, same = functional_control.get_func_graphs(choice)
    assert [op.type for op in square.get_operations()] == ["Placeholder", "Mul"]
    assert same.outputs[0].op.type == "Placeholder"
    loop = functional_control.while_loop(lambda v: v < 20.0, lambda v: v * v, [x])[0].op.inputs[0].op
    tf.gradients(loop.outputs[2], x)
    body = functional_control._get_graph(loop, "body")
    assert "TensorListPushBack" in {user.type for user in body.inputs[2].consumers()}
    assert functional_control._get_graph(loop, "cond").outputs[0].dtype is tf.bool


def test_bodies_wait_for_what_is_around_them():
    with tf.Session() as session:
        total = tf.Variable(0.0, use_resource=True)
        session.run(total.initializer)
        add = total.assign_add(1.0).op

        def after():
            with tf.control_dependencies([add]):
                return tf.constant(1.0)

        choice = functional_control.cond_v2(tf.placeholder_with_default(False, []), after, lambda: tf.constant(2.0))
        case = functional_control.indexed_case(tf.constant(1), [after, lambda: tf.constant(2.0)])
        loop = functional_control.while_loop(lambda v: v < 1.0, lambda v: v + after(), [0.0])
        for result in (choice, case, loop[0]):
            assert result.op.inputs[0].op.control_inputs == [add]
            session.run(result)
        assert session.run(total) == 3.0


def test_graphs_and_definitions_of_functions(graph):
    x, y = tf.placeholder(tf.float32, name="x"), tf.placeholder(tf.float32, name="Y")
    total, halves = tf.add(x, y, name="sum"), tf.split(tf.constant([1.0, 2.0]), 2)
    made = func_graph.graph_to_function_def(graph, graph.get_operations(), [x, y], [total, halves[1]])
    assert [arg.name for arg in made.signature.input_arg] == ["x", "Y"]
    assert [arg.name for arg in made.signature.output_arg] == ["sum", "split_o1"]
    assert made.ret["sum"] == "sum:z:0" and list(made.node_def[0].input) == ["x", "Y"]
    body = func_graph.function_def_to_graph(made, input_shapes=[[5], [5]])
    assert body.outputs[0].shape == [5]
    with tf.Session(graph=body) as session:
        assert session.run(body.outputs[0], {"x:0": [2.0] * 5, "Y:0": [1.0] * 5}).tolist() == [3.0] * 5
    with pytest.raises(ValueError, match="must match the number"):
        func_graph.function_def_to_graph(made, input_shapes=[[5]])


def test_identities_and_frames_of_references_and_composites():
    from ossia_tensorflow_paths.python.framework import smart_cond as conditions

    v = tf.Variable(7, use_resource=False)
    entered = conditions._Enter(v, "frame", is_constant=True)
    assert [t.op.type for t in (conditions._Identity(v), entered, conditions.exit(entered))] == [
        "RefIdentity", "RefEnter", "RefExit"
    ]
    sparse = tf.SparseTensor([[0, 5]], ["x"], [10, 10])
    with tf.Session() as session:
        assert session.run(conditions.exit(conditions._Enter(sparse, "other"))).values.tolist() == [b"x"]
        assert session.run(conditions._Identity(sparse)).indices.tolist() == [[0, 5]]


def test_variables_of_the_private_module_are_resources():
    variables, standard = (
        finder.PrivateModule(f"tensorflow.python.ops.{name}", table.sources(f"python.ops.{name}"))
        for name in ("variables", "standard_ops")
    )
    assert variables.Variable is standard.Variable is tf.compat.v2.Variable
    made = variables.Variable(1.0)
    assert made.handle.op.type == "VarHandleOp" and isinstance(variables.VariableV1(1.0), variables.Variable)


def test_functions_by_their_older_name():
    from ossia_tensorflow_paths.python.eager.function import defun

    @defun
    def twice(x):
        return tf.cond(x > 0.0, lambda: x * 2.0, lambda: x)

    with tf.Session() as session:
        assert session.run(twice(tf.constant(3.0))) == 6.0
