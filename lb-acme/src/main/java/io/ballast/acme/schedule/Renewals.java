package io.ballast.acme.schedule;

import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.IssuedCertificate;
import io.ballast.core.ErrorText;
import io.ballast.core.control.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
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
 * that a name that cannot be verified does not affect other names. Orders run one after the other.
 *
 * <pre>
 *   no certificate ──► order ──► stored ──► two thirds of the lifetime, or the CA's suggestion ──► order
 *                        │ failed: the next issuer, or after 5 min, doubled up to 12 h, the first one again;
 *                        │         the last certificate stays in use
 *                        └──► order
 * </pre>
 *
 * <p>Thread safety: any thread may call the public methods. The work runs on the scheduler, which must have exactly one
 * thread.
 */
public final class Renewals {

    /** The largest number of revocations that wait or run. */
    static final int MAX_REVOCATIONS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);

    private static final int HEX = 16;

    /** Maximum sleep; a change of the system clock takes effect within this time. */
    private static final Duration MAX_SLEEP = Duration.ofHours(1);

    /** The time after which a process that does not order looks again whether it may. */
    static final Duration MAY_ORDER_CHECK = Duration.ofSeconds(2);

    private final IssuerOrders orders;
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
            IssuerOrders orders,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            RandomGenerator random,
            RenewalListener listener) {
        this(orders, clock, scheduler, random, listener, new OrderBudget(OrderBudget.MAX_PER_HOUR));
    }

    Renewals(
            IssuerOrders orders,
            InstantSource clock,
            ScheduledExecutorService scheduler,
            RandomGenerator random,
            RenewalListener listener,
            OrderBudget budget) {
        this.orders = orders;
        this.clock = clock;
        this.scheduler = scheduler;
        this.random = random;
        this.listener = listener;
        this.budget = budget;
    }

    /**
     * Manages exactly these names from now on. Returns immediately.
     *
     * @param names the names, each with its issuers in order of preference
     */
    public void manage(Map<String, List<String>> names) {
        Map<String, List<String>> all = new LinkedHashMap<>(names);
        execute(() -> {
            Map<String, ManagedCertificate> known = new LinkedHashMap<>();
            all.forEach((name, issuers) -> {
                ManagedCertificate present = certificates.get(name);
                boolean isSame = present != null && present.failures().issuers().equals(issuers);
                known.put(name, isSame ? present : load(name, issuers));
            });
            certificates = known;
            run();
        });
    }

    private ManagedCertificate load(String name, List<String> issuers) {
        ManagedCertificate loaded =
                new ManagedCertificate(name, /* isOnDemand= */ false, orders.failures(name, issuers));
        orders.certificates().read(name, clock.instant()).ifPresent(stored -> {
            serve(name, stored);
            loaded.found(stored, random.nextDouble());
            if (!issuers.contains(stored.issuer())) {
                loaded.replace();
            }
        });
        return loaded;
    }

    /**
     * Updates the served file of a name, because an order that ended during a reload may have stored a certificate
     * after the served file was prepared.
     */
    private void serve(String name, IssuedCertificate stored) {
        try {
            orders.certificates().serve(name, stored);
        } catch (IOException e) {
            LOG.warn("name={} msg=\"cannot copy a stored certificate\" reason=\"{}\"", name, ErrorText.of(e));
        }
    }

    /**
     * Revokes the stored certificate of a name. If the name is managed, a new certificate with a new key is ordered at
     * once; the revoked one stays in use until then. Otherwise its files are deleted.
     *
     * @return whether a new certificate is ordered. The future fails with {@link OrderException} if the certificate
     *     authority refuses, {@link NoSuchElementException} if no certificate is stored for the name, and {@link
     *     UnavailableException} if too many revocations wait, or another process orders the certificates. It does not
     *     complete if this object is stopped first
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

    /** Uses the stored certificate of a name, which another process has ordered or revoked. Returns immediately. */
    public void reread(String name) {
        execute(() -> {
            ManagedCertificate managed = certificates.get(name);
            if (managed != null) {
                orders.certificates()
                        .read(name, clock.instant())
                        .filter(stored -> !managed.issued().equals(Optional.of(stored)))
                        .ifPresent(stored -> {
                            managed.received(stored, random.nextDouble());
                            orders.forgetFailures(name, stored.issuer(), managed.failures());
                        });
                run();
            }
        });
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
        boolean mayOrder = orders.coordinator().mayOrder();
        try {
            isMore = !isStopped && mayOrder && step();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            isStopped = true;
        }
        publish();
        if (isMore) {
            execute(this::run); // runs after the tasks that already wait
        } else if (!isStopped && !certificates.isEmpty()) {
            Duration delay = mayOrder ? Duration.between(clock.instant(), wakeAt()) : MAY_ORDER_CHECK;
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
        order(due.get());
        return true;
    }

    private boolean revokeNow(String name, Revocation revocation) throws OrderException, InterruptedException {
        if (!orders.coordinator().mayOrder()) {
            throw new UnavailableException(orders.coordinator().refusal());
        }
        IssuedCertificate issued = orders.certificates()
                .read(name, clock.instant())
                .orElseThrow(() -> new NoSuchElementException("no certificate of " + name + " was issued by this CA"));
        orders.revoke(issued, revocation.reason());
        ManagedCertificate managed = certificates.get(name);
        LOG.warn(
                "name={} issuer={} serial={} reason={} who=\"{}\" msg=\"revoked a certificate\"",
                name,
                issued.issuer(),
                issued.certificate().getSerialNumber().toString(HEX),
                revocation.reason().label(),
                revocation.who());
        listener.revoked(name, revocation, managed != null);
        if (managed != null) {
            managed.replace();
        }
        try {
            if (managed == null && !orders.coordinator().isShared()) {
                orders.certificates().delete(name);
            } else {
                orders.certificates().of(issued.issuer()).writeRevoked(name, issued.certificate());
            }
        } catch (IOException e) {
            LOG.warn(
                    "name={} msg=\"cannot record that the certificate is revoked\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
        }
        orders.coordinator().stored(name, issued.issuer());
        return managed != null;
    }

    private void check(ManagedCertificate managed, Instant now) throws InterruptedException {
        managed.checkAgainAt(CheckInterval.next(now));
        try {
            Optional<RenewalWindow> window =
                    orders.renewalWindow(managed.issued().orElseThrow());
            if (window.isPresent()) {
                managed.suggest(window.get(), random.nextDouble());
                managed.checkAgainAt(CheckInterval.next(window.get(), now));
            }
        } catch (OrderException e) {
            LOG.info(
                    "name={} msg=\"cannot ask when to renew the certificate; asking again later\" reason=\"{}\"",
                    managed.name(),
                    ErrorText.of(e));
        }
    }

    private void order(ManagedCertificate managed) throws InterruptedException {
        IssuerFailures failures = managed.failures();
        Optional<String> issuer = orders.next(failures);
        if (issuer.isPresent()) {
            OrderResult result = orders.order(managed.name(), issuer.get(), failures, managed.issued());
            managed.completed(result, failures, clock.instant(), random.nextDouble());
        }
    }
}
