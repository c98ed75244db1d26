"""Distribution strategies: one model on several devices of this process, or variables on parameter servers."""
