package io.ballast.dashboard.config;

/** Of which response times {@code /metrics} has histograms; those of pools are always there. */
public enum Histograms {
    /** Of each backend too: 16 lines for each. */
    PER_BACKEND,
    /** Of pools only. */
    PER_POOL
}
