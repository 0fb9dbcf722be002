package io.ballast.acme.schedule;

import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.IssuedCertificates;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** The issuers of a test, whose names are the hosts of their directories. */
final class TestIssuers {

    private final AcmeConfig config;
    private final IssuedCertificates certificates;
    private final InstantSource clock;

    TestIssuers(Path dataDir, InstantSource clock, String... directories) {
        this.clock = clock;
        config = AcmeConfig.of(URI.create(directories[0]), AcmeChallenge.HTTP_01)
                .withIssuers(Arrays.stream(directories)
                        .map(URI::create)
                        .map(AcmeIssuer::of)
                        .toList());
        certificates = new IssuedCertificates(dataDir, config);
    }

    IssuedCertificates certificates() {
        return certificates;
    }

    CertificateStore store(String issuer) {
        return certificates.of(issuer);
    }

    List<String> names() {
        return config.issuerNames();
    }

    /** Returns certificate names that all issuers may issue. */
    Map<String, List<String>> of(Collection<String> names) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        names.forEach(name -> all.put(name, names()));
        return all;
    }

    IssuerOrders orders(Map<String, AcmeClient> clients, RandomGenerator random, RenewalListener listener) {
        return orders(clients, random, listener, OrderCoordinator.ALONE);
    }

    IssuerOrders orders(
            Map<String, AcmeClient> clients,
            RandomGenerator random,
            RenewalListener listener,
            OrderCoordinator coordinator) {
        return new IssuerOrders(certificates, clients, clock, random, listener, coordinator);
    }
}
