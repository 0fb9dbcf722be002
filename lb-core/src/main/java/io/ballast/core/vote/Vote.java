package io.ballast.core.vote;

/**
 * The opinion of one node about a backend, according to its own checks and requests. Immutable.
 *
 * @param node the name of the node
 * @param isUp whether it reaches the backend
 * @param reason the result of the check that decided, at most {@value #MAX_REASON_LENGTH} characters; a longer text is
 *     truncated
 */
public record Vote(String node, boolean isUp, String reason) {

    public static final int MAX_REASON_LENGTH = 200;

    public Vote {
        reason = reason.length() > MAX_REASON_LENGTH ? reason.substring(0, MAX_REASON_LENGTH) : reason;
    }

    /** {@code up} or {@code down}. */
    public String label() {
        return isUp ? "up" : "down";
    }
}
