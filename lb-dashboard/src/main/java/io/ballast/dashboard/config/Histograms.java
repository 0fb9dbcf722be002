package io.ballast.dashboard.config;

/** The histograms of response times in {@code /metrics}. Histograms of pools are always included. */
public enum Histograms {
    /** One histogram per backend in addition, with 16 lines each. */
    PER_BACKEND,
    /** For pools only. */
    PER_POOL
}
