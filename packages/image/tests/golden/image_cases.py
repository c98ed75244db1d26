"""Functions of `tf.image` on images whose shape is known, known in part, and unknown."""

import numpy as np
from golden_case import Case


def images(*sizes, **options):
    values = np.random.RandomState(options.get("seed", 0)).rand(*sizes)
    dtype = options.get("dtype", "f4")
    return (values * 255).astype(dtype) if dtype in ("u1", "u2", "i4") else values.astype(dtype)


ONE, BATCH, BYTES = images(8, 6, 3), images(2, 8, 6, 3), images(8, 6, 3, dtype="u1")
BOXES = np.array([[.1, .1, .6, .7], [0, 0, 1, 1], [.2, .8, .9, .1]], "f4")
R = np.random.RandomState(1)
CORNERS = R.rand(30, 4).astype("f4")
CORNERS = np.concatenate([CORNERS[:, :2], CORNERS[:, :2] + CORNERS[:, 2:] * .5], 1).astype("f4")
SCORES = R.rand(30).astype("f4")


def add(name, function, value, shapes=("full",), tolerance=2e-5, **options):
    def make(shape):
        def case(tf):
            size = {"full": value.shape, "part": [None] * (value.ndim - 1) + [value.shape[-1]], "none": None}[shape]
            tf.set_random_seed(11)
            x = tf.placeholder(tf.as_dtype(value.dtype), size, name="x")
            return Case(function(tf, x), feeds={x: value}, tolerance=tolerance, **options)
        return case

    for shape in shapes:
        globals()["case_%s_%s" % (name, shape)] = make(shape)


ANY = ("full", "part", "none")
for _name in ("flip_left_right", "flip_up_down", "transpose_image", "rgb_to_grayscale", "per_image_standardization"):
    add(_name, lambda tf, x, name=_name: getattr(tf.image, name)(x), ONE, ANY)
    add(_name + "_batch", lambda tf, x, name=_name: getattr(tf.image, name)(x), BATCH, ("full", "part"))
for _name in ("rgb_to_hsv", "hsv_to_rgb"):
    add(_name, lambda tf, x, name=_name: getattr(tf.image, name)(x), ONE, ANY)
for _name in ("rgb_to_yiq", "yiq_to_rgb", "rgb_to_yuv", "yuv_to_rgb"):
    add(_name, lambda tf, x, name=_name: getattr(tf.image, name)(x), ONE)
add("grayscale_to_rgb", lambda tf, x: tf.image.grayscale_to_rgb(x), ONE[..., :1], ANY)
for _k in (1, 3):
    add("rot90_%d" % _k, lambda tf, x, k=_k: tf.image.rot90(x, k), ONE, ("full", "part"))
for _name in ("random_flip_left_right", "random_flip_up_down"):
    add(_name, lambda tf, x, name=_name: getattr(tf.image, name)(x, seed=3), ONE, ANY)
    add(_name + "_batch", lambda tf, x, name=_name: getattr(tf.image, name)(x, seed=3), BATCH)
add("central_crop", lambda tf, x: tf.image.central_crop(x, .5), ONE, ("full", "part"))
add("central_crop_batch", lambda tf, x: tf.image.central_crop(x, .6), BATCH, ("full", "part"))
add("pad_to", lambda tf, x: tf.image.pad_to_bounding_box(x, 1, 2, 11, 10), ONE, ANY)
add("crop_to", lambda tf, x: tf.image.crop_to_bounding_box(x, 1, 2, 4, 3), ONE, ANY)
add("crop_or_pad", lambda tf, x: tf.image.resize_image_with_crop_or_pad(x, 5, 9), ONE, ANY)
add("crop_or_pad_batch", lambda tf, x: tf.image.resize_image_with_crop_or_pad(x, 10, 3), BATCH, ("full", "part"))
for _method in range(4):
    add("resize_%d" % _method, lambda tf, x, m=_method: tf.image.resize_images(x, [5, 11], method=m), ONE, ("full", "part"))
    add("resize_bytes_%d" % _method, lambda tf, x, m=_method: tf.image.resize_images(x, [5, 11], method=m), BYTES, tolerance=5e-4)  # sums that cancel
    add("resize_corners_%d" % _method, lambda tf, x, m=_method: tf.image.resize_images(x, [5, 11], m, align_corners=True), BATCH)
add("resize_ratio", lambda tf, x: tf.image.resize_images(x, [5, 11], preserve_aspect_ratio=True), ONE, ("full", "part"))
add("resize_same", lambda tf, x: tf.image.resize_images(x, [8, 6]), ONE)
add("resize_pad", lambda tf, x: tf.image.resize_image_with_pad(x, 10, 10), ONE, ANY)
for _method in ("bilinear", "nearest", "bicubic", "area", "lanczos3", "lanczos5", "gaussian", "mitchellcubic"):
    for _antialias in (False, True):
        add("resize_v2_%s_%s" % (_method, _antialias), lambda tf, x, m=_method, a=_antialias: tf.compat.v2.image.resize(x, [5, 11], m, antialias=a), ONE)
