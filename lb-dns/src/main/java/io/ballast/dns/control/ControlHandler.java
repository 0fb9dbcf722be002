package io.ballast.dns.control;

/**
 * Handles messages of some kinds. Each method returns whether the message was its business: then it has responded, or will.
 * What is nobody's business is answered as if there were no handlers.
 *
 * <p>Thread safety: called by one thread at a time, on which other messages wait; what takes longer goes elsewhere.
 */
public interface ControlHandler {

    /** A zone has changed at another server (<a href="https://datatracker.ietf.org/doc/html/rfc1996">RFC 1996</a>). */
    default boolean onNotify(ControlRequest request) {
        return false;
    }

    /** A zone is to be changed (<a href="https://datatracker.ietf.org/doc/html/rfc2136">RFC 2136</a>). */
    default boolean onUpdate(ControlRequest request) {
        return false;
    }

    /**
     * A query of type AXFR or IXFR in class IN (<a href="https://datatracker.ietf.org/doc/html/rfc5936">RFC 5936</a>, <a
     * href="https://datatracker.ietf.org/doc/html/rfc1995">RFC 1995</a>).
     */
    default boolean onTransfer(ControlRequest request) {
        return false;
    }
}
