"""SavedModels: written and read, those of TensorFlow 1.15 and 2 too; texts of refusals are those of 1.15."""

import shutil
from pathlib import Path

import pytest

import ossia as tf

MODELS = Path(__file__).parent / "golden" / "saved_models"
SERVING = [tf.saved_model.SERVING]


@pytest.fixture
def linear():
    """A graph with a placeholder, a variable and their product."""
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [2.0]])
        y = tf.matmul(x, w, name="y")
        session.run(tf.global_variables_initializer())
        yield session, x, y


def load(path, tags=SERVING, **options):
    session = tf.Session(graph=tf.Graph())
    return session, tf.saved_model.load(session, tags, str(path), **options)


def test_simple_save(linear, tmp_path):
    session, x, y = linear
    tf.saved_model.simple_save(session, str(tmp_path / "model"), {"x": x}, {"y": y})
    names = {str(path.relative_to(tmp_path / "model")) for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"}
    other, meta_graph = load(tmp_path / "model")
    signature = meta_graph.signature_def["serving_default"]
    assert signature.method_name == "tensorflow/serving/predict"
    assert other.run(signature.outputs["y"].name, {signature.inputs["x"].name: [[1.0, 1.0]]}).tolist() == [[3.0]]
    scoped, _ = load(tmp_path / "model", import_scope="inner")
    assert scoped.run("inner/y:0", {"inner/x:0": [[1.0, 1.0]]}).tolist() == [[3.0]]


def test_model_of_version_1():
    session, meta_graph = load(MODELS / "version_1")
    assert session.run("y:0", {"x:0": [[1.0, 1.0]]}).tolist() == [[3.0]]
    assert session.run("first:0") == b"a\nb\n"
    assert list(meta_graph.signature_def) == ["serving_default"]


def test_model_of_version_2():
    session, meta_graph = load(MODELS / "version_2")
    signatures = meta_graph.signature_def
    f, ids = signatures["f"], signatures["ids"]
    assert session.run(f.outputs["y"].name, {f.inputs["x"].name: [[1.0, 1.0]]}).tolist() == [[9.0]]
    assert session.run(ids.outputs["ids"].name, {ids.inputs["x"].name: [b"b", b"zz"]}).tolist() == [1, 2]


def test_assets_main_op_and_several_graphs(linear, tmp_path):
    session, x, y = linear
    paths = [tmp_path / "words.txt", tmp_path / "other" / "words.txt"]
    paths[1].parent.mkdir()
    for number, path in enumerate(paths):
        path.write_text(str(number))
    assets = [tf.constant(str(path)) for path in (*paths, paths[0])]
    text = tf.get_variable("text", [], tf.string, tf.zeros_initializer(), collections=[tf.GraphKeys.LOCAL_VARIABLES])
    main_op = tf.assign(text, tf.read_file(assets[1])).op
    builder = tf.saved_model.Builder(str(tmp_path / "model"))
    builder.add_meta_graph_and_variables(session, ["serve", "gpu"], assets_collection=assets, main_op=main_op)
    builder.add_meta_graph(["train"], {"s": tf.saved_model.predict_signature_def({"x": x}, {"y": y})})
    assert builder.save() == str(tmp_path / "model" / "saved_model.pb").encode()
    assert sorted(path.name for path in (tmp_path / "model" / "assets").iterdir()) == ["words.txt", "words.txt_1"]
    for path in paths:
        path.unlink()
    loaded, _ = load(tmp_path / "model", {"gpu", "serve"})
    assert loaded.run("text:0") == b"1"
    _, meta_graph = load(tmp_path / "model", ["train"])
    assert list(meta_graph.signature_def) == ["s"]
    refusal = r"tags 'serve' could not be found.*\n.*available_tags: \[\{.*\}, \{'train'\}\]"
    with pytest.raises(RuntimeError, match=refusal):
        load(tmp_path / "model", ["serve"])


def test_text_form(linear, tmp_path):
    session, x, y = linear
    builder = tf.saved_model.builder.SavedModelBuilder(str(tmp_path / "model"))
    builder.add_meta_graph_and_variables(session, SERVING, strip_default_attrs=True)
    assert builder.save(as_text=True).endswith(b"saved_model.pbtxt")
    assert tf.saved_model.contains_saved_model(str(tmp_path / "model"))
    assert not tf.saved_model.contains_saved_model(str(tmp_path))
    loaded, meta_graph = load(tmp_path / "model")
    assert meta_graph.meta_info_def.stripped_default_attrs
    assert loaded.run("y:0", {"x:0": [[2.0, 0.0]]}).tolist() == [[2.0]]


def test_refusals_of_the_builder(linear, tmp_path):
    session, x, y = linear
    builder = tf.saved_model.Builder(str(tmp_path / "model"))
    with pytest.raises(AssertionError, match=r"invoke `add_meta_graph_and_variables\(\)` first"):
        builder.add_meta_graph(SERVING)
    with pytest.raises(TypeError, match="must be of dtype string"):
        builder.add_meta_graph_and_variables(session, SERVING, assets_collection=[tf.constant(3.0)])
    with pytest.raises(TypeError, match="must be a Tensor"):
        builder.add_meta_graph_and_variables(session, SERVING, assets_collection=["words.txt"])
    info = tf.saved_model.build_tensor_info(x)
    with pytest.raises(KeyError, match="reserved for initialization"):
        builder.add_meta_graph_and_variables(
            session, SERVING, {"__saved_model_init_op": tf.saved_model.build_signature_def({"x": info})}
        )
    for field, message in (("dtype", "have the dtype field set"), ("name", "have one of the 'encoding' fields")):
        broken = tf.saved_model.build_tensor_info(x)
        broken.ClearField(field)
        with pytest.raises(AssertionError, match=message):
            builder.add_meta_graph_and_variables(
                session, SERVING, {"s": tf.saved_model.build_signature_def({"x": broken})}
            )
    with pytest.raises(TypeError, match="main_op needs to be an Operation"):
        builder.add_meta_graph_and_variables(session, SERVING, main_op="init")
    builder.add_meta_graph_and_variables(session, SERVING, main_op=tf.no_op())
    with pytest.raises(AssertionError, match="has already been saved"):
        builder.add_meta_graph_and_variables(session, SERVING)
    with pytest.raises(ValueError, match="already contains one or more main ops"):
        builder.add_meta_graph(SERVING, main_op=tf.no_op())
    with pytest.raises(AssertionError, match="isn't empty"):
        tf.saved_model.Builder(str(tmp_path / "model"))


def test_files_that_are_no_models(tmp_path):
    with pytest.raises(OSError, match=r"does not exist at: .*\{saved_model\.pbtxt\|saved_model\.pb\}"):
        load(tmp_path)
    (tmp_path / "saved_model.pbtxt").write_text("nothing {")
    with pytest.raises(OSError, match="Cannot parse file"):
        load(tmp_path)
    content = (MODELS / "version_1" / "saved_model.pb").read_bytes()
    for length in range(0, len(content), 97):
        (tmp_path / "saved_model.pb").write_bytes(content[:length])
        with pytest.raises((OSError, RuntimeError, ValueError, tf.errors.OpError)):
            load(tmp_path)


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "a/../../b", "..\\outside"])
def test_assets_outside_of_the_model_are_refused(tmp_path, name):
    shutil.copytree(MODELS / "version_1", tmp_path / "model")
    from ossia_core.proto import AssetFileDef, SavedModel

    path = tmp_path / "model" / "saved_model.pb"
    parsed = SavedModel.FromString(path.read_bytes())
    item = parsed.meta_graphs[0].collection_def["saved_model_assets"].any_list.value[0]
    asset = AssetFileDef.FromString(item.value)
    asset.filename = name
    item.value = asset.SerializeToString()
    path.write_bytes(parsed.SerializeToString())
    with pytest.raises(ValueError, match="outside of its directory"):
        load(tmp_path / "model")


