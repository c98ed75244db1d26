"""Records `operator_golden.npz`: `python record_operators.py PYTHON`, where PYTHON has ai_edge_litert. Run by hand."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

RUN = """
import sys, pathlib
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
folder = pathlib.Path(sys.argv[1])
found = {}
for path in sorted(folder.glob("*.tflite")):
    with np.load(path.with_suffix(".npz")) as archive:
        feeds = [archive[f"arr_{i}"] for i in range(len(archive.files))]
    for resolver in ("BUILTIN_REF", "BUILTIN_WITHOUT_DEFAULT_DELEGATES"):
        try:
            runner = Interpreter(str(path), experimental_op_resolver_type=getattr(OpResolverType, resolver))
            runner.allocate_tensors()
            for detail, value in zip(runner.get_input_details(), feeds):
                runner.set_tensor(detail["index"], value)
            runner.invoke()
            for i, detail in enumerate(runner.get_output_details()):
                found[f"{path.stem}/{resolver}/{i}"] = runner.get_tensor(detail["index"])
        except Exception as error:
            print(path.stem, resolver, str(error)[:300])
np.savez_compressed(folder / "found.npz", **found)
"""


def main() -> None:
    from operator_cases import cases

    here = pathlib.Path(__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for number, (name, content, feeds) in enumerate(cases()):
            names[f"{number:04}"] = name
            pathlib.Path(folder, f"{number:04}.tflite").write_bytes(content)
            np.savez(pathlib.Path(folder, f"{number:04}.npz"), *feeds)
        subprocess.run([sys.argv[1], "-c", RUN, folder], check=True)
        with np.load(pathlib.Path(folder, "found.npz")) as found:
            golden = {f"{names[key.split('/')[0]]}/{key.split('/', 1)[1]}": found[key] for key in found.files}
    for number, name in names.items():
        if f"{name}/BUILTIN_REF/0" not in golden:
            print("not recorded:", number, name)
    np.savez_compressed(here / "operator_golden.npz", **golden)


if __name__ == "__main__":
    main()
