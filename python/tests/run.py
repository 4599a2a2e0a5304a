# Copyright The ctx-lsp authors. MIT licence.

"""Runs the tests, or those whose names contain an argument. The last line is "N passed, M failed"."""

from __future__ import annotations

import pathlib
import sys
import time
import unittest


class Result(unittest.TextTestResult):
    """Result prints the tests that take long, in the form that mk/test.sh collects."""

    passed = 0

    def startTest(self, test: unittest.TestCase) -> None:
        self.began = time.monotonic()
        super().startTest(test)

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        seconds = time.monotonic() - self.began
        if seconds >= 1:
            print(f"slow: {seconds:.1f} test-python: {test.id()}")

    def addSuccess(self, test: unittest.TestCase) -> None:
        super().addSuccess(test)
        self.passed += 1


def main() -> int:
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]] or None
    suite = loader.discover(str(pathlib.Path(__file__).parent))
    runner = unittest.TextTestRunner(resultclass=Result)  # type: ignore[arg-type]
    result = runner.run(suite)
    assert isinstance(result, Result)
    failed = len({test.id() for test, _ in [*result.failures, *result.errors]})
    passed = result.passed
    for test, reason in result.skipped:
        print(f"skipped: {test.id()}: {reason}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed <= 0 else 0


if __name__ == "__main__":
    sys.exit(main())
