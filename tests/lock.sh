#!/usr/bin/env bash
# Pin the dependencies anew. A lock has what its purpose adds to the locks that are installed before it.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
touch "$place/pins"

# Pin what is named, in the versions that are pinned already where that can be.
pin() {
  cp "$place"/{pins,made}
  .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
    --output-file "$place/made" "$@"
}
# Write what these locks lack of it.
beyond() {
  awk '/^[^ ]/ {new = !($0 in known)} FILENAME == ARGV[ARGC - 1] {if (new) print; next} {known[$0]}' "$@" "$place/made"
}

pin pyproject.toml --extra report --extra dev --group build
cp "$place"/{made,pins}
pin --group build
cp "$place/made" build.lock
pin pyproject.toml --extra report
cp "$place/made" requirements.lock
pin pyproject.toml --extra report --extra dev
beyond build.lock requirements.lock >tests/requirements.lock
pin --group docs
beyond build.lock requirements.lock >docs/site/requirements.lock
pin --group slurm
beyond build.lock {,tests/}requirements.lock >tests/slurm.lock
# The oldest versions that pyproject.toml allows, of the Python interface and of reports, whatever other locks pin; and the
# newest of the Python interface alone.
: >"$place/pins"
pin pyproject.toml --group light --group build --resolution lowest-direct
cp "$place/made" tests/oldest.lock
pin pyproject.toml --extra report --extra dev --group build --resolution lowest-direct
cp "$place/made" tests/oldest-report.lock
pin pyproject.toml --group light --group build
cp "$place/made" tests/light.lock
! grep -nE '://|^-' {build,requirements,tests/requirements,docs/site/requirements,tests/{light,oldest,oldest-report,slurm}}.lock
