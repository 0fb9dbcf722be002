package io.ballast.policy.certificate;

import io.ballast.net.tls.ClientCertificate;
import io.ballast.policy.config.ClientCertificateConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.security.auth.x500.X500Principal;

/** Compares a certificate with the configured names. Immutable. */
final class CertificateMatcher {

    private final List<Predicate<ClientCertificate>> conditions = new ArrayList<>();

    CertificateMatcher(ClientCertificateConfig config) {
        Set<X500Principal> subjects = config.subjects().stream()
                .map(ClientCertificateConfig::principal)
                .collect(Collectors.toUnmodifiableSet());
        if (!subjects.isEmpty()) {
            conditions.add(certificate -> subjects.contains(certificate.subject()));
        }
        require(config.dns(), ClientCertificate::hosts);
        require(config.uris(), ClientCertificate::uris);
        require(config.emails(), ClientCertificate::mailAddresses);
        require(config.fingerprints(), certificate -> List.of(certificate.fingerprint()));
    }

    /** Requires that one of the names is accepted; adds no condition if the list is empty. */
    private void require(List<String> accepted, Function<ClientCertificate, Collection<String>> names) {
        if (!accepted.isEmpty()) {
            Set<String> all = Set.copyOf(accepted);
            conditions.add(certificate -> names.apply(certificate).stream().anyMatch(all::contains));
        }
    }

    /** Whether a certificate matches one value of each list that is not empty. */
    boolean matches(ClientCertificate certificate) {
        for (Predicate<ClientCertificate> condition : conditions) {
            if (!condition.test(certificate)) {
                return false;
            }
        }
        return true;
    }
}