add("resize_pad_v2", lambda tf, x: tf.compat.v2.image.resize_with_pad(x, 10, 10), ONE, ANY)
for _name, _arguments in (("adjust_brightness", (.3,)), ("adjust_contrast", (1.7,)), ("adjust_gamma", (.7, 1.2)), ("adjust_hue", (.2,)), ("adjust_saturation", (1.6,))):
    add(_name, lambda tf, x, n=_name, a=_arguments: getattr(tf.image, n)(x, *a), ONE, ANY)
    add(_name + "_bytes", lambda tf, x, n=_name, a=_arguments: getattr(tf.image, n)(x, *a), BYTES)
for _name, _arguments in (("random_brightness", (.3,)), ("random_contrast", (.4, 1.7)), ("random_hue", (.2,)), ("random_saturation", (.4, 1.6))):
    add(_name, lambda tf, x, n=_name, a=_arguments: getattr(tf.image, n)(x, *a, seed=5), ONE)
for _old, _new in (("u1", "f4"), ("f4", "u1"), ("u1", "i4"), ("i4", "u1"), ("f4", "f8"), ("u1", "u2")):
    for _saturate in (False, True):
        add("convert_%s_%s_%s" % (_old, _new, _saturate), lambda tf, x, n=_new, s=_saturate: tf.image.convert_image_dtype(x, tf.as_dtype(np.dtype(n)), s), images(8, 6, 3, dtype=_old))
add("psnr", lambda tf, x: tf.image.psnr(x, x * .9, 1.), BATCH, ANY)
# One node, the shape of a kernel, is a constant here, since the number of channels is known.
add("ssim", lambda tf, x: tf.image.ssim(x, x * .8, 1.), images(2, 32, 36, 3), ANY, graph=False)
add("ssim_multiscale", lambda tf, x: tf.image.ssim_multiscale(x, x * .8, 1.), images(1, 180, 184, 1), graph=False)
add("total_variation", lambda tf, x: tf.image.total_variation(x), ONE)
add("total_variation_batch", lambda tf, x: tf.image.total_variation(x), BATCH)
add("image_gradients", lambda tf, x: tf.image.image_gradients(x), BATCH)
add("sobel_edges", lambda tf, x: tf.image.sobel_edges(x), BATCH, ("full", "part"))
add("crop_and_resize", lambda tf, x: tf.image.crop_and_resize(x, BOXES, [0, 1, 0], [4, 5]), BATCH, ("full", "none"))
add("crop_and_resize_nearest", lambda tf, x: tf.image.crop_and_resize(x, BOXES * 1.3, [0, 1, 0], [4, 5], method="nearest", extrapolation_value=2.), BATCH)
add("glimpse", lambda tf, x: tf.image.extract_glimpse(x, [3, 4], [[0., .1], [.2, -.1]]), BATCH)
add("draw", lambda tf, x: tf.image.draw_bounding_boxes(x, BOXES[:2].reshape(2, 1, 4)), BATCH)
add("nms", lambda tf, x: tf.image.non_max_suppression(x, SCORES, 10, .3, .4), CORNERS, ("full", "none"))
add("nms_padded", lambda tf, x: tf.image.non_max_suppression_padded(x, SCORES, 20, .3, .4, pad_to_max_output_size=True), CORNERS)
add("nms_soft", lambda tf, x: tf.image.non_max_suppression_with_scores(x, SCORES, 20, .3, .1, soft_nms_sigma=.5), CORNERS)
add("nms_overlaps", lambda tf, x: tf.image.non_max_suppression_overlaps(x, SCORES, 10, .3, .1), R.rand(30, 30).astype("f4"))
add("nms_combined", lambda tf, x: tf.image.combined_non_max_suppression(x, R.rand(2, 20, 3).astype("f4") * 0 + SCORES[:20, None], 5, 8), R.rand(2, 20, 1, 4).astype("f4"), values=False)
add("sample_box", lambda tf, x: tf.image.sample_distorted_bounding_box(x, BOXES[:1].reshape(1, 1, 4), seed=7, min_object_covered=.3), np.array([100, 120, 3], "i4"))
add("sample_whole", lambda tf, x: tf.image.sample_distorted_bounding_box(x, np.zeros([1, 0, 4], "f4"), seed=7, use_image_if_no_bounding_boxes=True, area_range=[.2, .9], max_attempts=10), np.array([100, 120, 3], "i4"))


def _gradient(function, value):
    def case(tf):
        x = tf.placeholder(tf.float32, value.shape, name="x")
        return Case(tf.gradients(function(tf, x) ** 2, x), feeds={x: value}, graph=False, tolerance=1e-4)
    return case


for _method in (0, 1, 2):
    globals()["case_gradient_resize_%d" % _method] = _gradient(lambda tf, x, m=_method: tf.image.resize_images(x, [5, 11], m), ONE)
for _method in ("bilinear", "lanczos3", "gaussian"):
    globals()["case_gradient_v2_%s" % _method] = _gradient(lambda tf, x, m=_method: tf.compat.v2.image.resize(x, [5, 11], m, antialias=True), ONE)
case_gradient_crop = _gradient(lambda tf, x: tf.image.crop_and_resize(x, BOXES, [0, 1, 0], [4, 5]), BATCH)
case_gradient_hsv = _gradient(lambda tf, x: tf.image.rgb_to_hsv(x), ONE)
