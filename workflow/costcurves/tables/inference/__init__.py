"""What chance may have done: resamples, bands, intervals, comparisons, verdicts and claims."""
