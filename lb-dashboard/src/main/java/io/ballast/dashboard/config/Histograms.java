package io.ballast.dashboard.config;

/** The histograms of response times in {@code /metrics}. Histograms of pools are always included. */
public enum Histograms {
    /** Histograms of pools, and one histogram per backend with 16 lines each. */
    PER_BACKEND,
    /** Only histograms of pools. */
    PER_POOL
}
