#!/bin/sh
# An emitted package with the lowest and with the newest versions that it allows, and its wheel, built twice.
# Usage: lowest.sh PYTHON BUILDER, where BUILDER is a Python that has `build`.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
cp -r samples/bookshop/server "$work/server"
"$1" - "$work/server/pyproject.toml" >"$work/lowest.txt" <<'LOWEST'
import re
import sys
import tomllib
from pathlib import Path

for wanted in tomllib.loads(Path(sys.argv[1]).read_text("utf-8"))["project"]["dependencies"]:
    found = re.match(r"([\w.-]+)(?:\[[^]]*\])?\s*>=([\w.]+)", wanted)
    assert found, f"{wanted} has no lower bound"
    print(f"{found[1]}=={found[2]}")
LOWEST
for bound in lowest newest; do
  "$1" -m venv "$work/$bound"
  constraints=""
  [ "$bound" = lowest ] && constraints="--constraint $work/lowest.txt"
  # shellcheck disable=SC2086
  "$work/$bound/bin/python" -m pip install --quiet --disable-pip-version-check $constraints "$work/server" 'pytest>=8.4,<10'
  (cd "$work/server" && "$work/$bound/bin/python" -m pytest -q -p no:cacheprovider tests)
  echo "the emitted package's tests hold with the $bound versions"
done
for time in first second; do
  "$2" -m build --wheel --outdir "$work/$time" "$work/server" >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }
done
cmp "$work"/first/*.whl "$work"/second/*.whl
echo "the emitted package's wheel is the same bytes when it is built again"
