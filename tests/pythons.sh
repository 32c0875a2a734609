#!/usr/bin/env bash
# Build a small study's report with each other Python that the package supports, and compare its tables and figures with
# those of the Python in .venv, byte for byte. A Python that this computer lacks is named.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# The environment of a Python, and where its report is built.
built() {
  .venv/bin/python -c "from pathlib import Path; from tests import small_study
small_study.write_study(Path('$place/$1'), datasets=[{'name': 'one', 'predictions': ['one.csv', 'family.csv.gz']}])"
  (cd "$place/$1" && "$2/bin/python" -m costcurves report study.yaml >said 2>&1) || { cat "$place/$1/said"; exit 1; }
}

built own "$PWD/.venv"
for version in $(sed -n 's/.*Python :: \(3\.[0-9]*\)",/\1/p' pyproject.toml); do
  for python in "python$version" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python; do
    if "$python" -m venv "$place/env-$version" 2>/dev/null; then break; fi
  done
  if [ ! -x "$place/env-$version/bin/pip" ]; then
    echo "Python $version: not on this computer"
    continue
  fi
  install=("$place/env-$version/bin/python" -m pip install --quiet)
  "${install[@]}" --require-hashes -r build.lock
  "${install[@]}" --require-hashes --no-build-isolation -r requirements.lock
  "${install[@]}" --no-deps --no-build-isolation --editable .
  built "$version" "$place/env-$version"
  for folder in tables figures; do
    diff --recursive --brief --exclude='*.py' "$place"/{own,"$version"}/reports/small/$folder
  done
  echo "Python $version: the same tables and figures"
done
