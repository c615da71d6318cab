//! Nothing lives here; the tests are in it/.
