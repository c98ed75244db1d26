"""Networks for images, as their papers have them."""
