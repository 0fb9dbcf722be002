package io.ballast.acme.schedule;

import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.FailureState;
import io.ballast.core.ErrorText;
import io.ballast.core.control.UnavailableException;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the certificates of a set of names, and renews them. Each name has its own certificate and its own order, so
 * that a name that cannot be verified does not affect others. Orders run one after the other.
 *
 * <pre>
 *   no certificate ──► order ──► stored ──► two thirds of the lifetime, or the CA's suggestion ──► order
 *                        │ failed: 5 min, doubled up to 12 h; the last certificate stays in use
 *                        └──► order
 * </pre>
 *
 * <p>Thread safety: any thread may call the public methods. The work runs on the scheduler's thread, which must be only
 * one.
 */
public final class Renewals {

    /** The largest number of revocations that wait or run. */
    static final int MAX_REVOCATIONS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

    /** The time between two questions for the CA's suggestion, if the CA gives none (RFC 9773 section 4.3). */
    private static final Duration CHECK_INTERVAL = Duration.ofHours(6);

    private static final Duration MIN_CHECK_INTERVAL = Duration.ofMinutes(1);
    private static final Duration MAX_CHECK_INTERVAL = Duration.ofDays(1);

    private static final int HEX = 16;

    /** The longest sleep. Clocks that are set are noticed after this time at the latest. */
    private static final Duration MAX_SLEEP = Duration.ofHours(1);

    private final CertificateStore store;
    private final AcmeClient client;
    private final InstantSource clock;
    private final ScheduledExecutorService scheduler;
    private final RandomGenerator random;
    private final RenewalListener listener;
    private final OrderBudget budget;

    private final AtomicInteger waitingRevocations = new AtomicInteger();

    private Map<String, ManagedCertificate> certificates = Map.of();
    private @Nullable ScheduledFuture<?> next;
    private boolean isStopped;
    private volatile List<CertificateState> states = List.of();

    /**
     * @param scheduler runs everything, on one thread; may be blocked for minutes
     * @param random spreads renewals and retries
     */
    public Renewals(
            CertificateStore store,
            AcmeClient client,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            RandomGenerator random,
            RenewalListener listener) {
        this(store, client, clock, scheduler, random, listener, new OrderBudget(OrderBudget.MAX_PER_HOUR));
    }

    Renewals(
            CertificateStore store,
            AcmeClient client,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            RandomGenerator random,
            RenewalListener listener,
            OrderBudget budget) {
        this.store = store;
        this.client = client;
        this.clock = clock;
        this.scheduler = scheduler;
        this.random = random;
        this.listener = listener;
        this.budget = budget;
    }

    /** Manages exactly these names from now on. Returns immediately. */
    public void manage(Set<String> names) {
        List<String> all = List.copyOf(names);
        execute(() -> {
            Map<String, ManagedCertificate> known = new LinkedHashMap<>();
            for (String name : all) {
                ManagedCertificate present = certificates.get(name);
                known.put(name, present != null ? present : load(name));
            }
            certificates = known;
            run();
        });
    }

    private ManagedCertificate load(String name) {
        Optional<TlsIdentity> stored = store.read(name);
        ManagedCertificate loaded = new ManagedCertificate(name, stored, store.failures(name), random.nextDouble());
        if (stored.isPresent() && store.isRevoked(name, stored.get().certificate())) {
            loaded.revoked();
        }
        return loaded;
    }

    /**
     * Revokes the stored certificate of a name. If the name is managed, a new certificate with a new key is ordered at
     * once; the revoked one stays in use until then. Otherwise its files are deleted.
     *
     * @return whether a new certificate is ordered. It fails with {@link OrderException} if the certificate authority
     *     refuses, {@link NoSuchElementException} if no certificate is stored for the name, and {@link
     *     UnavailableException} if too many revocations wait. It does not complete if this object is stopped before
     */
    public CompletableFuture<Boolean> revoke(String name, Revocation revocation) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        if (waitingRevocations.incrementAndGet() > MAX_REVOCATIONS) {
            waitingRevocations.decrementAndGet();
            result.completeExceptionally(new UnavailableException("too many revocations are waiting; try again later"));
            return result;
        }
        execute(() -> {
            try {
                result.complete(revokeNow(name, revocation));
            } catch (OrderException | RuntimeException e) {
                result.completeExceptionally(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                isStopped = true;
                result.completeExceptionally(new UnavailableException("the process is shutting down"));
            } finally {
                waitingRevocations.decrementAndGet();
            }
            run();
        });
        return result;
    }

    /** Ends all further work. An order that is running ends when the scheduler's thread is interrupted. */
    public void stop() {
        execute(() -> {
            isStopped = true;
            cancel();
        });
    }

    /** The states of all names. */
    public List<CertificateState> states() {
        return states;
    }

    private void execute(Runnable task) {
        try {
            scheduler.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the scheduler has been shut down", e);
        }
    }

    // ---- on the scheduler's thread

    private void run() {
        cancel();
        boolean isMore = false;
        try {
            isMore = !isStopped && step();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isStopped = true;
        }
        publish();
        if (isMore) {
            execute(this::run); // after the tasks that wait
        } else if (!isStopped && !certificates.isEmpty()) {
            Duration delay = Duration.between(clock.instant(), wakeAt());
            Duration bounded = delay.compareTo(MAX_SLEEP) < 0 ? delay : MAX_SLEEP;
            next = scheduler.schedule(this::run, Math.max(bounded.toMillis(), 1), TimeUnit.MILLISECONDS);
        }
    }

    private void cancel() {
        if (next != null) {
            next.cancel(/* mayInterruptIfRunning= */ false);
            next = null;
        }
    }

