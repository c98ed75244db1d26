# Written by tools/api_stubs.py; do not edit.
from ossia_image.adjustment import (
 adjust_brightness as adjust_brightness, adjust_contrast as adjust_contrast, adjust_gamma as adjust_gamma,
 adjust_hue as adjust_hue, adjust_saturation as adjust_saturation,
 per_image_standardization as per_image_standardization, random_brightness as random_brightness,
 random_contrast as random_contrast, random_hue as random_hue, random_saturation as random_saturation
)
from ossia_image.boxes.combined_suppression import combined_non_max_suppression as combined_non_max_suppression
from ossia_image.boxes.crops import crop_and_resize as crop_and_resize
from ossia_image.boxes.drawing import draw_bounding_boxes as draw_bounding_boxes
from ossia_image.boxes.glimpses import extract_glimpse as extract_glimpse
from ossia_image.boxes.sampling import sample_distorted_bounding_box as sample_distorted_bounding_box
from ossia_image.boxes.suppression import (
 non_max_suppression as non_max_suppression, non_max_suppression_overlaps as non_max_suppression_overlaps,
 non_max_suppression_padded as non_max_suppression_padded,
 non_max_suppression_with_scores as non_max_suppression_with_scores
)
from ossia_image.codecs.any_image import decode_image as decode_image
from ossia_image.codecs.bmp import decode_bmp as decode_bmp
from ossia_image.codecs.gif import decode_gif as decode_gif
from ossia_image.codecs.jpeg import (
 adjust_jpeg_quality as adjust_jpeg_quality, decode_and_crop_jpeg as decode_and_crop_jpeg, decode_jpeg as decode_jpeg,
 encode_jpeg as encode_jpeg, extract_jpeg_shape as extract_jpeg_shape, is_jpeg as is_jpeg,
 random_jpeg_quality as random_jpeg_quality
)
from ossia_image.codecs.png import decode_png as decode_png, encode_png as encode_png
from ossia_image.colour_spaces import (
 grayscale_to_rgb as grayscale_to_rgb, hsv_to_rgb as hsv_to_rgb, rgb_to_grayscale as rgb_to_grayscale,
 rgb_to_hsv as rgb_to_hsv, rgb_to_yiq as rgb_to_yiq, rgb_to_yuv as rgb_to_yuv, yiq_to_rgb as yiq_to_rgb,
 yuv_to_rgb as yuv_to_rgb
)
from ossia_image.conversion import convert_image_dtype as convert_image_dtype
from ossia_image.cropping import (
 central_crop as central_crop, crop_to_bounding_box as crop_to_bounding_box, pad_to_bounding_box as pad_to_bounding_box,
 resize_image_with_crop_or_pad as resize_image_with_crop_or_pad,
 resize_image_with_crop_or_pad as _resize_with_crop_or_pad
)
from ossia_image.flips import (
 flip_left_right as flip_left_right, flip_up_down as flip_up_down, random_flip_left_right as random_flip_left_right,
 random_flip_up_down as random_flip_up_down, rot90 as rot90, transpose as transpose, transpose as _transpose_image
)
from ossia_image.quality import (
 image_gradients as image_gradients, psnr as psnr, sobel_edges as sobel_edges, ssim as ssim,
 ssim_multiscale as ssim_multiscale, total_variation as total_variation
)
from ossia_image.resize.area import resize_area as resize_area
from ossia_image.resize.bicubic import resize_bicubic as resize_bicubic
from ossia_image.resize.bilinear import resize_bilinear as resize_bilinear
from ossia_image.resize.images import (
 ResizeMethod as ResizeMethod, resize_images as _resize, resize_image_with_pad as resize_image_with_pad,
 resize_images as resize_images, resize_with_pad as resize_with_pad
)
from ossia_image.resize.nearest import resize_nearest_neighbor as resize_nearest_neighbor
from ossia_ops.nn.patches import extract_image_patches as extract_image_patches, extract_patches as extract_patches
from ossia_ops.random.choice import random_crop as random_crop
resize = _resize
resize_with_crop_or_pad = _resize_with_crop_or_pad
transpose_image = _transpose_image
