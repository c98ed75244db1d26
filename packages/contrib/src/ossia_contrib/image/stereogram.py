"""Pictures of dots in which the eye sees depth (Thimbleby, Inglis, Witten: Displaying 3D Images, 1994)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ossia_core.declare.opdef import op, sample
from ossia_core.declare.shape_rules import with_rank
from ossia_core.names.errors import InvalidArgumentError
from ossia_core.plugins.api_table import public

single_image_random_dot_stereograms_op = op(
    "SingleImageRandomDotStereograms(depth_values: T) -> image: uint8",
    T="{double, float, int64, int32}", hidden_surface_removal="bool = true", convergence_dots_size="int = 8",
    dots_per_inch="int = 72", eye_separation="float = 2.5", mu="float = 0.3333", normalize="bool = true",
    normalize_max="float = -100", normalize_min="float = 100", border_level="float = 0", number_colors="int = 256",
    output_image_shape="shape = [1024, 768, 1]",
    output_data_window="shape = [1022, 757]",
)


@single_image_random_dot_stereograms_op.shape
def _(depth_values, *, output_image_shape):
    with_rank(depth_values, 2)
    width, height, *channels = output_image_shape.as_tuple()
    return type(depth_values.shape).from_tuple((height, width, *channels))


@single_image_random_dot_stereograms_op.kernel
def _(
    depth_values, *, hidden_surface_removal, convergence_dots_size, dots_per_inch, eye_separation, mu, normalize,
    normalize_max, normalize_min, border_level, number_colors, output_image_shape, output_data_window,
):
    width, height, channels = output_image_shape.as_tuple()
    if depth_values.ndim != 2 or not depth_values.size:
        raise InvalidArgumentError(None, None, f"depth_values must be a matrix, saw {depth_values.shape}")
    if min(width, height) < 1 or channels not in (1, 3) or not 0 <= mu < 2:
        raise InvalidArgumentError(None, None, f"no image of shape {(width, height, channels)}, mu {mu}")
    depths = depth_values.astype(np.float64)
    if normalize:
        low, high = (depths.min(), depths.max()) if normalize_max < normalize_min else (normalize_min, normalize_max)
        depths = np.clip((depths - low) / ((high - low) or 1.0), 0, 1)
    plane = _placed(depths, (height, width), output_data_window.as_tuple(), border_level)
    eyes = eye_separation * dots_per_inch
    random = np.random.default_rng()
    image = np.empty((height, width, channels), np.uint8)
    for row in range(height):
        sources = _same_dots(plane[row], eyes, mu, hidden_surface_removal)
        colours = _colours(random, (width, channels), number_colors)
        for column in range(width):
            if sources[column] != column:
                colours[column] = colours[sources[column]]
        image[row] = colours
    _mark_convergence(image, int(round(eyes / 2)), convergence_dots_size)
    return image


def _placed(depths: np.ndarray, size: tuple[int, int], window: tuple[int, ...], border: float) -> np.ndarray:
    """The depths stretched over the window in the middle, the border around it."""
    height, width = size
    across, down = min(window[0], width), min(window[1], height)
    plane = np.full(size, border)
    rows = np.arange(down) * depths.shape[0] // max(down, 1)
    columns = np.arange(across) * depths.shape[1] // max(across, 1)
    top, left = (height - down) // 2, (width - across) // 2
    plane[top : top + down, left : left + across] = depths[np.ix_(rows, columns)]
    return plane


def _same_dots(depths: np.ndarray, eyes: float, mu: float, hidden: bool) -> np.ndarray:
    """For each dot of a line, the dot at its left that has the same colour, or itself."""
    width = len(depths)
    same = np.arange(width)
    for x in range(width):
        depth = depths[x]
        apart = round((1 - mu * depth) * eyes / (2 - mu * depth))
        left = x - apart // 2
        right = left + apart
        if left < 0 or right >= width:
            continue
        if hidden:
            steps = np.arange(1, min(x, width - 1 - x) + 1)
            sight = depth + 2 * (2 - mu * depth) * steps / (mu * eyes) if mu else np.full(len(steps), np.inf)
            seen = sight < 1
            if (depths[x - steps[seen]] >= sight[seen]).any() or (depths[x + steps[seen]] >= sight[seen]).any():
                continue
        same[right] = left
    return same


def _colours(random: np.random.Generator, size: tuple[int, int], count: int) -> np.ndarray:
    if count == 2:
        return (random.integers(0, 2, (size[0], 1)) * np.full(size[1], 255)).astype(np.uint8)
    return random.integers(0, 256, size).astype(np.uint8)


def _mark_convergence(image: np.ndarray, apart: int, size: int) -> None:
    """Two dark dots below the picture, at which one learns to look."""
    height, width = image.shape[:2]
    top = int(height * 19 / 20)
    for middle in (width // 2 - apart // 2, width // 2 + apart // 2):
        image[top : top + size, max(middle - size // 2, 0) : max(middle + size - size // 2, 0)] = 0


single_image_random_dot_stereograms_op.draws()
single_image_random_dot_stereograms_op.not_differentiable()
single_image_random_dot_stereograms_op.samples(refused_rank=sample([1.0]))


@public("contrib.image.single_image_random_dot_stereograms")
def single_image_random_dot_stereograms(
    depth_values: Any, hidden_surface_removal: bool | None = None, convergence_dots_size: int | None = None,
    dots_per_inch: int | None = None, eye_separation: float | None = None, mu: float | None = None,
    normalize: bool | None = None, normalize_max: float | None = None, normalize_min: float | None = None,
    border_level: float | None = None, number_colors: int | None = None, output_image_shape: Any = None,
    output_data_window: Any = None,
) -> Any:
    """A picture of random dots in which two eyes see depth.

    Args:
      depth_values: depths `[rows, columns]`, larger is nearer.
      hidden_surface_removal: whether what lies behind something else is left out; by default it is.
      convergence_dots_size: size of the two dots that help to look, 8 by default.
      dots_per_inch: of the screen, 72 by default.
      eye_separation: in inches, 2.5 by default.
      mu: depth of field, a part of the distance of the eyes, 0.3333 by default.
      normalize: whether depths are brought to 0 to 1; by default they are.
      normalize_max, normalize_min: which depths become 1 and 0; if the first is less, the largest and the smallest.
      border_level: depth of the border, 0 by default.
      number_colors: 2 for black and white, 256 for others.
      output_image_shape: width, height and channels (1 or 3), `[1024, 768, 1]` by default.
      output_data_window: width and height of the part with depth, `[1022, 757]` by default.

    Returns:
      The picture, uint8 `[height, width, channels]`.
    """
    options = dict(
        hidden_surface_removal=hidden_surface_removal, convergence_dots_size=convergence_dots_size,
        dots_per_inch=dots_per_inch, eye_separation=eye_separation, mu=mu, normalize=normalize,
        normalize_max=normalize_max, normalize_min=normalize_min, border_level=border_level,
        number_colors=number_colors, output_image_shape=output_image_shape, output_data_window=output_data_window,
    )
    given = {name: value for name, value in options.items() if value is not None}
    return single_image_random_dot_stereograms_op(depth_values, **given)
