package io.ballast.dns.wire;

/**
 * Why a response is not the answer that was hoped for (<a href="https://datatracker.ietf.org/doc/html/rfc8914">RFC
 * 8914</a>). Told to clients with EDNS, beside the response code.
 */
public enum EdnsError {
    /** For none of the other reasons; a text says which. */
    OTHER(0),
    /** The data was right some time ago, and nothing newer is known. */
    STALE_ANSWER(3),
    /** The server has an answer of its own instead of the name's. */
    FORGED(4),
    /** A failure that was met some time ago, and is not looked for again yet. */
    CACHED_ERROR(13),
    /** The server has not yet got what it needs for an answer. */
    NOT_READY(14),
    /** The name is on a list of names that are not to be reached. */
    BLOCKED(15),
    /** The client may not ask this. */
    PROHIBITED(18),
    /** Like {@link #STALE_ANSWER}, of a name that did not exist. */
    STALE_NXDOMAIN(19),
    /** The name lies outside the server's zones. */
    NOT_AUTHORITATIVE(20),
    /** The server does not do such things. */
    NOT_SUPPORTED(21),
    /** None of the servers that were asked has answered. */
    NO_REACHABLE_AUTHORITY(22),
    /** There is nothing to answer from in a zone that the server is configured for. */
    INVALID_DATA(24),
    /** Questions of this type are never answered. */
    INVALID_QUERY_TYPE(30);

    private final int code;

    EdnsError(int code) {
        this.code = code;
    }

    /** Its number in the registry. */
    int code() {
        return code;
    }
}
