package io.ballast.acme.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the certificate of one name.
 *
 * @param name the host name or wildcard
 * @param issuer the name of the issuer of the present certificate; absent before the first certificate
 * @param isOnDemand whether the certificate was ordered because a client asked for its name
 * @param notAfter its expiry; absent before the first certificate
 * @param nextOrder the time of the next order; a certificate on demand is ordered then if clients use it
 * @param lastSuccess the time of the last successful order since the start of the process
 * @param failures the number of failed orders since the start of the process
 * @param error the reason for the last failure; absent after a success
 */
public record CertificateState(
        String name,
        Optional<String> issuer,
        boolean isOnDemand,
        Optional<Instant> notAfter,
        Instant nextOrder,
        Optional<Instant> lastSuccess,
        long failures,
        Optional<String> error) {}
