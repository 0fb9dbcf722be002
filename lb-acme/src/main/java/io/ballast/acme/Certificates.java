package io.ballast.acme;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.order.Acme4jClient;
import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.schedule.AskUrl;
import io.ballast.acme.schedule.CertificateState;
import io.ballast.acme.schedule.OnDemandOrders;
import io.ballast.acme.schedule.RenewalListener;
import io.ballast.acme.schedule.Renewals;
import io.ballast.acme.schedule.Revocation;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.CertificateStore;
import io.ballast.core.config.TlsFiles;
import io.ballast.core.control.UnavailableException;
import io.ballast.net.tls.HostCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
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
 * The certificates that this process orders by ACME. Nothing is ordered before {@link #begin}. Its thread starts, and the
 * library acme4j is loaded, when the first names are followed.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class Certificates implements HostCertificates, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

    private static final int MAX_WAIT_SECONDS = 5;
    private static final int IDLE_SECONDS = 10;

    /** More than the handshakes of a listener that may wait. */
    private static final int MAX_FILE_TASKS = 2_000;

    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(5);

    private final Path dataDir;
    private final InstantSource clock;
    private final ChallengeResponder responder;
    private final RenewalListener listener;

    private Optional<AcmeConfig> config = Optional.empty();
    private Set<String> names = Set.of();
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
        CertificateStore store = new CertificateStore(new AcmeDirectory(dataDir, next.directory()));
        for (String name : wanted) {
            store.createTemporary(name, clock.instant());
        }
    }

    /** Orders and renews the certificates of exactly these names from now on. Returns immediately. */
    public synchronized void follow(Optional<AcmeConfig> next, Set<String> wanted) {
        if (!next.equals(config)) {
            stop();
            onDemand.set(next.map(this::onDemandOrders).orElse(null));
        }
        config = next;
        names = Set.copyOf(wanted);
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

    /** The states of all names; empty before {@link #begin}. */
    public List<CertificateState> states() {
        Renewals present = renewals.get();
        return present == null ? List.of() : present.states();
    }

    /**
     * Revokes the certificate of a name; see {@link Renewals#revoke}.
     *
     * @return fails with {@link UnavailableException} if this process orders no certificates at present
     */
    public CompletableFuture<Boolean> revoke(String name, Revocation revocation) {
        Renewals present = renewals.get();
        return present == null
                ? CompletableFuture.failedFuture(
                        new UnavailableException("this process orders no certificates at present"))
                : present.revoke(name, revocation);
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
                        new CertificateStore(new AcmeDirectory(dataDir, active.directory())),
                        new AskUrl(permitted.ask(), ASK_TIMEOUT),
                        permitted.ordersPerHour(),
                        clock,
                        files,
                        new SecureRandom(),
                        listener))
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
        AcmeDirectory directory = new AcmeDirectory(dataDir, active.directory());
        AcmeClient client = new Acme4jClient(active, new AccountKey(directory), responder);
        OnDemandOrders others = onDemand.get();
        if (others != null) {
            others.begin(client, scheduler);
        }
        return new Renewals(new CertificateStore(directory), client, clock, scheduler, new SecureRandom(), listener);
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
