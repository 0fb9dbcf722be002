package io.ballast.dns.forward.validate;

import io.ballast.dns.wire.EdnsError;

/** The result of a validation. */
public sealed interface ValidationResult {

    /**
     * All records of the answer are signed by a chain of keys that starts at a trust anchor.
     *
     * @param message a message that contains only the validated records
     * @param validSeconds the number of seconds for which the result is valid
     */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    record Secure(byte[] message, int validSeconds) implements ValidationResult {}

    /**
     * The answer is proven to be insecure (RFC 4035 section 4.3).
     *
     * @param message a message that contains only the validated records
     */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    record Insecure(byte[] message) implements ValidationResult {}

    /** The answer should be signed, but is not signed or not signed by the right keys. */
    record Bogus(EdnsError reason) implements ValidationResult {}

    /** The validation took too long. */
    record Undecided() implements ValidationResult {}

    /**
     * The validation needs another record. The caller must query it, and then repeat the validation.
     *
     * @param name name in lower case and wire format
     * @param type type of the record: DS or DNSKEY
     */
    @SuppressWarnings("ArrayRecordComponent") // instances are never compared
    record Missing(byte[] name, int type) implements ValidationResult {}
}
