package io.ballast.server.acme;

import io.ballast.acme.Certificates;
import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RevocationCode;
import io.ballast.acme.schedule.CertificateState;
import io.ballast.acme.schedule.OnDemandCounter;
import io.ballast.acme.schedule.Revocation;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.config.BallastConfig;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.PreparedChange;
import io.ballast.dashboard.source.CertificateRevoker;
import io.ballast.dashboard.source.OnDemandCount;
import io.ballast.dashboard.source.OrderedCertificate;
import io.ballast.dns.DnsFrontend;
import io.ballast.http.HttpFrontend;
import io.ballast.http.config.ListenerConfig;
import io.ballast.net.config.ListenerTls;
import io.ballast.net.tls.HostCertificates;
import io.ballast.replication.certificate.CertificateFacts;
import io.ballast.server.host.DataDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates of listeners that are ordered by ACME. Each name has a file in the data directory, which its listeners
 * open and reload like any other certificate.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class AcmePart implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AcmePart.class);

    private final Path dataDir;
    private final Certificates certificates;
    private final Optional<CertificateFacts> shared;
    /** Whether this process may lock the directory. */
    private boolean isOwner;

    private @Nullable DataDirectory lock;

    /**
     * Creates the certificate files that listeners need, and orders nothing before {@link #begin}.
     *
     * @param active returns the active configuration
     * @param http returns the frontend whose listeners answer challenges; called after {@link #begin}
     * @param dns returns the frontend whose zones answer challenges, if there is one; called after {@link #begin}
     * @param shared shares the certificates with the other nodes of a cluster, if there is one
     * @param follows whether a previous process orders certificates until {@link #activate}
     * @throws IOException if a file cannot be written, or another process uses the directory; the message names it
     */
    public AcmePart(
            Supplier<BallastConfig> active,
            ControlPlane control,
            Supplier<HttpFrontend> http,
            Supplier<Optional<DnsFrontend>> dns,
            Optional<CertificateFacts> shared,
            boolean follows)
            throws IOException {
        BallastConfig config = active.get();
        this.dataDir = config.dataDir();
        this.shared = shared;
        ChallengeResponder local = new ChallengeListeners(active, http, dns);
        this.certificates = new Certificates(
                dataDir,
                control.clock(),
                shared.map(facts -> facts.responder(local)).orElse(local),
                new CertificateEvents(control),
                shared.<OrderCoordinator>map(facts -> facts).orElse(OrderCoordinator.ALONE));
        shared.ifPresent(facts -> facts.share(certificates));
        this.isOwner = !follows;
        prepare(config).commit();
    }

    /** Returns the listeners of a configuration, with the files of certificates that are ordered by ACME. */
    public static List<ListenerConfig> listeners(BallastConfig config) {
        if (config.acme().isEmpty()) {
            return config.listeners();
        }
        AcmeDirectory directory =
                AcmeDirectory.served(config.dataDir(), config.acme().get());
        return config.listeners().stream()
                .map(listener -> withFiles(listener, directory))
                .toList();
    }

    private static ListenerConfig withFiles(ListenerConfig listener, AcmeDirectory directory) {
        ListenerTls tls = listener.tls().orElse(null);
        if (tls == null || tls.acme().isEmpty()) {
            return listener;
        }
        ListenerTls served = tls.withCertificates(
                tls.acme().stream().map(directory::tlsFiles).toList());
        return listener.with(listener.headers(), Optional.of(served));
    }

    /** Returns the names, each with its issuers in order of preference. */
    private static Map<String, List<String>> names(BallastConfig config) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        config.acme()
                .ifPresent(acme -> config.listeners()
                        .forEach(listener -> listener.tls()
                                .ifPresent(tls -> tls.acme()
                                        .forEach(name ->
                                                names.putIfAbsent(name, acme.issuerNames(tls.acmeIssuers()))))));
        return names;
    }

    /**
     * Creates the files that the listeners of the next configuration need. The names take effect with the commit.
     *
     * @throws IOException if a file cannot be written, or another process uses the directory; the message names it
     */
    public PreparedChange prepare(BallastConfig next) throws IOException {
        Map<String, List<String>> names = names(next);
        boolean isOnDemand = next.acme().flatMap(AcmeConfig::onDemand).isPresent();
        if (next.acme().isPresent() && (isOnDemand || !names.isEmpty())) {
            acquire();
            certificates.createMissing(next.acme().get(), names.keySet());
        }
        return new Change(next.acme(), names);
    }

    private synchronized void acquire() throws IOException {
        if (isOwner && lock == null) {
            lock = DataDirectory.acquireCertificates(dataDir);
        }
    }

    /**
     * Starts to order certificates, unless a previous process still orders them. Called when the listeners accept
     * clients.
     */
    public synchronized void begin() {
        if (isOwner) {
            certificates.begin();
        }
    }

    /** Starts to order certificates in place of the previous process, which has released the directory. */
    public void activate() {
        synchronized (this) {
            isOwner = true;
        }
        try {
            acquire();
        } catch (IOException e) {
            LOG.error("msg=\"cannot lock the directory of certificates\" reason=\"{}\"", ErrorText.of(e));
        }
        begin();
    }

    /** Stops ordering certificates and releases the directory for the next process. */
    public synchronized void release() {
        isOwner = false;
        certificates.pause();
        unlock();
    }

    /** The configured certificates for the dashboard. */
    public List<OrderedCertificate> orderedCertificates() {
        return certificates.states().stream().map(AcmePart::ordered).toList();
    }

    /** The certificates on demand that clients have used lately, for the dashboard; at most 1,000. */
    public List<OrderedCertificate> onDemandCertificates() {
        return certificates.onDemandStates().stream().map(AcmePart::ordered).toList();
    }

    private static OrderedCertificate ordered(CertificateState state) {
        return new OrderedCertificate(
                state.name(),
                state.issuer(),
                state.isOnDemand(),
                state.notAfter(),
                state.nextOrder(),
                state.lastSuccess(),
                state.failures(),
                state.error());
    }

    /** The node that orders, if this process shares its certificates with the other nodes of a cluster. */
    public Optional<String> orderingNode() {
        return shared.flatMap(CertificateFacts::orderingNode);
    }

    /** The counters of certificates on demand for the dashboard. */
    public List<OnDemandCount> onDemandCounts() {
        return certificates.onDemand().stream()
                .flatMap(orders -> Arrays.stream(OnDemandCounter.values())
                        .map(counter -> new OnDemandCount(counter.label(), orders.count(counter))))
                .toList();
    }

    /** Revokes a certificate for an operator; see {@link CertificateRevoker#revoke}. */
    public CompletableFuture<Boolean> revoke(String name, String reason, String who) {
        Revocation revocation = new Revocation(RevocationCode.of(reason), who);
        return certificates.revoke(name, revocation).exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException wrapper ? wrapper.getCause() : failure;
            return CompletableFuture.failedFuture(
                    cause instanceof OrderException refused
                            ? new CertificateRevoker.RevocationRefusedException(ErrorText.of(refused), refused)
                            : cause);
        });
    }

    /** The certificates that are ordered when clients request their names. */
    public HostCertificates onDemand() {
        return certificates;
    }

    private void unlock() {
        try {
            if (lock != null) {
                lock.close();
                lock = null;
            }
        } catch (IOException e) {
            LOG.warn("msg=\"cannot release the lock on the directory of certificates\"", e);
        }
    }

    @Override
    public synchronized void close() {
        certificates.close();
        unlock();
    }

    private final class Change implements PreparedChange {

        private final Optional<AcmeConfig> acme;
        private final Map<String, List<String>> names;

        Change(Optional<AcmeConfig> acme, Map<String, List<String>> names) {
            this.acme = acme;
            this.names = names;
        }

        @Override
        public void commit() {
            certificates.follow(acme, names);
        }

        @Override
        public void close() {
            // The files of unused names stay for the next attempt.
        }
    }
}
