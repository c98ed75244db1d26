"""Every optimizer of TensorFlow 1, moving averages and loss scaling, for Ossia."""
