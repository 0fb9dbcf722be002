package io.ballast.dashboard.source;

import java.time.Instant;
import java.util.Optional;

/**
 * A certificate that is ordered by ACME.
 *
 * @param name the host name or wildcard
 * @param issuer the name of the certificate authority that issued it; absent before the first certificate
 * @param isOnDemand whether the certificate was ordered because a client requested its name
 * @param notAfter its expiry; absent before the first certificate
 * @param nextOrder the time of the next order
 * @param lastSuccess the time of the last successful order; absent if there was none since the start of the process
 * @param failures the number of failed orders since the start of the process
 * @param error the reason for the last failure; absent after a success
 */
public record OrderedCertificate(
        String name,
        Optional<String> issuer,
        boolean isOnDemand,
        Optional<Instant> notAfter,
        Instant nextOrder,
        Optional<Instant> lastSuccess,
        long failures,
        Optional<String> error) {}
