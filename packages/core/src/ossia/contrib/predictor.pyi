# Written by ossia_core.plugins.api_stubs; do not edit.
from ossia_contrib.predictor import from_estimator as from_estimator, from_saved_model as from_saved_model
