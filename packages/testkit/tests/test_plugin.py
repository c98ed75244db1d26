"""The options of the pytest plugin."""
pytest_plugins = ["pytester"]


def test_xfails_are_strict(pytester):
    pytester.makepyfile("def test_bad():\n    assert False\n\ndef test_good():\n    pass\n")
    listed = pytester.makefile(".txt", xfails="test_bad  # known\n# a comment\n\ntest_good\n")
    result = pytester.runpytest_subprocess(f"--ossia-xfails={listed}", "-p", "no:cacheprovider")
    result.assert_outcomes(xfailed=1, failed=1)


def test_backend_is_selected(pytester):
    pytester.makepyfile("import os\n\ndef test_it():\n    assert os.environ['OSSIA_BACKEND'] == 'numpy'\n")
    pytester.runpytest_subprocess("--ossia-backend=numpy").assert_outcomes(passed=1)
