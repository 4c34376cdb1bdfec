//! The conformance runner: plays facts and traces of the real systems on the core and compares.
