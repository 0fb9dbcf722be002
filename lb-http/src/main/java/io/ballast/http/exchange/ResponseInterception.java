package io.ballast.http.exchange;

import io.ballast.http.head.ResponseScanner;

/**
 * Stores the status of a backend's response that an error page replaces. One object serves all exchanges of a client
 * connection, in sequence. Event-loop confined.
 */
final class ResponseInterception {

    /** The value of {@link #takeStatus} if no response is replaced. */
    static final int NONE = 0;

    private final ClientSide client;
    private final ExchangeReport report;
    private int status = NONE;

    ResponseInterception(ClientSide client, ExchangeReport report) {
        this.client = client;
        this.report = report;
    }

    /** Whether an error page replaces a response with this head; records the response as complete if so. */
    boolean replaces(ResponseScanner head) {
        if (!client.intercepts(head)) {
            return false;
        }
        report.answered(head.status());
        report.finished();
        status = head.status();
        return true;
    }

    /** Returns the status of the replaced response once; later calls return {@link #NONE}. */
    int takeStatus() {
        int taken = status;
        status = NONE;
        return taken;
    }
}
