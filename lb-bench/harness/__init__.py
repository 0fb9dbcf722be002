"""Load tests and comparisons of Ballast with other servers: each program starts, loads, checks and reports."""
