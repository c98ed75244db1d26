"""Samples of what Ossia brings that do not stand with the things themselves, a module per family: ops whose samples are
programs of several steps, optimizers, schedules, hooks. `plugin` says which module has which."""
