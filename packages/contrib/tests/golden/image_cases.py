"""`tf.contrib.image`."""
import numpy as np

TILTED = [1, 0.1, 0.2, 0.3, 1.1, -1, 0.01, 0.02]
RANDOM = np.random.RandomState(1)
FLOW = RANDOM.randn(2, 5, 6, 2).astype(np.float32) * 2
POINTS, PLACES = (RANDOM.rand(2, 4, 2).astype(np.float32) * 4 for _ in range(2))


def _images(tf, channels=1):
    return tf.constant(np.arange(2 * 5 * 6 * channels).reshape(2, 5, 6, channels).astype(np.float32))


def _of(name, *arguments, **options):
    return lambda tf: getattr(tf.contrib.image, name)(*arguments, **options)


def case_rotate(tf):
    return tf.contrib.image.rotate(_images(tf), [0.3, 1.2])


def case_rotate_one(tf):
    return tf.contrib.image.rotate(_images(tf)[0], 0.7, "BILINEAR")


def case_rotate_plane(tf):
    return tf.contrib.image.rotate(_images(tf)[0, :, :, 0], 0.7, "BILINEAR", name="turned")


def case_rotate_unknown_size(tf):
    return tf.contrib.image.rotate(tf.placeholder_with_default(_images(tf), [None] * 4), 0.7, "BILINEAR")


def case_translate(tf):
    return tf.contrib.image.translate(tf.cast(_images(tf, 2), tf.uint8), [[1, 2.5], [0, -1]])


def case_transform(tf):
    return tf.contrib.image.transform(_images(tf), TILTED, "BILINEAR", output_shape=[3, 4])


def case_transform_gradient(tf):
    images = _images(tf)
    result = tf.contrib.image.transform(images, [TILTED], "BILINEAR", output_shape=[4, 9])
    return tf.gradients(result * result, images)


def case_warp(tf):
    images, flow = _images(tf, 2), tf.constant(FLOW)
    return tf.gradients(tf.contrib.image.dense_image_warp(images, flow), [images, flow])


def case_sparse_warp(tf):
    return tf.contrib.image.sparse_image_warp(_images(tf), tf.constant(POINTS), tf.constant(PLACES), num_boundary_points=2, regularization_weight=0.5)


case_compose = _of("compose_transforms", [1, 0, 2, 0, 1, 3, 0, 0.0], [1, 0.5, 2, 0, 1, 3, 0, 0.0], [TILTED])
case_compose_nothing = _of("compose_transforms")
case_flat_of_rank_3 = _of("flat_transforms_to_matrices", [[TILTED]])
case_angles_of_rank_2 = _of("angles_to_projective_transforms", [[0.5]], 3, 4)
case_spline = _of("interpolate_spline", POINTS, PLACES, POINTS[:, :3], 1)
case_spline_cubic = _of("interpolate_spline", POINTS, PLACES, POINTS[:, :3] / 2, 3)
case_components = _of("connected_components", [[True, False, True], [True, True, False], [False, False, True]])
case_components_of_batch = _of("connected_components", [[[1, 1, 2], [0, 2, 2], [2, 0, 1]], [[1, 1, 2], [0, 2, 2], [2, 0, 1]]])
case_components_of_words = _of("connected_components", [[["a", "b", "a"], ["a", "b", "b"]]])
case_components_of_line = _of("connected_components", ["a"])
case_match = _of("bipartite_match", [[0.5, 0.8], [0.3, 0.1], [0.9, 0.2]], 3.0)
case_match_one = _of("bipartite_match", [[0.5, 0.8], [0.3, 0.1], [0.9, 0.2]], [1.0], top_k=1)
case_match_equal = _of("bipartite_match", [[0.5, 0.8, 0.5, -2], [0.5, 0.8, 0.5, -1]], -1.0)
case_text = _of("rotate", "a", 0.7)
case_size_of_one = _of("transform", np.zeros([1, 2, 2, 1], np.float32), TILTED, output_shape=[1])
