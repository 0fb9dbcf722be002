package io.ballast.dashboard.config;

/** The histograms of response times in {@code /metrics}. Histograms of pools are always included. */
public enum Histograms {
    /** Histograms of pools, and one histogram for each backend, which takes 16 lines of {@code /metrics}. */
    PER_BACKEND,
    /** Only histograms of pools. */
    PER_POOL
}
