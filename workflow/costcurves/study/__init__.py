"""From a configuration to the study that it describes: YAML, types, meaning.

Only `strict_yaml` (ruamel.yaml) and `models` (pydantic) need the extra `report`.
"""
