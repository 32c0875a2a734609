"""The mathematics of the annex's own tables: arrays in, arrays out; numpy only, no files."""
