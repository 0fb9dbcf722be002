package io.ballast.dns.forward.validate;

import io.ballast.dns.wire.EdnsError;

/** The result of a validation. */
public sealed interface ValidationResult {

    /**
     * Everything in it is signed by a chain of keys that starts at a trust anchor.
     *
     * @param message with the records that were examined, and no others
     * @param validSeconds for how long that is so
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Secure(byte[] message, int validSeconds) implements ValidationResult {}

    /**
     * The answer is proven to be insecure (RFC 4035 section 4.3).
     *
     * @param message likewise
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Insecure(byte[] message) implements ValidationResult {}

    /** It should be signed, and is not, or by somebody else. */
    record Bogus(EdnsError reason) implements ValidationResult {}

    /** It took too long. */
    record Undecided() implements ValidationResult {}

    /**
     * The result depends on a missing record.
     *
     * @param name in lower case and wire format
     * @param type DS or DNSKEY
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Missing(byte[] name, int type) implements ValidationResult {}
}
