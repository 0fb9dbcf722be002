package io.ballast.acme.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the certificate of one name.
 *
 * @param name the host name or wildcard
 * @param notAfter its expiry; absent before the first certificate
 * @param nextOrder the time of the next order
 * @param lastSuccess the time of the last successful order since the start of the process
 * @param failures the number of failed orders since the start of the process
 * @param error the reason of the last failure; absent after a success
 */
public record CertificateState(
        String name,
        Optional<Instant> notAfter,
        Instant nextOrder,
        Optional<Instant> lastSuccess,
        long failures,
        Optional<String> error) {}
