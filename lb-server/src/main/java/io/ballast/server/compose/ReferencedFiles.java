package io.ballast.server.compose;

import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.agent.config.AgentsConfig;
import io.ballast.cluster.config.ClusterConfig;
import io.ballast.cluster.config.ClusterTls;
import io.ballast.cluster.identity.NodeIdentity;
import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.config.BackendTls;
import io.ballast.core.config.CheckSecurity;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoDatabaseException;
import io.ballast.core.geo.GeoSource;
import io.ballast.dashboard.config.ProbesConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.validate.TrustAnchors;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.RouteAction;
import io.ballast.http.config.RouteConfig;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.CertificateFile;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.ServerTls;
import io.ballast.net.tls.SocketTls;
import io.ballast.net.tls.TlsContext;
import io.ballast.net.tls.TlsIdentity;
import io.ballast.replication.key.SignedZoneNames;
import io.ballast.telemetry.config.OtlpConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The files that a configuration refers to and that are required to serve it. */
public final class ReferencedFiles {

    /** A list of protocols, which is required to open TLS files; the check of the files does not use it. */
    private static final List<String> APPLICATION_PROTOCOLS = List.of("http/1.1");

    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    private ReferencedFiles() {}

    /** Opens certificates, private keys, lists and databases; returns their problems, each with its location. */
    public static List<String> problems(BallastConfig config) {
        return check(config).problems();
    }

    /**
     * Returns the errors that prevent the use of the configuration, each prefixed with its position in the
     * configuration.
     */
    public List<String> problems() {
        return problems;
    }

    /** Returns the warnings about the referenced files, each prefixed with its position in the configuration. */
    public List<String> warnings() {
        return warnings;
    }

    /** Opens certificates, private keys, lists and databases, and checks them. */
    public static ReferencedFiles check(BallastConfig config) {
        ReferencedFiles files = new ReferencedFiles();
        files.checkListeners(config.listeners());
        config.dashboard().tls().ifPresent(tls -> files.check("dashboard.tls", tls));
        config.agents().flatMap(AgentsConfig::tls).ifPresent(tls -> files.check("agents.tls", tls));
        config.dashboard().probes().flatMap(ProbesConfig::tls).ifPresent(tls -> files.check("probes.tls", tls));
        config.pools().forEach(files::checkPool);
        config.dns().ifPresent(dns -> {
            files.checkCertificates(dns.listeners());
            files.checkKeys(dns.zones(), config.dataDir());
            files.checkPrimaries(dns.zones());
            files.checkSecrets(dns.control().keys());
            dns.forward()
                    .flatMap(DnsForwardConfig::filter)
                    .ifPresent(filter -> files.checkLists(filter, config.dataDir()));
            dns.forward().map(DnsForwardConfig::dnssec).ifPresent(files::checkTrustAnchors);
        });
        config.acme().ifPresent(files::checkAcme);
        config.otlp().flatMap(OtlpConfig::trustedCa).ifPresent(files::checkCollectorCa);
        config.cluster().ifPresent(cluster -> {
            files.checkNode(cluster.tls());
            files.checkSharedKeys(cluster, config);
        });
        config.geo().ifPresent(geo -> {
            try {
                GeoSource.check(geo);
            } catch (GeoDatabaseException e) {
                files.problems.add("geo.database: " + ErrorText.of(e));
            }
        });
        return files;
    }

    /** Adds a warning if a certificate can be read but has expired or is not valid yet. */
    private void checkDates(String place, TlsFiles files) throws IOException {
        TlsIdentity.load(files)
                .invalidityReason(Instant.now())
                .ifPresent(reason -> warnings.add(place + ": " + files.certificate() + ": " + reason));
    }

    private void checkDates(String place, BackendTls tls) throws IOException {
        if (tls.identity().isPresent()) {
            checkDates(place, tls.identity().get());
        }
    }

    private void checkSecrets(List<TsigKeyConfig> keys) {
        for (TsigKeyConfig key : keys) {
            try {
                TsigKeys unused = TsigKeys.of(List.of(key), Clock.systemUTC());
            } catch (IOException e) {
                problems.add("dns.keys." + key.name() + ": " + ErrorText.of(e));
            }
        }
    }

