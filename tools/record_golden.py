"""Record what TensorFlow 1.15 builds and computes for golden case files.

`/path/to/python-with-tensorflow-1.15 tools/record_golden.py FILE_cases.py ... [-k TEXT]` writes `FILE_golden.json.xz`
beside each case file. Every case runs in a process of its own, so that a crash of the original is only a fact more.
"""
import argparse
import json
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "packages", "testkit", "src"))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = ""

from ossia_testkit import recording

SECONDS = 120  # a case may take


def isolated(function, *arguments, **options):
    """The JSON result of `function(*arguments)` in a forked process, or what killed that process.

    The process has `seconds` (SECONDS if that is not given).
    """
    seconds = options.get("seconds", SECONDS)
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        signal.alarm(seconds)
        try:
            result = function(*arguments)
        except BaseException as error:
            result = {"refused": "%s: %s" % (type(error).__name__, error)}
        with os.fdopen(writer, "wb") as file:
            file.write(json.dumps(result).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        data = file.read()
    status = os.waitpid(child, 0)[1]
    if data:
        return json.loads(data.decode())
    number = os.WTERMSIG(status)
    if number == signal.SIGALRM:
        return {"refused": "took more than %d s" % seconds}
    return {"error": {"class": ["crash"], "where": "run", "message": signal.Signals(number).name}}


def record_file(tf, path, pattern):
    """Record the cases of one file whose name holds `pattern`; the others keep their records."""
    cases, seed = recording.load_cases(path)
    target = recording.golden_path(path)
    records = recording.load_golden(target) if pattern else {}

    def session(graph):
        config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=2)
        return tf.Session(graph=graph, config=config)

    refused = 0
    for name, function in cases.items():
        if pattern in name:
            record = isolated(recording.record_case, tf, function, seed, session)
            if "refused" in record:
                refused += 1
                print("  %s refused: %s" % (name, record["refused"]))
                continue
            if "error" in record:
                print("  %s: %s while %s: %s" % (name, record["error"]["class"][0], record["error"]["where"],
                                               record["error"]["message"].splitlines()[:1]))
            records[name] = record
    records = {name: record for name, record in records.items() if name in cases}
    recording.save_golden(target, records, tf.__version__)
    print("%s: %d cases, %d bytes" % (target, len(records), os.path.getsize(target)))
    return refused


def main():
    """Record all files on the command line; the exit status says whether every case could be recorded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("-k", default="", metavar="TEXT", help="only cases whose name holds TEXT")
    args = parser.parse_args()
    import warnings

    warnings.simplefilter("ignore")
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.FATAL)
    return 1 if sum([record_file(tf, path, args.k) for path in args.files]) else 0


if __name__ == "__main__":
    sys.exit(main())
