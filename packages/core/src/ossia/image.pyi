# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_ops.nn.patches import extract_image_patches as extract_image_patches, extract_patches as extract_patches
from ossia_ops.random.choice import random_crop as random_crop
