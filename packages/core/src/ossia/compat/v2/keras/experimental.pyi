# Written by tools/api_stubs.py; do not edit.
from ossia.keras.experimental import SequenceFeatures as SequenceFeatures
