package io.ballast.http.head;

/** What a scanner found. */
public enum Scan {
    /** A whole head; its parts are in the scanner. */
    COMPLETE,
    /** The beginning of a head that may become a good one. */
    INCOMPLETE,
    /** Not a head; the scanner holds the fault. */
    REJECTED
}
