# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.image.components import connected_components as connected_components
from ossia_contrib.image.hsv import adjust_hsv_in_yiq as adjust_hsv_in_yiq, random_hsv_in_yiq as random_hsv_in_yiq
from ossia_contrib.image.matching import bipartite_match as bipartite_match
from ossia_contrib.image.projective import (
 angles_to_projective_transforms as angles_to_projective_transforms, compose_transforms as compose_transforms,
 flat_transforms_to_matrices as flat_transforms_to_matrices, matrices_to_flat_transforms as matrices_to_flat_transforms,
 rotate as rotate, transform as transform, translate as translate,
 translations_to_projective_transforms as translations_to_projective_transforms
)
from ossia_contrib.image.splines import interpolate_spline as interpolate_spline
from ossia_contrib.image.stereogram import single_image_random_dot_stereograms as single_image_random_dot_stereograms
from ossia_contrib.image.warping import dense_image_warp as dense_image_warp, sparse_image_warp as sparse_image_warp
