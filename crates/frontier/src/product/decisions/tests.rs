//! Which decisions kernels make, and how these follow from launch arguments.
