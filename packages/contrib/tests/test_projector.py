"""The projector's file has the form that TensorBoard reads."""


def test_configuration_is_written(tmp_path):
    import ossia as tf

    projector = tf.contrib.tensorboard.plugins.projector
    config = projector.ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name, embedding.metadata_path = "v", "m.tsv"
    embedding.sprite.image_path = "a.png"
    embedding.sprite.single_image_dim.extend([2, 3])
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        projector.visualize_embeddings(writer, config)
    # What TensorFlow 1.15.5 writes.
    assert (tmp_path / "projector_config.pbtxt").read_text() == (
        'embeddings {\n  tensor_name: "v"\n  metadata_path: "m.tsv"\n  sprite {\n    image_path: "a.png"\n'
        "    single_image_dim: 2\n    single_image_dim: 3\n  }\n}\n"
    )
