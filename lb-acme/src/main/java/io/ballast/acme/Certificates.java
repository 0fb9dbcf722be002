package io.ballast.acme;

import io.ballast.acme.challenge.ChallengeResponder;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.acme.order.Acme4jClient;
import io.ballast.acme.schedule.CertificateState;
import io.ballast.acme.schedule.RenewalListener;
import io.ballast.acme.schedule.Renewals;
import io.ballast.acme.schedule.Revocation;
import io.ballast.acme.state.AccountKey;
import io.ballast.acme.state.AcmeDirectory;
import io.ballast.acme.state.CertificateStore;
import io.ballast.core.control.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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
public final class Certificates implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Certificates.class);

    private static final int MAX_WAIT_SECONDS = 5;

    private final Path dataDir;
    private final InstantSource clock;
    private final ChallengeResponder responder;
    private final RenewalListener listener;

    private Optional<AcmeConfig> config = Optional.empty();
    private Set<String> names = Set.of();
    private boolean isOwner;
    private @Nullable ScheduledExecutorService scheduler;
    private final AtomicReference<@Nullable Renewals> renewals = new AtomicReference<>();

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
        close();
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

    private void resume() {
        if (!isOwner || config.isEmpty() || names.isEmpty()) {
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
        return new Renewals(
                new CertificateStore(directory),
                new Acme4jClient(active, new AccountKey(directory), responder),
                clock,
                scheduler,
                new SecureRandom(),
                listener);
    }

    private void stop() {
        Renewals former = renewals.getAndSet(null);
        if (former != null) {
            former.stop();
        }
    }

    @Override
    public synchronized void close() {
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
