"""What a program needs around its graph: flags, its entry point, resource files, paths of the installation."""
