"""Fourier and cosine transforms, frames, windows and spectrograms: `tf.signal`."""
