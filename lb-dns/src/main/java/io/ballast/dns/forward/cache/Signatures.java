package io.ballast.dns.forward.cache;

/**
 * What is known of the signatures in a message.
 *
 * @param isChecked whether they were looked at
 * @param isSecure whether they are right, and lead to a trust anchor
 * @param mostSeconds for how long they are right (RFC 4035 section 5.3.3)
 */
public record Signatures(boolean isChecked, boolean isSecure, int mostSeconds) {

    /** They were not looked at. */
    public static final Signatures UNCHECKED = new Signatures(false, false, Integer.MAX_VALUE);

    /** There need not be any. */
    public static final Signatures INSECURE = new Signatures(true, false, Integer.MAX_VALUE);

    /** They are right for some time, 0 or more. */
    public static Signatures secure(int mostSeconds) {
        return new Signatures(true, true, mostSeconds);
    }
}
