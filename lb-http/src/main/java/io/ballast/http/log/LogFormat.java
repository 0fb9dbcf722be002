package io.ballast.http.log;

/** Formats records as lines. Confined to the log writer thread. */
interface LogFormat {

    /**
     * Appends one line with its line end.
     *
     * @param epochMillis the start of the exchange
     */
    void append(LogRecord entry, long epochMillis, LogLine target);
}
