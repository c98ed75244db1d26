# Written by tools/api_stubs.py; do not edit.
from ossia.saved_model import (
 build_signature_def as build_signature_def, classification_signature_def as classification_signature_def,
 is_valid_signature as is_valid_signature, predict_signature_def as predict_signature_def,
 regression_signature_def as regression_signature_def
)
