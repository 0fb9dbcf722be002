package io.ballast.http.log;

/** How a record becomes a line. Confined to the writer. */
interface LineFormat {

    /**
     * Appends one line with its end.
     *
     * @param epochMillis when the exchange began
     */
    void append(LogRecord entry, long epochMillis, LogLine target);
}
