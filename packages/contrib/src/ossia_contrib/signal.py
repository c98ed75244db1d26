"""Functions of `tf.signal` under the names of `tf.contrib.signal`."""

import ossia as tf
from ossia_core.plugins.api_table import public_value

frame = tf.signal.frame
hamming_window = tf.signal.hamming_window
hann_window = tf.signal.hann_window
inverse_stft = tf.signal.inverse_stft
inverse_stft_window_fn = tf.signal.inverse_stft_window_fn
linear_to_mel_weight_matrix = tf.signal.linear_to_mel_weight_matrix
mfccs_from_log_mel_spectrograms = tf.signal.mfccs_from_log_mel_spectrograms
overlap_and_add = tf.signal.overlap_and_add
stft = tf.signal.stft

for _name in (
    "frame", "hamming_window", "hann_window", "inverse_stft", "inverse_stft_window_fn", "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms", "overlap_and_add", "stft",
):
    public_value(f"contrib.signal.{_name}", name=_name)
