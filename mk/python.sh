#!/usr/bin/env bash
# Copyright The ctx-lsp authors. MIT licence.
#
# Makes a virtual environment of Python with the packages of a lock file, or leaves it if it has them already. PYTHON
# names the interpreter; the default is python3. With PYTHON_NO_DEPS, dependencies are those of the lock file, whatever
# the packages ask for.
#   mk/python.sh ENVIRONMENT REQUIREMENTS [PACKAGE-FROM-SOURCE]
set -euo pipefail
environment=$1 requirements=$2 python=${PYTHON:-python3}
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
  "$(dirname "$0")/apt.sh" install python3 python3-venv
fi
wanted="$("$python" --version) $(sha256sum <"$requirements")"
mkdir -p "$(dirname "$environment")"
exec 9>"$environment.lock"
flock 9
[ "$(cat "$environment/ready" 2>/dev/null)" != "$wanted" ] || exit 0
rm -rf "$environment"
"$python" -m venv "$environment"
"$environment/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: \
  ${PYTHON_NO_DEPS:+--no-deps} ${3:+--no-binary "$3"} -r "$requirements"
echo "$wanted" >"$environment/ready"