    private void checkLists(DnsFilterConfig filter, Path dataDir) {
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC())) {
            ForwardingState.check(filter, ListSetup.withoutUpdates(control, dataDir))
                    .forEach(warning -> warnings.add("dns.forward.filter: " + warning));
        } catch (IOException e) {
            problems.add(ErrorText.of(e));
        }
    }

    private void checkTrustAnchors(DnsValidationConfig config) {
        try {
            TrustAnchors.of(config);
        } catch (IOException e) {
            problems.add(ErrorText.of(e));
        }
    }

    private void checkListeners(List<ListenerConfig> listeners) {
        for (int i = 0; i < listeners.size(); i++) {
            Optional<ListenerTls> tls = listeners.get(i).tls();
            if (tls.isPresent()) {
                check("listeners[" + i + "].tls", tls.get());
            }
            checkRoots("listeners[" + i + "]", listeners.get(i).routes());
        }
    }

    /** Checks that the directories of static files exist. */
    private void checkRoots(String place, List<RouteConfig> routes) {
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).action() instanceof RouteAction.Files files && !Files.isDirectory(files.root())) {
                problems.add(place + ".routes[" + i + "].files.root: " + files.root()
                        + " is not a directory (expected: the existing directory of the files)");
            }
        }
    }

    private void check(String place, ListenerTls tls) {
        try {
            if (!tls.acme().isEmpty()) {
                checkClientIssuers(tls);
                return; // the certificates do not exist yet
            }
            ServerTls.open(tls, TlsContext.preferredProvider(), APPLICATION_PROTOCOLS)
                    .close();
            for (TlsFiles files : tls.certificates()) {
                checkDates(place, files);
            }
        } catch (IOException e) {
            problems.add(place + ": " + ErrorText.of(e));
        }
    }

    private static void checkClientIssuers(ListenerTls tls) throws IOException {
        if (tls.clientCertificates().isPresent()) {
            CertificateFile.read(tls.clientCertificates().get().ca());
        }
    }

    private void checkCollectorCa(Path file) {
        try {
            CertificateFile.read(file);
        } catch (IOException | RuntimeException e) {
            problems.add("otlp.trusted_ca: " + ErrorText.of(e));
        }
    }

    private void checkNode(ClusterTls tls) {
        try {
            NodeIdentity.load(tls);
            checkDates("cluster.tls", new TlsFiles(tls.certificate(), tls.key(), Optional.empty()));
        } catch (IOException e) {
            problems.add("cluster.tls: " + ErrorText.of(e));
        }
    }

    private void checkAcme(AcmeConfig acme) {
        for (AcmeIssuer issuer : acme.issuers()) {
            if (issuer.trustedCa().isPresent()) {
                try {
                    CertificateFile.read(issuer.trustedCa().get());
                } catch (IOException e) {
                    String place = acme.issuers().size() == 1 ? "acme" : "acme.issuers." + issuer.name();
                    problems.add(place + ".trusted_ca: " + ErrorText.of(e));
                }
            }
        }
    }

    private void checkPool(String name, PoolConfig pool) {
        if (pool.tls().isPresent()) {
            try {
                ClientTls.open(pool.tls().get(), TlsContext.preferredProvider()).close();
                checkDates("pools." + name + ".tls", pool.tls().get());
            } catch (IOException e) {
                problems.add("pools." + name + ".tls: " + ErrorText.of(e));
            }
        }
        Optional<BackendTls> ofChecks = CheckSecurity.of(pool).map(CheckSecurity::tls);
        if (ofChecks.isPresent() && !ofChecks.equals(pool.tls())) {
            try {
                ClientTls.open(ofChecks.get(), TlsContext.preferredProvider()).close();
                checkDates("pools." + name + ".health.tls", ofChecks.get());
            } catch (IOException e) {
                problems.add("pools." + name + ".health.tls: " + ErrorText.of(e));
            }
        }
    }

    private void checkPrimaries(List<ZoneConfig> zones) {
        for (int i = 0; i < zones.size(); i++) {
            Optional<BackendTls> tls = zones.get(i).secondary().flatMap(SecondaryConfig::tls);
            if (tls.isPresent()) {
                try {
                    SocketTls.open(tls.get(), List.of());
                    checkDates("dns.zones[" + i + "].secondary.tls", tls.get());
                } catch (IOException e) {
                    problems.add("dns.zones[" + i + "].secondary.tls: " + ErrorText.of(e));
                }
            }
        }
    }

    /** Warns if the nodes of a cluster sign zones with different keys. */
    private void checkSharedKeys(ClusterConfig cluster, BallastConfig config) {
        Set<String> signed = SignedZoneNames.of(config).keySet();
        if (cluster.secretKey().isEmpty() && !signed.isEmpty()) {
            warnings.add(
                    "cluster.secret_key: missing, so each node signs with its own keys, and resolvers cannot validate"
                            + " the answers of all nodes for these zones: "
                            + String.join(", ", signed)
                            + " (expected: the same key on all nodes)");
        }
        if (cluster.secretKey().isEmpty() && ordersCertificates(config)) {
            warnings.add("cluster.secret_key: missing, so each node orders its own certificates by ACME, and an order"
                    + " fails if the certificate authority asks another node (expected: a key, the same on all nodes)");
        }
    }

    private static boolean ordersCertificates(BallastConfig config) {
        return config.acme().isPresent()
                && (config.acme().flatMap(AcmeConfig::onDemand).isPresent()
                        || config.listeners().stream()
                                .anyMatch(listener -> listener.tls()
                                        .filter(tls -> !tls.acme().isEmpty())
                                        .isPresent()));
    }

    /**
     * Checks that existing keys can be used for signing. The keys of a new zone are created when it is first
     * served.
     */
    private void checkKeys(List<ZoneConfig> zones, Path dataDir) {
        for (int i = 0; i < zones.size(); i++) {
            Optional<DnssecConfig> dnssec = zones.get(i).dnssec();
            if (dnssec.isPresent()) {
                try {
                    KeyDirectory directory =
                            new KeyDirectory(dataDir, zones.get(i).name());
                    ZoneKeySet.check(
                            Instant.now(),
                            directory,
                            KeyAlgorithm.of(dnssec.get().algorithm()));
                } catch (IOException e) {
                    problems.add("dns.zones[" + i + "].dnssec: " + ErrorText.of(e));
                }
            }
        }
    }

    private void checkCertificates(List<DnsListenerConfig> listeners) {
        for (int i = 0; i < listeners.size(); i++) {
            Optional<TlsFiles> tls = listeners.get(i).tls();
            if (tls.isPresent()) {
                try {
                    checkDates("dns.listeners[" + i + "].tls", tls.get());
                } catch (IOException e) {
                    problems.add("dns.listeners[" + i + "].tls: " + ErrorText.of(e));
                }
            }
        }
    }
}
