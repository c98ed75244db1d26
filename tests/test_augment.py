"""The example that augments photographs: its contact sheet has the original's pictures."""
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parent.parent
BORDERS = 4
HEIGHT, WIDTH = 96, 144


def pictures(sheet):
    """The pictures of a sheet without their borders, `[rows, columns, height, width, 3]`."""
    rows, columns = len(sheet) // (HEIGHT + 2 * BORDERS), sheet.shape[1] // (WIDTH + 2 * BORDERS)
    cut = sheet.reshape(rows, HEIGHT + 2 * BORDERS, columns, WIDTH + 2 * BORDERS, 3).swapaxes(1, 2)
    return cut[:, :, BORDERS:-BORDERS, BORDERS:-BORDERS].astype(float)


def test_contact_sheet(tmp_path):
    import ossia as tf

    sheet = tmp_path / "sheet.png"
    subprocess.run([sys.executable, "-m", "ossia", "run", str(ROOT / "examples/augment.py"), f"--sheet={sheet}"],
                   check=True, capture_output=True)
    with tf.Graph().as_default(), tf.Session() as session:
        made = pictures(session.run(tf.image.decode_png(sheet.read_bytes())))
    means = json.loads((ROOT / "tests/golden/augment_means.json").read_text())
    np.testing.assert_allclose(made.mean(axis=(2, 3)), means, atol=0.01)
    for row in made:
        for number, picture in enumerate(row[1:]):
            assert np.abs(picture - row[0]).mean() > 0.5, number
