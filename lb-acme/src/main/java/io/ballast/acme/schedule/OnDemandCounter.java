package io.ballast.acme.schedule;

import java.util.Locale;

/** The results for names that clients asked for. */
public enum OnDemandCounter {
    /** A certificate was issued. */
    ISSUED,
    /** An order failed. */
    FAILED,
    /** The URL refused the name. */
    REFUSED,
    /** The URL gave no answer. */
    UNANSWERED,
    /** Too many names waited, or too many orders were made in the last hour. */
    DROPPED;

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
