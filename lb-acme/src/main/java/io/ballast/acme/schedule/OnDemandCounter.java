package io.ballast.acme.schedule;

import java.util.Locale;

/** The results of requests for certificates on demand, which metrics count. */
public enum OnDemandCounter {
    /** A certificate was issued. */
    ISSUED,
    /** An order failed. */
    FAILED,
    /** The configured {@code ask} URL refused the name. */
    REFUSED,
    /** The configured {@code ask} URL gave no answer. */
    UNANSWERED,
    /** Too many names waited, or too many orders were made in the last hour. */
    DROPPED;

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
