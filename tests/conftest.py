"""What all tests share: hypothesis without a deadline, for a busy machine is no finding."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
