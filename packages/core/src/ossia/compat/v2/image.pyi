# Written by tools/api_stubs.py; do not edit.
from ossia.image import (
 adjust_brightness as adjust_brightness, adjust_contrast as adjust_contrast, adjust_gamma as adjust_gamma,
 adjust_hue as adjust_hue, adjust_jpeg_quality as adjust_jpeg_quality, adjust_saturation as adjust_saturation,
 central_crop as central_crop, combined_non_max_suppression as combined_non_max_suppression,
 convert_image_dtype as convert_image_dtype, crop_to_bounding_box as crop_to_bounding_box,
 decode_and_crop_jpeg as decode_and_crop_jpeg, decode_bmp as decode_bmp, decode_gif as decode_gif,
 decode_image as decode_image, decode_jpeg as decode_jpeg, decode_png as decode_png, encode_jpeg as encode_jpeg,
 encode_png as encode_png, extract_jpeg_shape as extract_jpeg_shape, flip_left_right as flip_left_right,
 flip_up_down as flip_up_down, grayscale_to_rgb as grayscale_to_rgb, hsv_to_rgb as hsv_to_rgb,
 image_gradients as image_gradients, is_jpeg as is_jpeg, non_max_suppression as non_max_suppression,
 non_max_suppression_overlaps as non_max_suppression_overlaps, non_max_suppression_padded as non_max_suppression_padded,
 non_max_suppression_with_scores as non_max_suppression_with_scores, pad_to_bounding_box as pad_to_bounding_box,
 per_image_standardization as per_image_standardization, psnr as psnr, random_brightness as random_brightness,
 random_contrast as random_contrast, random_flip_left_right as random_flip_left_right,
 random_flip_up_down as random_flip_up_down, random_hue as random_hue, random_jpeg_quality as random_jpeg_quality,
 random_saturation as random_saturation, resize_with_crop_or_pad as resize_with_crop_or_pad,
 resize_with_pad as resize_with_pad, rgb_to_grayscale as rgb_to_grayscale, rgb_to_hsv as rgb_to_hsv,
 rgb_to_yiq as rgb_to_yiq, rgb_to_yuv as rgb_to_yuv, rot90 as rot90, sobel_edges as sobel_edges, ssim as ssim,
 ssim_multiscale as ssim_multiscale, total_variation as total_variation, transpose as transpose,
 yiq_to_rgb as yiq_to_rgb, yuv_to_rgb as yuv_to_rgb
)
from ossia_image.boxes.crops import crop_and_resize_v2 as _crop_and_resize
from ossia_image.boxes.drawing import draw_bounding_boxes_v2 as _draw_bounding_boxes
from ossia_image.boxes.glimpses import extract_glimpse_v2 as _extract_glimpse
from ossia_image.boxes.sampling import sample_distorted_bounding_box_v2 as _sample_distorted_bounding_box
from ossia_image.resize.images import ResizeMethodV2 as _ResizeMethod, resize as resize
ResizeMethod = _ResizeMethod
crop_and_resize = _crop_and_resize
draw_bounding_boxes = _draw_bounding_boxes
extract_glimpse = _extract_glimpse
sample_distorted_bounding_box = _sample_distorted_bounding_box
