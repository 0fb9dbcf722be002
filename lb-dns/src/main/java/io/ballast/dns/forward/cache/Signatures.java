package io.ballast.dns.forward.cache;

/**
 * The validation state of a message.
 *
 * @param isValidated whether the message was validated
 * @param isSecure whether the signatures are valid and chain to a trust anchor
 * @param maxSeconds the time in seconds for which the signatures remain valid (RFC 4035 section 5.3.3)
 */
public record Signatures(boolean isValidated, boolean isSecure, int maxSeconds) {

    /** The message was not validated. */
    public static final Signatures UNVALIDATED = new Signatures(false, false, Integer.MAX_VALUE);

    /** The message was validated, but needs no signatures. */
    public static final Signatures INSECURE = new Signatures(true, false, Integer.MAX_VALUE);

    /**
     * Returns the state of a validated message whose signatures stay valid for {@code maxSeconds} (0 or more).
     */
    public static Signatures secure(int maxSeconds) {
        return new Signatures(true, true, maxSeconds);
    }
}
