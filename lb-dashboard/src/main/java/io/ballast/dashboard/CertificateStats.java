package io.ballast.dashboard;

import java.time.Instant;
import java.util.List;

/**
 * A certificate that a listener shows to its clients.
 *
 * @param file where it is kept; unique for a listener, and the label of its metrics
 * @param names the hosts and addresses that it is made out for
 * @param issuer who issued it, as it says
 * @param notAfter when it expires
 */
public record CertificateStats(String file, List<String> names, String issuer, Instant notAfter) {

    public CertificateStats {
        names = List.copyOf(names);
    }
}
