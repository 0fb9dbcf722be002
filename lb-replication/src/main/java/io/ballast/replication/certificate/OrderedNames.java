package io.ballast.replication.certificate;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.config.BallastConfig;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The names whose certificates a configuration orders, and the issuers. Immutable.
 *
 * @param acme absent if no certificates are ordered
 * @param configured the names of listeners
 */
record OrderedNames(Optional<AcmeConfig> acme, Set<String> configured) {

    static OrderedNames of(BallastConfig config) {
        Set<String> names = new HashSet<>();
        if (config.acme().isPresent()) {
            config.listeners().forEach(listener -> listener.tls().ifPresent(tls -> names.addAll(tls.acme())));
        }
        boolean isUsed =
                !names.isEmpty() || config.acme().flatMap(AcmeConfig::onDemand).isPresent();
        return new OrderedNames(isUsed ? config.acme() : Optional.empty(), Set.copyOf(names));
    }

    List<AcmeIssuer> issuers() {
        return acme.map(AcmeConfig::issuers).orElse(List.of());
    }

    /** Returns the issuer with a name of its state, which is part of the keys of facts. */
    Optional<AcmeIssuer> issuer(String stateName) {
        return issuers().stream()
                .filter(issuer -> issuer.stateName().equals(stateName))
                .findFirst();
    }

    boolean isConfigured(String name) {
        return configured.contains(name);
    }

    /** Whether listeners may serve a certificate of the name. */
    boolean isUsed(String name) {
        return isConfigured(name) || acme.flatMap(AcmeConfig::onDemand).isPresent();
    }
}
