"""
Fetch sources for a command, without a study.

INPUTS: the URLs in the configuration.
OUTPUTS: what to say of each that could not be fetched, on standard output.
"""

import json
import sys


include: "fetching.smk"


print(json.dumps(fetch(config["urls"])))
sys.exit()
