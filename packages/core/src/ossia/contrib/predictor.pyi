# Written by tools/api_stubs.py; do not edit.
from ossia_contrib.predictor import from_estimator as from_estimator, from_saved_model as from_saved_model
