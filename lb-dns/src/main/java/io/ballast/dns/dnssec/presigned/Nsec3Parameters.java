package io.ballast.dns.dnssec.presigned;

import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The hash parameters of a zone with NSEC3 records (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5155#section-5">RFC 5155 section 5</a>). Immutable.
 *
 * @param iterations number of additional hash iterations, 0 to {@value #MAX_ITERATIONS} in a served zone
 * @param salt salt that is appended to each name; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode compare the bytes
public record Nsec3Parameters(int iterations, byte[] salt) {

    /**
     * Maximum number of iterations. An answer about a non-existent name hashes three names with all iterations. <a
     * href="https://datatracker.ietf.org/doc/html/rfc9276#section-3.1">RFC 9276</a> recommends zero iterations, and
     * resolvers stop validating at 100 or fewer.
     */
    public static final int MAX_ITERATIONS = 100;

    private static final int SHA_1 = 1;
    private static final int ITERATIONS_AT = 2;
    private static final int SALT_BYTES_AT = 4;
    private static final int SALT_AT = 5;

    /**
     * Parses the parameters at the beginning of the RDATA of an NSEC3 or NSEC3PARAM record.
     *
     * @return the parameters; empty if the hash is not SHA-1, which is the only defined hash, or if the RDATA is
     *     truncated
     */
    public static Optional<Nsec3Parameters> of(byte[] data) {
        if (data.length < SALT_AT || data[0] != SHA_1 || data.length < saltEnd(data)) {
            return Optional.empty();
        }
        byte[] salt = Arrays.copyOfRange(data, SALT_AT, saltEnd(data));
        return Optional.of(new Nsec3Parameters(Wire.u16(data, ITERATIONS_AT), salt));
    }

    private static int saltEnd(byte[] data) {
        return SALT_AT + Wire.u8(data, SALT_BYTES_AT);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Nsec3Parameters that && iterations == that.iterations && Arrays.equals(salt, that.salt);
    }

    @Override
    public int hashCode() {
        return 31 * iterations + Arrays.hashCode(salt);
    }
}
