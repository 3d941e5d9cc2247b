#!/bin/sh
# Makes .venv: every package exactly as in requirements.lock, then this project, editable.
# Does nothing, at once, when that is done already. A .venv that is broken, half made or moved is made anew.
set -eu
cd "$(dirname "$0")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 PIP_USER=0

stamp=.venv/belot-stats.stamp
wanted=$(cat requirements.lock pyproject.toml belot_stats/version.py | cksum; pwd)

if [ -f "$stamp" ] && tail -n 1 "$stamp" | grep -Fqx "$(pwd)" && .venv/bin/python -c 'import pip' 2>/dev/null; then
    if [ "$(cat "$stamp")" = "$wanted" ]; then
        exit 0
    fi
    rm -f "$stamp"
else
    python=$(sh tools/find-python.sh)
    printf 'Making .venv with %s\n' "$("$python" -c 'import sys; print("Python %d.%d.%d, %s" % (*sys.version_info[:3], sys.executable))')"
    rm -rf .venv
    "$python" -m venv .venv
fi

printf 'Installing the packages of requirements.lock (about 200 MB the first time, a minute or two) ...\n'
# Python compiles what it imports, when it does: half the time that installing everything compiled takes.
.venv/bin/python -m pip install -qq --no-compile --require-hashes --only-binary :all: -r requirements.lock
.venv/bin/python -m pip install -qq --no-deps --no-build-isolation --no-index -e .
printf '%s\n' "$wanted" > "$stamp"
