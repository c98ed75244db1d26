# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.older_names import (
 frame as frame, hamming_window as hamming_window, hann_window as hann_window, inverse_stft as inverse_stft,
 inverse_stft_window_fn as inverse_stft_window_fn, linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
 mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms, overlap_and_add as overlap_and_add, stft as stft
)
