"""Runs random cases with TensorFlow or with Ossia, whichever the interpreter has, and survives what they do to it.

`python worker.py tensorflow|ossia CASES.json RECORDS.jsonl`, for Python 3.7 too. The cases run in forked processes,
many in each; when one crashes or takes too long, that is the record of the case it was at, and the next one goes on.
"""
import importlib
import json
import os
import resource
import signal
import sys
import time
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "packages", "testkit", "src"))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = ""

from build import call_case, program_case  # noqa: E402
from build_gradients import slope_case  # noqa: E402

from ossia_testkit import recording  # noqa: E402

TOGETHER = 300  # cases of one process
SECONDS = 20  # a case may take
MEMORY = int(os.environ.get("OSSIA_DIFFERENTIAL_MEMORY", 14 << 30))  # bytes of addresses that a process may take
SEED = 1234  # of every graph


def case_of(spec):
    """The case function of a spec, for `ossia_testkit.recording`."""
    build = slope_case if "slopes" in spec else program_case if "program" in spec else call_case
    return lambda tf: build(tf, spec)


def run_cases(tf, cases, file):
    """Write the record of each case as a line of JSON."""
    recording.VALUE_LIMIT = 1 << 20

    def session(graph):
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
        return tf.Session(graph=graph, config=config)

    for case in cases:
        signal.alarm(SECONDS)
        start = time.time()
        try:
            record = recording.record_case(tf, case_of(case), SEED, session)
        except BaseException as error:
            record = {"refused": "%s: %s" % (type(error).__name__, error)}
        signal.alarm(0)
        if time.time() - start > SECONDS / 3:
            record["slow"] = round(time.time() - start, 1)
        file.write(json.dumps(record).encode() + b"\n")
        file.flush()


def run_apart(tf, cases):
    """The records of the first cases, as many as one forked process came to."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        with os.fdopen(writer, "wb") as file:
            run_cases(tf, cases, file)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        lines = [line for line in file if line.endswith(b"\n")]
    status = os.waitpid(child, 0)[1]
    if len(lines) < len(cases):
        number = os.WTERMSIG(status)
        kind = "timeout" if number == signal.SIGALRM else "crash"
        error = {"class": [kind], "where": "run", "message": "signal %d" % number}
        lines.append(json.dumps({"error": error}).encode() + b"\n")
    return lines


def main(module, source, target):
    """Record all cases of a file."""
    warnings.simplefilter("ignore")
    tf = importlib.import_module(module)
    tf.compat.v1.logging.set_verbosity("FATAL")
    with open(source) as file:
        cases = json.load(file)
    with open(target, "wb") as file:
        done = 0
        while done < len(cases):
            lines = run_apart(tf, cases[done:done + TOGETHER])
            file.writelines(lines)
            file.flush()
            done += len(lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
