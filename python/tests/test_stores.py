# Copyright The ctx-lsp authors. MIT licence.

"""
Tests that an export is loaded into DuckDB, ClickHouse and Iceberg, by fleet/tests/stores.py. STORES is the interpreter
with these engines, and CTX_LSP the program, next to ctx-lsp-fleet.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "fleet" / "tests" / "stores.py"
ROWS = "100000"  # make bench-stores loads a million


@unittest.skipUnless(os.environ.get("STORES"), "STORES names no interpreter with DuckDB and ClickHouse")
class TestStores(unittest.TestCase):
    def test_engines_answer_the_questions(self) -> None:
        command = [os.environ["STORES"], str(SCRIPT), os.environ["CTX_LSP"], ROWS]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\n[1-9][0-9]+ passed, 0 failed\n$")
