#!/bin/sh
# Prints a Python that can run this project; says on stderr what to install when there is none.
# Each candidate is really run: a launcher may exist and still fail.
cd "$(dirname "$0")/.." || exit 1

range=$(sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"$/\1 \2/p' pyproject.toml)
first=${range% *}
end=${range#* }
last=$((end - 1))
suits="
import platform, struct, sys
intel_mac = sys.platform == 'darwin' and platform.machine() == 'x86_64'
good = sys.implementation.name == 'cpython' and struct.calcsize('P') == 8 and not intel_mac
sys.exit(not (good and (3, $first) <= sys.version_info[:2] < (3, $end)))
"

candidates=
minor=$last
while [ "$minor" -ge "$first" ]; do
    candidates="$candidates python3.$minor"
    minor=$((minor - 1))
done

without_pip=
for python in "${PYTHON:-}" $candidates python3; do
    [ -n "$python" ] || continue
    if ! "$python" -c "$suits" >/dev/null 2>&1; then
        [ "$python" != "${PYTHON:-}" ] || printf '%s does not suit; looking for another Python\n' "$python" >&2
        continue
    fi
    if "$python" -c 'import venv, ensurepip' >/dev/null 2>&1; then
        printf '%s\n' "$python"
        exit 0
    fi
    without_pip=$python
done

if [ -n "$without_pip" ]; then
    version=$("$without_pip" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    cat >&2 <<END
$without_pip (Python $version) is here, but cannot make virtual environments: its venv or ensurepip is missing.
On Debian and Ubuntu:  sudo apt install python3-venv     (or python$version-venv)
END
else
    cat >&2 <<END
No Python from 3.$first to 3.$last was found (tried:${PYTHON:+ $PYTHON}$candidates python3).
It has to be 64-bit CPython on Linux, or on a Mac with an Apple chip.
On Debian and Ubuntu:  sudo apt install python3 python3-venv
On a Mac:              brew install python@3.$((last - 1))
One that lies elsewhere:  make setup PYTHON=/path/to/python3
END
fi
exit 1
