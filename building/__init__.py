"""How a wheel is built: with compiled kernels, so that no command of a fresh installation compiles."""
