"""Graphs of the ops that TensorFlow registers for its own tests: attributes and their defaults, static shapes, kernels."""
from golden_case import Case, raises

GIVEN = """
node { name: "f" op: "FloatOutput" } node { name: "i" op: "IntOutput" } node { name: "s" op: "TestStringOutput" input: "f" }
node { name: "b" op: "Polymorphic" input: "c" attr { key: "T" value { type: DT_BOOL } } }
node { name: "c" op: "PolymorphicOut" attr { key: "T" value { type: DT_BOOL } } }
node { name: "rf" op: "RefOut" attr { key: "T" value { type: DT_FLOAT } } } node { name: "ri" op: "RefOutput" }
"""
FLOAT, STRING, TWO = "T: type: DT_FLOAT", "T: type: DT_STRING", "N: i: 2"
NODES = [  # type, inputs, attributes
    ("A", "", ""), ("Attr", "", "a: i: 3"), ("AttrBool", "", "a: b: true"), ("AttrBoolList", "", "a: list { b: true b: false }"),
    ("AttrDefault", "", ""), ("AttrDefault", "", "a: s: 'kiwi'"), ("AttrEmptyListDefault", "", ""),
    ("AttrEnum", "", "a: s: 'apples'"), ("AttrEnumList", "", "a: list { s: 'oranges' s: 'apples' }"), ("AttrFloat", "", "a: f: 1.5"),
    ("AttrListDefault", "", ""), ("AttrListMin", "", "a: list { i: 1 i: 2 }"), ("AttrListTypeDefault", "i i", "N: i: 1"),
    ("AttrMin", "", "a: i: 5"), ("AttrPartialShape", "", "a: shape { dim { size: -1 } dim { size: 2 } }"),
    ("AttrPartialShapeList", "", "a: list { shape { unknown_rank: true } shape { } }"), ("AttrShape", "", "a: shape { dim { size: 3 } }"),
    ("AttrShapeList", "", "a: list { shape { dim { size: 3 } } }"), ("AttrTypeDefault", "i", ""), ("AttrTypeDefault", "f", FLOAT),
    ("B", "", ""), ("Binary", "f f", FLOAT), ("ComplexStruct", "", "n_a: i: 2; n_b: i: 0; t_c: list { type: DT_BOOL type: DT_FLOAT }"),
    ("CopyOp", "f", FLOAT), ("DefaultAttrs", "", ""), ("DefaultAttrs", "", "int_val: i: 4; bool_list_val: list { }"),
    ("FiveFloatOutputs", "", ""), ("FloatInput", "f", ""), ("FloatOutput", "", ""), ("FloatOutputStringOutput", "", ""),
    ("Foo1", "f i i", ""), ("Foo2", "f s:1 s:1", ""), ("Foo3", "f s:1 f", ""), ("FuncAttr", "", "f: func { name: 'MyFunc' }"),
    ("FuncListAttr", "", "f: list { func { name: 'F' } func { name: 'G' } }"),
    ("InPolymorphicTwice", "f f f", "T: type: DT_FLOAT; N: i: 1; M: i: 2"), ("Int64Output", "", ""), ("IntAttr", "", ""),
    ("IntInput", "i", ""), ("IntInputFloatInput", "i f", ""), ("IntInputIntOutput", "i", ""), ("IntOutput", "", ""),
    ("IntOutputFloatOutput", "", ""), ("ListInput", "f f", "N: i: 2; T: type: DT_FLOAT"),
    ("ListOutput", "", "T: list { type: DT_INT32 type: DT_FLOAT }"), ("MixedStruct", "", "n_a: i: 3"),
    ("NInPolymorphicTwice", "f f", "T: type: DT_FLOAT; N: i: 1"), ("NInTwice", "i s:1", "N: i: 1"),
    ("NInTwoTypeVariables", "f s:1", "S: type: DT_FLOAT; T: type: DT_STRING; N: i: 1"), ("NIntsIn", "i i", TWO), ("NIntsOut", "", TWO),
    ("NIntsOutDefault", "", ""), ("NPolymorphicIn", "f f", "T: type: DT_FLOAT; N: i: 2"),
    ("NPolymorphicOut", "", "T: type: DT_FLOAT; N: i: 2"), ("NPolymorphicOutDefault", "", ""),
    ("NPolymorphicRestrictIn", "b b", "T: type: DT_BOOL; N: i: 2"), ("NPolymorphicRestrictOut", "", "T: type: DT_STRING; N: i: 3"),
    ("None", "", ""), ("OpWithDefaultAttr", "", ""), ("OpWithFutureDefaultAttr", "", ""), ("OutT", "", FLOAT),
    ("OutTypeList", "", "T: list { }"), ("OutTypeListRestrict", "", "t: list { type: DT_BOOL }"), ("Polymorphic", "f", FLOAT),
    ("PolymorphicDefaultOut", "", ""), ("PolymorphicOut", "", FLOAT), ("RefIn", "rf", FLOAT), ("RefInputFloatInput", "rf f", ""),
    ("RefInputFloatInputIntOutput", "rf f", ""), ("RefInputIntInput", "ri i", ""), ("RefOut", "", FLOAT), ("RefOutput", "", ""),
    ("RefOutputFloatOutput", "", ""), ("ReservedAttr", "", "range: i: 1"), ("ReservedInput", "i", ""), ("Restrict", "s:1", STRING),
    ("Simple", "i", ""), ("SimpleStruct", "", "n_a: i: 0"), ("StringListAttr", "", "a: list { s: 'x' s: 'y' }; b: s: 'z'"),
    ("StubResourceHandleOp", "", "shared_name: s: 'stub'"), ("TestAttr", "", FLOAT), ("TestStringOutput", "f", ""),
    ("TwoFloatInputs", "f f", ""), ("TwoFloatInputsFloatOutput", "f f", ""), ("TwoFloatInputsIntOutput", "f f", ""), ("TwoFloatOutputs", "", ""),
    ("TwoIntInputs", "i i", ""), ("TwoIntOutputs", "", ""), ("TwoRefsIn", "rf rf", FLOAT),
    ("TypeList", "f i", "T: list { type: DT_FLOAT type: DT_INT32 }"), ("TypeListRestrict", "b", "T: list { type: DT_BOOL }"),
    ("TypeListTwice", "f f", "T: list { type: DT_FLOAT }"), ("Unary", "f", FLOAT),
]