def test_tensor_infos(linear):
    session, x, y = linear
    info = tf.saved_model.build_tensor_info(x)
    assert tf.saved_model.get_tensor_from_tensor_info(info) is x
    with pytest.raises(KeyError, match="inner/x"):
        tf.saved_model.get_tensor_from_tensor_info(info, import_scope="inner")
    sparse = tf.sparse_placeholder(tf.float32, [3, 4], name="sp")
    info = tf.saved_model.utils.build_tensor_info(sparse)
    assert info.coo_sparse.indices_tensor_name == "sp/indices:0"
    assert [size.size for size in info.tensor_shape.dim] == [3, 4]
    assert tf.saved_model.get_tensor_from_tensor_info(info).values is sparse.values
    with pytest.raises(ValueError, match="encoding"):
        tf.saved_model.get_tensor_from_tensor_info(tf.TensorInfo())


def _placeholder(dtype):
    return tf.placeholder(dtype)


REFUSED = {
    "no-examples": (lambda s: s.classification_signature_def(None, None, None), "examples cannot be None"),
    "no-outputs": (
        lambda s: s.classification_signature_def(_placeholder(tf.string), None, None), "cannot both be None"
    ),
    "classes": (
        lambda s: s.classification_signature_def(_placeholder(tf.string), _placeholder(tf.float32), None),
        "classes must be a string Tensor",
    ),
    "scores": (
        lambda s: s.classification_signature_def(_placeholder(tf.string), None, _placeholder(tf.string)),
        "scores must be a float Tensor",
    ),
    "predictions": (lambda s: s.regression_signature_def(_placeholder(tf.string), None), "predictions cannot be None"),
    "numbers": (
        lambda s: s.regression_signature_def(_placeholder(tf.int32), _placeholder(tf.float32)),
        "examples must be a string Tensor",
    ),
    "inputs": (lambda s: s.predict_signature_def(None, {"y": _placeholder(tf.float32)}), "inputs cannot be None"),
    "outputs": (lambda s: s.predict_signature_def({"x": _placeholder(tf.float32)}, {}), "outputs cannot be None"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_signatures(case):
    call, message = REFUSED[case]
    with tf.Graph().as_default(), pytest.raises(ValueError, match=message):
        call(tf.saved_model.signature_def_utils)


def test_valid_signatures():
    s = tf.saved_model
    with tf.Graph().as_default():
        text, number = _placeholder(tf.string), _placeholder(tf.float32)
        for signature in (
            s.classification_signature_def(text, text, number), s.classification_signature_def(text, None, number),
            s.regression_signature_def(text, number), s.predict_signature_def({"x": number}, {"y": text}),
        ):
            assert s.is_valid_signature(signature)
            signature.method_name = "other"
            assert not s.is_valid_signature(signature)
        broken = s.regression_signature_def(text, number)
        broken.inputs["more"].CopyFrom(broken.inputs["inputs"])
        assert not s.is_valid_signature(broken)
        assert not s.is_valid_signature(s.build_signature_def())


def test_main_ops():
    with tf.Graph().as_default(), tf.Session() as session:
        variable = tf.Variable(2.0)
        local = tf.Variable(3.0, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        restore = tf.assign(variable, 5.0).op
        session.run(tf.saved_model.main_op.main_op())
        assert session.run([variable, local]) == [2.0, 3.0]
        session.run(tf.saved_model.main_op_with_restore(restore))
        assert session.run(variable) == 5.0


def test_loading_in_steps():
    from ossia_checkpoint.saved_model.loader import SavedModelLoader

    loader = SavedModelLoader(str(MODELS / "version_1"))
    with tf.Session(graph=tf.Graph()) as session:
        saver, elements = loader.load_graph(session.graph, SERVING, return_elements=["y:0"])
        loader.restore_variables(session, saver)
        assert session.run(elements[0], {"x:0": [[0.0, 1.0]]}).tolist() == [[2.0]]
        loader.run_init_ops(session, SERVING)
        assert session.run("first:0") == b"a\nb\n"


def test_the_second_version_has_the_names():
    assert tf.compat.v2.saved_model.SERVING == "serve" and tf.compat.v2.saved_model.PREDICT_INPUTS == "inputs"
    assert not hasattr(tf.compat.v2.saved_model, "MAIN_OP_KEY")
    assert not tf.compat.v2.saved_model.contains_saved_model("nowhere")
    with pytest.raises(AttributeError, match="simple_save"):
        tf.saved_model.save  # noqa: B018
