"""Records `trained_golden.npz` with TensorFlow 1.15: a uint8 model of `trained_network.py`, inputs and outputs. Run by
hand, with the folder of its programs in PATH."""

import pathlib

import numpy as np
import tensorflow as tf
from trained_network import network


def main():
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = network(tf)
        converter = tf.lite.TFLiteConverter.from_session(session, [x], [y])
        converter.inference_type = tf.uint8
        converter.quantized_input_stats = {"x": (127.5, 127.5)}
        content = converter.convert()
    interpreter = tf.lite.Interpreter(model_content=content)
    interpreter.allocate_tensors()
    inputs = np.random.RandomState(3).randint(0, 256, (8, 1, 16, 16, 3)).astype(np.uint8)
    outputs = []
    for image in inputs:
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image)
        interpreter.invoke()
        outputs.append(interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))
    details = interpreter.get_tensor_details()
    names = [detail["name"] for detail in details if detail["dtype"] == np.uint8]
    scales = [detail["quantization"] for detail in details if detail["dtype"] == np.uint8]
    np.savez_compressed(
        pathlib.Path(__file__).parent / "trained_golden.npz",
        model=np.frombuffer(content, np.uint8), inputs=inputs, outputs=outputs, names=names, scales=scales,
    )


if __name__ == "__main__":
    main()
