"""The stages of a study as jobs: what each reads, computes and writes, and under which key."""
