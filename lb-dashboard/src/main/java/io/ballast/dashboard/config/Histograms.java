package io.ballast.dashboard.config;

/** The histograms of response times in {@code /metrics}. Histograms of pools are always included. */
public enum Histograms {
    /** For each backend too: 16 lines for each. */
    PER_BACKEND,
    /** Of pools only. */
    PER_POOL
}
