#!/usr/bin/env bash
# Sources at s3:// and results in a storage, by tests/workflow/test_s3.py: with moto, a server on this computer. What that needs
# (100 MB) is in no environment of ours; it is installed for these tests and removed after them.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m pip --python .venv/bin/python install --quiet --no-deps --target "$place" \
  snakemake-storage-plugin-s3==0.3.6 boto3==1.44.5 botocore==1.44.5 s3transfer==0.19.3 jmespath==1.1.0 \
  python-dateutil==2.9.0.post0 six==1.17.0 moto==5.2.5 responses==0.26.3 xmltodict==1.0.4 py-partiql-parser==0.6.3 \
  cryptography==50.0.2 flask==3.1.3 flask-cors==6.0.5 werkzeug==3.1.9 itsdangerous==2.2.0 blinker==1.9.0
PYTHONPATH="$place" .venv/bin/python -m pytest tests/workflow/test_s3.py
