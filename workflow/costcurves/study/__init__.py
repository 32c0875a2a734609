"""From a configuration to the study that it describes: YAML, types, meaning.

Only `strict_yaml` (ruamel.yaml) needs the extra `report`.
"""
