#!/bin/sh
# Writes requirements.lock anew from pyproject.toml: one version of each package for every supported Python and
# platform, with the hashes of all its files and no addresses. Versions already locked stay;
# `sh tools/lock.sh --upgrade` takes the newest. At the end it checks that nothing would have to be compiled.
set -eu
cd "$(dirname "$0")/.."
python=$(sh tools/find-python.sh)
range=$(sed -n 's/^requires-python = ">=3\.\([0-9]*\),<3\.\([0-9]*\)"$/\1 \2/p' pyproject.toml)
first=${range% *}
last=$((${range#* } - 1))
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m venv "$work/venv"
PIP_DISABLE_PIP_VERSION_CHECK=1 "$work/venv/bin/python" -m pip install -qq uv
uv=$work/venv/bin/uv

cp requirements.lock "$work/lock" 2>/dev/null || true
"$uv" pip compile -q pyproject.toml --extra dev --universal --python-version "3.$first" \
    --fork-strategy fewest --generate-hashes --no-header --no-annotate "$@" -o "$work/lock" >/dev/null
{ printf '# Written by tools/lock.sh (make lock). Do not edit.\n'; grep -v '^#' "$work/lock"; } > "$work/new"
if grep -n '://' "$work/new"; then
    echo 'requirements.lock would hold an address; it is left as it was' >&2
    exit 1
fi

for platform in x86_64-manylinux_2_28 aarch64-manylinux_2_28 aarch64-apple-darwin; do
    for minor in $(seq "$first" "$last"); do
        "$uv" pip install -q --dry-run --target "$work/nowhere" --python-platform "$platform" \
            --python-version "3.$minor" --only-binary :all: --require-hashes --no-deps -r "$work/new"
    done
done
cp "$work/new" requirements.lock
printf 'requirements.lock: %s packages\n' "$(grep -c '==' requirements.lock)"
