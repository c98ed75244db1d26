"""Models for phones and small devices: `.tflite` files read, run and written, and graphs converted to them."""