def imported(tf, text, version=None):
    from google.protobuf import text_format

    graph_def = tf.GraphDef()
    text_format.Merge(text, graph_def)
    if version is not None:
        graph_def.versions.producer = version
    tf.import_graph_def(graph_def, name="")


def node(name, kind, inputs, attrs):
    found = ['node { name: "%s" op: "%s"' % (name, kind)] + ['input: "%s"' % one for one in inputs.split()]
    for attr in attrs.split("; ") if attrs else ():
        key, _, value = attr.partition(": ")
        found.append('attr { key: "%s" value { %s } }' % (key, value))
    return " ".join(found + ["}"])


def case_built(tf):
    imported(tf, GIVEN + "\n".join(node("n%d" % i, *one) for i, one in enumerate(NODES)))
    return Case([], graph_only=True)


for _name, _text in {
    "version": 'node { name: "x" op: "GraphDefVersion" }',
    "place": 'node { name: "x" op: "DevicePlacementOp" }',
    "label": 'node { name: "x" op: "KernelLabel" }',
    "other_label": 'node { name: "x" op: "KernelLabel" attr { key: "_kernel" value { s: "overload_2" } } }',
    "needs_label": """
        node { name: "seven" op: "Const" attr { key: "dtype" value { type: DT_INT32 } } attr { key: "value" value { tensor {
            dtype: DT_INT32 tensor_shape { dim { size: 1 } } int_val: 7 } } } }
        node { name: "x" op: "KernelLabelRequired" input: "seven" attr { key: "_kernel" value { s: "overload_1" } } }
    """,
}.items():
    def _case(tf, text=_text):
        imported(tf, text)
        return tf.get_default_graph().get_tensor_by_name("x:0")
    globals()["case_kernel_%s" % _name] = _case


def case_resources(tf):
    imported(tf, """
        node { name: "stub" op: "StubResourceHandleOp" attr { key: "shared_name" value { s: "stub" } } }
        node { name: "made" op: "ResourceCreateOp" input: "stub" } node { name: "is" op: "ResourceInitializedOp" input: "stub" }
        node { name: "used" op: "ResourceUsingOp" input: "stub" }
    """)
    graph = tf.get_default_graph()
    made, used, known = graph.get_operation_by_name("made"), graph.get_operation_by_name("used"), graph.get_tensor_by_name("is:0")
    return Case(runs=[known, made, known, used, made])


def case_resource_unmade(tf):
    imported(tf, """
        node { name: "stub" op: "StubResourceHandleOp" attr { key: "shared_name" value { s: "other" } } }
        node { name: "used" op: "ResourceUsingOp" input: "stub" }
    """)
    return tf.get_default_graph().get_operation_by_name("used")


def case_no_kernel(tf):
    imported(tf, node("a", "ListOutput", "", "T: list { type: DT_INT32 type: DT_FLOAT }"))
    return tf.get_default_graph().get_tensor_by_name("a:0")


def case_no_kernel_without_label(tf):
    imported(tf, GIVEN + node("v", "NIntsOut", "", TWO) + """
        node { name: "many" op: "Pack" input: "i" attr { key: "N" value { i: 1 } } attr { key: "T" value { type: DT_INT32 } } }
        node { name: "needs" op: "KernelLabelRequired" input: "many" }
    """)
    return tf.get_default_graph().get_tensor_by_name("needs:0")


def case_old(tf):
    imported(tf, node("old", "Old", "", ""), 7)
    return Case([], graph_only=True)


def case_old_refused(tf):
    return raises(lambda: imported(tf, node("late", "Old", "", ""), 8))


def case_older_version(tf):
    imported(tf, node("a", "RequiresOlderGraphVersion", "", ""), 133)
    return Case([], graph_only=True)


def case_wrong_version(tf):
    return raises(lambda: imported(tf, node("a", "RequiresOlderGraphVersion", "", "")))


def case_refused(tf):
    return [raises(imported, tf, GIVEN + node("n", *one)) for one in (
        ("Attr", "", ""), ("AttrBool", "", "a: i: 1"), ("AttrEnum", "", "a: s: 'pears'"), ("AttrListMin", "", "a: list { i: 1 }"),
        ("AttrMin", "", "a: i: 4"), ("Binary", "f i", FLOAT), ("NIntsIn", "i", "N: i: 1"), ("NIntsIn", "i", "N: i: 2"),
        ("Restrict", "f", FLOAT), ("TypeListRestrict", "f", "T: list { type: DT_FLOAT }"), ("RefIn", "f", FLOAT), ("None", "f", ""),
        ("TwoFloatInputs", "f", ""), ("AttrShape", "", "a: shape { unknown_rank: true }"), ("OutTypeListRestrict", "", "t: list { }"),
    )]
