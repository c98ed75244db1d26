"""The MNIST files under the names that `tf.contrib.learn` has for them."""

from ossia_core.plugins.api_table import public_value
from ossia_tensorflow_paths.examples.tutorials.mnist import input_data

DataSet = input_data.DataSet
extract_images = input_data.extract_images
extract_labels = input_data.extract_labels
read_data_sets = input_data.read_data_sets


def load_mnist(train_dir: str = "MNIST-data") -> input_data.Datasets:
    """The MNIST files of a folder, `read_data_sets` with its defaults."""
    return read_data_sets(train_dir)


for _name in ("DataSet", "extract_images", "extract_labels", "load_mnist", "read_data_sets"):
    public_value(f"contrib.learn.datasets.mnist.{_name}", name=_name)
