#!/usr/bin/env bash
# Results in a storage at s3://, by tests/workflow/test_s3.py: with moto, a server on this computer. What that needs
# (100 MB) is in no environment of ours; it is installed for these tests and removed after them.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m pip --python .venv/bin/python install --quiet --no-deps --require-hashes --target "$place" -r tests/s3.lock
PYTHONPATH="$place" .venv/bin/python -m pytest tests/workflow/test_s3.py
