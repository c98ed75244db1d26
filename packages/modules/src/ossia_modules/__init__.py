"""Objects that own variables and name what they build: modules and templates."""
