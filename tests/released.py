"""Record that today's code is released as its version: `python -m tests.released`, before a tag."""

import json

from costcurves import __version__
from costcurves.code import all_files
from costcurves.record.manifest import RELEASED, code_hash

if __name__ == "__main__":
    known = json.loads(RELEASED.read_text("utf-8")) | {__version__: code_hash(all_files())}
    RELEASED.write_text(json.dumps(known, indent=2) + "\n", "utf-8")
