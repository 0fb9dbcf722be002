package io.ballast.acme;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.config.AcmeIssuer;
import io.ballast.acme.coordination.CoordinatedOrders;
import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.Acme4jClient;
import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.schedule.AskUrl;
import io.ballast.acme.schedule.CertificateState;
import io.ballast.acme.schedule.IssuerOrders;
import io.ballast.acme.schedule.OnDemandOrders;
import io.ballast.acme.schedule.RenewalListener;
import io.ballast.acme.schedule.Renewals;
import io.ballast.acme.schedule.Revocation;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.IssuedCertificates;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.UnavailableException;
import io.ballast.net.tls.HostCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificates that this process orders by ACME. Nothing is ordered before {@link #begin}. Its thread starts, and
 * the library acme4j is loaded, at the first call of {@link #follow} with names to order.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class Certificates implements HostCertificates, CoordinatedOrders, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

    private static final int MAX_WAIT_SECONDS = 5;
    private static final int IDLE_SECONDS = 10;

    /** Maximum number of queued file reads; greater than the number of handshakes that may wait at a listener. */
    private static final int MAX_FILE_TASKS = 2_000;

    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final Path dataDir;
    private final InstantSource clock;
    private final ChallengeResponder responder;
    private final RenewalListener listener;
    private final OrderCoordinator coordinator;

    private volatile Optional<AcmeConfig> config = Optional.empty();
    private Map<String, List<String>> names = Map.of();
    private boolean isOwner;
    private @Nullable ScheduledExecutorService scheduler;
    private final AtomicReference<@Nullable Renewals> renewals = new AtomicReference<>();
    private final AtomicReference<@Nullable OnDemandOrders> onDemand = new AtomicReference<>();
    /** Reads files of certificates that clients ask for. Its thread starts when it is first used. */
    private final ThreadPoolExecutor files = newFileThread();

    /**
     * @param dataDir the data directory of the process
     * @param responder serves the responses to challenges
     */
    public Certificates(Path dataDir, InstantSource clock, ChallengeResponder responder, RenewalListener listener) {
        this(dataDir, clock, responder, listener, OrderCoordinator.ALONE);
    }

    /** @param coordinator decides whether this process orders, if it shares the certificates with other processes */
    public Certificates(
            Path dataDir,
            InstantSource clock,
            ChallengeResponder responder,
            RenewalListener listener,
            OrderCoordinator coordinator) {
        this.coordinator = coordinator;
        this.dataDir = dataDir;
        this.clock = clock;
        this.responder = responder;
        this.listener = listener;
    }

    /**
     * Creates temporary certificates for names that have none, so that listeners can open.
     *
     * @throws IOException if a file cannot be written; the message names it
     */
    public void createMissing(AcmeConfig next, Set<String> wanted) throws IOException {
        IssuedCertificates store = new IssuedCertificates(dataDir, next);
        for (String name : wanted) {
            store.prepare(name, clock.instant());
        }
    }

    /**
     * Orders and renews the certificates of exactly these names from now on. Returns immediately.
     *
     * @param wanted the names, each with the names of its issuers in order of preference
     */
    public synchronized void follow(Optional<AcmeConfig> next, Map<String, List<String>> wanted) {
        if (!next.equals(config)) {
            stop();
            onDemand.set(next.map(this::onDemandOrders).orElse(null));
        }
        config = next;
        names = new LinkedHashMap<>(wanted);
        resume();
    }

    /** Starts to order, once this process owns the data directory. */
    public synchronized void begin() {
        isOwner = true;
        resume();
    }

    /** Hands the data directory over to another process: stops ordering, and waits up to 5 s for a running order. */
    public synchronized void pause() {
        isOwner = false;
        endOrders();
    }

    /** The states of all configured names; empty before {@link #begin}. */
    public List<CertificateState> states() {
        Renewals present = renewals.get();
        return present == null ? List.of() : present.states();
    }

    /** The states of the certificates on demand that clients have used lately; at most 1,000. */
    public List<CertificateState> onDemandStates() {
        OnDemandOrders present = onDemand.get();
        return present == null ? List.of() : present.states();
    }

    /**
     * Revokes the certificate of a name; see {@link Renewals#revoke}.
     *
     * @return whether a new certificate is ordered. The future also fails with {@link NoSuchElementException} if this
     *     process orders no certificates, and with {@link UnavailableException} if another process orders them now
     */
    public CompletableFuture<Boolean> revoke(String name, Revocation revocation) {
        Renewals present = renewals.get();
        if (present != null && !coordinator.mayOrder()) {
            return CompletableFuture.failedFuture(new UnavailableException(coordinator.refusal()));
        }
        return present == null
                ? CompletableFuture.failedFuture(noOrders())
                : present.revoke(name, revocation).thenApply(isOrdered -> {
                    onDemand().filter(orders -> !isOrdered).ifPresent(orders -> orders.forget(name));
                    return isOrdered;
                });
    }

    private RuntimeException noOrders() {
        return config.isEmpty()
                ? new NoSuchElementException("this process orders no certificates by ACME")
                : new UnavailableException("another process orders the certificates now");
    }

    @Override
    public void filesChanged(String name) {
        Renewals present = renewals.get();
        if (present != null) {
            present.reread(name);
        }
        onDemand().ifPresent(orders -> orders.reread(name));
    }

    @Override
    public CompletableFuture<?> orderOnDemand(String name, Optional<String> replaced) {
        return onDemand()
                .<CompletableFuture<?>>map(orders -> orders.findPermitted(name, replaced))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }

    @Override
    public void requestEnded(String name) {
        onDemand().ifPresent(orders -> orders.requestEnded(name));
    }

    @Override
    public CompletableFuture<Optional<TlsFiles>> find(String host) {
        OnDemandOrders present = onDemand.get();
        return present == null ? HostCertificates.NONE.find(host) : present.find(host);
    }

    @Override
    public void renewIfDue(String host, X509Certificate certificate) {
        OnDemandOrders present = onDemand.get();
        if (present != null) {
            present.renewIfDue(host, certificate);
        }
    }

    @Override
    public Executor executor() {
        return files;
    }

    /** The counters of orders on demand; absent if the configuration does not permit them. */
    public Optional<OnDemandOrders> onDemand() {
        return Optional.ofNullable(onDemand.get());
    }

    private static ThreadPoolExecutor newFileThread() {
        ThreadPoolExecutor created = new ThreadPoolExecutor(
                1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_FILE_TASKS), task -> {
                    Thread thread = new Thread(task, "acme-on-demand");
                    thread.setDaemon(true);
                    return thread;
                });
        created.allowCoreThreadTimeOut(true);
        return created;
    }

    private @Nullable OnDemandOrders onDemandOrders(AcmeConfig active) {
        return active.onDemand()
                .map(permitted -> new OnDemandOrders(
                        new IssuedCertificates(dataDir, active),
                        active.issuerNames(permitted.issuers()),
                        new AskUrl(permitted.ask(), ASK_TIMEOUT),
                        permitted.ordersPerHour(),
                        clock,
                        files,
                        new SecureRandom()))
                .orElse(null);
    }

    private void resume() {
        boolean isUsed = config.isPresent() && (config.get().onDemand().isPresent() || !names.isEmpty());
        if (!isOwner || !isUsed) {
            stop();
            return;
        }
        Renewals present = renewals.get();
        if (present == null) {
            present = start(config.get());
            renewals.set(present);
        }
        present.manage(names);
    }

    private Renewals start(AcmeConfig active) {
        if (scheduler == null) {
            scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "acme");
                thread.setDaemon(true);
                return thread;
            });
        }
        Map<String, AcmeClient> clients = new LinkedHashMap<>();
        for (AcmeIssuer issuer : active.issuers()) {
            AccountKey key = new AccountKey(new AcmeDirectory(dataDir, issuer));
            clients.put(issuer.name(), new Acme4jClient(active, issuer, key, responder));
        }
        SecureRandom random = new SecureRandom();
        IssuerOrders orders = new IssuerOrders(
                new IssuedCertificates(dataDir, active), clients, clock, random, listener, coordinator);
        OnDemandOrders others = onDemand.get();
        if (others != null) {
            others.begin(orders, scheduler);
        }
        return new Renewals(orders, clock, scheduler, random, listener);
    }

    private void stop() {
        Renewals former = renewals.getAndSet(null);
        if (former != null) {
            former.stop();
        }
        OnDemandOrders others = onDemand.get();
        if (others != null) {
            others.stop();
        }
    }

    @Override
    public synchronized void close() {
        endOrders();
        files.shutdownNow();
    }

    private void endOrders() {
        stop();
        ScheduledExecutorService former = scheduler;
        scheduler = null;
        if (former == null) {
            return;
        }
        former.shutdownNow();
        try {
            if (!former.awaitTermination(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("msg=\"a certificate order is still running; it ends with the process\"");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
