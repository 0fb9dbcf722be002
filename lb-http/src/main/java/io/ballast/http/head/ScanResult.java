package io.ballast.http.head;

/** The result of a scan. */
public enum ScanResult {
    /** A complete head; its parts are in the scanner. */
    COMPLETE,
    /** An incomplete head that is valid so far. */
    INCOMPLETE,
    /** An invalid head; the scanner contains the reason. */
    REJECTED
}
