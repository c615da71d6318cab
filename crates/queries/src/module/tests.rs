//! Which queries run after which edit of a module.