    private void publish() {
        states = certificates.values().stream().map(ManagedCertificate::state).toList();
    }

    /** Returns the time of the next order or check. */
    private Instant wakeAt() {
        Instant now = clock.instant();
        Instant allowed = budget.nextAt(now);
        Instant order = certificates.values().stream()
                .map(ManagedCertificate::orderAt)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        Instant check = certificates.values().stream()
                .map(ManagedCertificate::checkAt)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
        Instant orderOrBudget = order.isAfter(allowed) ? order : allowed;
        Instant first = orderOrBudget.isBefore(check) ? orderOrBudget : check;
        Instant latest = now.plus(MAX_SLEEP);
        return first.isBefore(latest) ? first : latest;
    }

    /** Performs the check or the order that is due first; returns false if nothing is due. */
    private boolean step() throws InterruptedException {
        Instant now = clock.instant();
        Optional<ManagedCertificate> check = certificates.values().stream()
                .filter(each -> !each.checkAt().isAfter(now))
                .findFirst();
        if (check.isPresent()) {
            check(check.get(), now);
            return true;
        }
        Optional<ManagedCertificate> due = certificates.values().stream()
                .filter(each -> !each.orderAt().isAfter(now))
                .min(Comparator.comparing(ManagedCertificate::orderAt));
        if (due.isEmpty() || budget.nextAt(now).isAfter(now)) {
            return false;
        }
        budget.add(now);
        order(due.get(), now);
        return true;
    }

    private boolean revokeNow(String name, Revocation revocation) throws OrderException, InterruptedException {
        X509Certificate certificate = store.read(name)
                .map(TlsIdentity::certificate)
                .orElseThrow(() -> new NoSuchElementException("no certificate of " + name + " was issued by this CA"));
        client.revoke(certificate, revocation.reason());
        ManagedCertificate managed = certificates.get(name);
        LOG.warn(
                "name={} serial={} reason={} who=\"{}\" msg=\"revoked a certificate\"",
                name,
                certificate.getSerialNumber().toString(HEX),
                revocation.reason().label(),
                revocation.who());
        listener.revoked(name, revocation, managed != null);
        if (managed != null) {
            managed.revoked();
        }
        try {
            if (managed == null) {
                store.delete(name);
            } else {
                store.writeRevoked(name, certificate);
            }
        } catch (IOException e) {
            LOG.warn(
                    "name={} msg=\"cannot record that the certificate is revoked\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
        }
        return managed != null;
    }

    private void check(ManagedCertificate managed, Instant now) throws InterruptedException {
        managed.checkAgainAt(now.plus(CHECK_INTERVAL));
        try {
            Optional<RenewalWindow> window =
                    client.renewalWindow(managed.certificate().orElseThrow());
            if (window.isPresent()) {
                managed.suggest(window.get(), random.nextDouble());
                window.get().checkAgainAt().ifPresent(again -> managed.checkAgainAt(bounded(again, now)));
            }
        } catch (OrderException e) {
            LOG.info(
                    "name={} msg=\"cannot ask when to renew the certificate; asking again later\" reason=\"{}\"",
                    managed.name(),
                    ErrorText.of(e));
        }
    }

    private static Instant bounded(Instant again, Instant now) {
        Instant earliest = now.plus(MIN_CHECK_INTERVAL);
        Instant latest = now.plus(MAX_CHECK_INTERVAL);
        return again.isBefore(earliest) ? earliest : again.isAfter(latest) ? latest : again;
    }

    private void order(ManagedCertificate managed, Instant now) throws InterruptedException {
        FailureState before = managed.failures();
        FailureState ifFailed = failure(before, now, Optional.empty());
        managed.begin(ifFailed);
        save(managed.name(), ifFailed);
        try {
            LOG.info("name={} msg=\"ordering a certificate\"", managed.name());
            TlsIdentity issued = client.order(managed.name(), managed.certificate());
            store.write(managed.name(), issued);
            succeeded(managed, issued.certificate());
        } catch (OrderException e) {
            failed(managed, ErrorText.of(e), failure(before, clock.instant(), e.retryAfter()));
        } catch (IOException | RuntimeException e) {
            failed(managed, ErrorText.of(e), failure(before, clock.instant(), Optional.empty()));
        } catch (InterruptedException e) {
            managed.restore(before);
            boolean unused = Thread.interrupted(); // an interrupted thread cannot write files
            save(managed.name(), before);
            throw e;
        }
    }

    private FailureState failure(FailureState before, Instant now, Optional<Instant> retryAfter) {
        return RetryDelay.next(before, now, retryAfter, random.nextDouble());
    }

    private void succeeded(ManagedCertificate managed, X509Certificate issued) {
        managed.succeeded(issued, clock.instant(), random.nextDouble());
        save(managed.name(), FailureState.NONE);
        Instant notAfter = issued.getNotAfter().toInstant();
        LOG.info("name={} not_after={} msg=\"a certificate was issued\"", managed.name(), notAfter);
        listener.issued(managed.name(), notAfter);
    }

    private void failed(ManagedCertificate managed, String reason, FailureState failures) {
        managed.failed(reason, failures);
        save(managed.name(), failures);
        LOG.warn(
                "name={} failures={} retry_at={} msg=\"cannot get a certificate; the last one stays in use\" reason=\"{}\"",
                managed.name(),
                failures.count(),
                failures.retryAt(),
                reason);
        listener.failed(managed.name(), reason, failures.retryAt());
    }

    private void save(String name, FailureState failures) {
        try {
            store.writeFailures(name, failures);
        } catch (IOException e) {
            LOG.warn(
                    "name={} msg=\"cannot save the number of failed orders; a restart may order too early\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
        }
    }
}
