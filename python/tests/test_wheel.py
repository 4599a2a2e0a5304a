# Copyright The ctx-lsp authors. MIT licence.

"""
Tests of the wheels, which are installed from their files into fresh environments. RELEASE is the program of
tools/release, and CTX_LSP the program for this machine.
"""

from __future__ import annotations

import filecmp
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = pathlib.Path(sys.executable).parent
PLATFORMS = {
    "linux-amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux-arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin-amd64": "macosx_12_0_x86_64",
    "darwin-arm64": "macosx_12_0_arm64",
    "windows-amd64": "win_amd64",
    "windows-arm64": "win_arm64",
}
SAMPLE = ROOT / "testdata" / "sessions" / "claude-code" / "compacted.jsonl"


def here() -> str:
    machine = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return f"{platform.system().lower()}-{machine}"


@unittest.skipUnless(os.environ.get("RELEASE"), "RELEASE names no program of tools/release")
class TestWheels(unittest.TestCase):
    place: pathlib.Path
    wheel: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="ctx-wheel-")
        cls.addClassCleanup(folder.cleanup)
        cls.place = pathlib.Path(folder.name)
        for name in PLATFORMS:
            for programs in (cls.place / "programs" / name, cls.place / "others" / name):
                programs.mkdir(parents=True)
                program = programs / ("ctx-lsp.exe" if name.startswith("windows") else "ctx-lsp")
                program.write_text(f"a program for {name}\n")
        program = cls.place / "programs" / here() / pathlib.Path(os.environ["CTX_LSP"]).name
        shutil.copy(os.environ["CTX_LSP"], program)
        (cls.place / "NOTICES").write_text("The notices.\n")
        cls.made = cls.make("made", "0.2.0-rc.1", "programs")
        cls.wheel = cls.made / f"ctx_lsp-0.2.0rc1-py3-none-{PLATFORMS[here()]}.whl"

    made: pathlib.Path

    @classmethod
    def make(cls, name: str, version: str, programs: str = "others") -> pathlib.Path:
        out = cls.place / name
        out.mkdir()
        command: list[str | pathlib.Path] = [
            os.environ["RELEASE"],
            "wheels",
            version,
            cls.place / programs,
            cls.place / "NOTICES",
            out,
        ]
        subprocess.run(
            command, cwd=ROOT, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}, capture_output=True, check=True
        )
        return out

    def run_in(self, home: pathlib.Path, *command: str | pathlib.Path, **environment: str) -> str:
        """Runs a command as on a machine on which nothing was set up, except that it finds packages where pip does."""
        home.mkdir(exist_ok=True)
        kept = {
            name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_", "REQUESTS_"))
        }
        env = {**kept, "HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", **environment}
        made = subprocess.run(command, env=env, cwd=home, text=True, capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, f"{command}: {made.stdout}{made.stderr}")
        return made.stdout

    def test_there_is_one_of_each_platform_and_an_sdist(self) -> None:
        names = {f"ctx_lsp-0.2.0rc1-py3-none-{tags}.whl" for tags in PLATFORMS.values()}
        self.assertEqual({file.name for file in self.made.iterdir()}, {*names, "ctx_lsp-0.2.0rc1.tar.gz"})

    def test_what_is_in_one(self) -> None:
        for name, tags in PLATFORMS.items():
            with zipfile.ZipFile(self.made / f"ctx_lsp-0.2.0rc1-py3-none-{tags}.whl") as wheel:
                program = "ctx_lsp-0.2.0rc1.data/scripts/ctx-lsp" + (".exe" if name.startswith("windows") else "")
                self.assertEqual(wheel.getinfo(program).external_attr >> 16 & 0o777, 0o755)
                if name != here():
                    self.assertEqual(wheel.read(program).decode(), f"a program for {name}\n")
                information = "ctx_lsp-0.2.0rc1.dist-info/"
                self.assertEqual(wheel.read(f"{information}licenses/THIRD_PARTY_NOTICES.txt"), b"The notices.\n")
                self.assertIn("License-Expression: MIT", wheel.read(f"{information}METADATA").decode())
                client = {f"ctx_lsp/{file.name}" for file in (ROOT / "python" / "ctx_lsp").glob("*.*")}
                self.assertEqual({file for file in wheel.namelist() if file.startswith("ctx_lsp/")}, client)

    def test_two_runs_write_the_same_bytes(self) -> None:
        one, two = self.make("one", "0.2.0-rc.1"), self.make("two", "0.2.0-rc.1")
        names = sorted(file.name for file in one.iterdir())
        same, different, missing = filecmp.cmpfiles(one, two, names, shallow=False)
        self.assertEqual((len(same), different, missing), (7, [], []))

    def test_versions_in_the_form_of_python(self) -> None:
        for version, number in (("1.2.3", "1.2.3"), ("1.2.3-alpha.4", "1.2.3a4"), ("1.2.3-beta.10", "1.2.3b10")):
            self.assertTrue((self.make(version, version) / f"ctx_lsp-{number}.tar.gz").exists())
        with self.assertRaises(subprocess.CalledProcessError) as refused:
            self.make("wrong", "1.2.3-next")
        self.assertIn(b"has no form in Python", refused.exception.stderr)

    def test_the_checkers_of_pypi(self) -> None:
        files = [str(file) for file in self.made.iterdir()]
        home = self.place / "checked"
        self.run_in(home, TOOLS / "twine", "check", "--strict", *files)
        self.run_in(home, TOOLS / "check-wheel-contents", *[file for file in files if file.endswith(".whl")])

    def shows(self, home: pathlib.Path, *command: str | pathlib.Path, **environment: str) -> None:
        said = self.run_in(home, *command, "status", str(SAMPLE), **environment)
        self.assertRegex(said, r"\d+%")

    def test_pip(self) -> None:
        home = self.place / "pip"
        self.run_in(home, sys.executable, "-m", "venv", "--without-pip", home / "v")
        binaries = home / "v" / ("Scripts" if sys.platform == "win32" else "bin")
        pip = (sys.executable, "-m", "pip", "--python", binaries / "python")
        self.run_in(home, *pip, "install", "--no-index", "--quiet", self.wheel)
        self.shows(home, binaries / "ctx-lsp")
        script = (
            "import ctx_lsp, pathlib\n"
            "assert pathlib.Path(ctx_lsp.find_program()).parent == pathlib.Path(__import__('sys').executable).parent\n"
            "client = ctx_lsp.Client('--engine=native', '--state=none')\n"
            "with ctx_lsp.Session(client=client, model='gpt-5') as session:\n"
            "    print(session.usage({'prompt_tokens': 1000, 'completion_tokens': 1, 'total_tokens': 1001}).used)\n"
        )
        self.assertIn("1001", self.run_in(home, binaries / "python", "-c", script))
        self.run_in(home, *pip, "uninstall", "--yes", "--quiet", "ctx-lsp")
        self.assertFalse((binaries / "ctx-lsp").exists())

    def test_uv(self) -> None:
        home = self.place / "uv"
        self.shows(home, TOOLS / "uv", "tool", "run", "--offline", "--from", self.wheel, "ctx-lsp")

    def test_pipx(self) -> None:
        home = self.place / "pipx"
        # pipx keeps a pip of its own, which it fetches once.
        shared = {"PIPX_SHARED_LIBS": str(TOOLS.parent / "pipx"), "PIPX_DEFAULT_PYTHON": sys.executable}
        self.run_in(home, TOOLS / "pipx", "install", "--pip-args=--no-index", str(self.wheel), **shared)
        self.shows(home, home / ".local" / "bin" / "ctx-lsp")

    def test_the_sdist_says_what_to_do(self) -> None:
        home = self.place / "sdist"
        home.mkdir()
        command: list[str | pathlib.Path] = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-index",
            "--target",
            home / "t",
        ]
        command.append(self.made / "ctx_lsp-0.2.0rc1.tar.gz")
        made = subprocess.run(command, text=True, capture_output=True, check=False)
        self.assertNotEqual(made.returncode, 0)
        self.assertIn("ctx-lsp has no wheel for", made.stdout + made.stderr)
        self.assertIn("go install github.com/ctx-lsp/ctx-lsp", made.stdout + made.stderr)
        self.assertNotIn("Traceback", made.stdout + made.stderr)


if __name__ == "__main__":
    unittest.main()
