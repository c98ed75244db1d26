"""The `ossia` command: runs TensorFlow 1 scripts, and tells what is installed."""
