"""Records `KIND_golden.npz` of the models in `KIND_cases.py`: `python record_operators.py PYTHON KIND ...`, where
PYTHON has ai_edge_litert. Run by hand."""

import pathlib
import runpy
import subprocess
import sys
import tempfile

import numpy as np

RUN = """
import os, sys, pathlib
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
folder = pathlib.Path(sys.argv[1])

def run(path):
    with np.load(path.with_suffix(".npz")) as archive:
        feeds = [archive[f"arr_{i}"] for i in range(len(archive.files))]
    found = {}
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
    np.savez_compressed(path.with_suffix(".found.npz"), **found)

for path in sorted(folder.glob("*.tflite")):
    child = os.fork()  # some models end the process
    if not child:
        run(path)
        sys.stdout.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        print(path.stem, "ended with", status)
"""


def record(kind: str) -> None:
    here = pathlib.Path(__file__).parent
    cases = runpy.run_path(str(here / f"{kind}_cases.py"))["cases"]
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for number, (name, content, feeds) in enumerate(cases()):
            names[f"{number:04}"] = name
            pathlib.Path(folder, f"{number:04}.tflite").write_bytes(content)
            np.savez(pathlib.Path(folder, f"{number:04}.npz"), *feeds)
        subprocess.run([sys.argv[1], "-c", RUN, folder], check=True)
        golden = {}
        for path in sorted(pathlib.Path(folder).glob("*.found.npz")):
            with np.load(path) as found:
                golden.update({f"{names[key.split('/')[0]]}/{key.split('/', 1)[1]}": found[key] for key in found.files})
    for number, name in names.items():
        if f"{name}/BUILTIN_REF/0" not in golden:
            print("not recorded:", number, name)
    np.savez_compressed(here / f"{kind}_golden.npz", **golden)


if __name__ == "__main__":
    for kind in sys.argv[2:]:
        record(kind)
