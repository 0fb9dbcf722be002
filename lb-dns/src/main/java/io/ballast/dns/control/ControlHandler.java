package io.ballast.dns.control;

/**
 * Handles some kinds of control messages. Each method returns whether it accepts the message. A handler that
 * accepts a message has sent the response, or sends it later. Messages that no handler accepts are answered
 * like plain queries.
 *
 * <p>Thread safety: called by one thread at a time. Other messages wait for this thread, so slow work must
 * run on another thread.
 */
public interface ControlHandler {

    /**
     * Handles a NOTIFY message, which reports that a zone has changed at a primary (<a
     * href="https://datatracker.ietf.org/doc/html/rfc1996">RFC 1996</a>).
     */
    default boolean onNotify(ControlRequest request) {
        return false;
    }

    /** Handles a dynamic update of a zone (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>). */
    default boolean onUpdate(ControlRequest request) {
        return false;
    }

    /**
     * Handles a query of type AXFR or IXFR in class IN (<a href="https://datatracker.ietf.org/doc/html/rfc5936">RFC
     * 5936</a>, <a href="https://datatracker.ietf.org/doc/html/rfc1995">RFC 1995</a>).
     */
    default boolean onTransfer(ControlRequest request) {
        return false;
    }
}
