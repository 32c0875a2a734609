"""The mathematics: arrays in, arrays or small frozen objects out; numpy only, no files."""
