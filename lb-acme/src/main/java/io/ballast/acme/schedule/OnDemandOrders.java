package io.ballast.acme.schedule;

import static java.util.Objects.requireNonNull;

import io.ballast.acme.coordination.OrderCoordinator;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.order.RenewalWindow;
import io.ballast.acme.state.IssuedCertificate;
import io.ballast.acme.state.IssuedCertificates;
import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders the certificates of names for which clients ask, if {@link NamePermission} permits it.
 *
 * <pre>
 *   name ──► stored and valid: used
 *        └─► failed or refused before: nothing, until that time has passed
 *        └─► permission ──► order ──► stored: used
 * </pre>
 *
 * <p>Bounds: {@value #MAX_PENDING} names at a time, a number of orders in an hour, and the failures of {@link RetryDelay}
 * for each name.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class OnDemandOrders {

    static final int MAX_PENDING = 100;

    /** The time for which the refusal of a name is remembered. */
    static final Duration REFUSAL = Duration.ofMinutes(5);

    /** The time to wait before asking for a name again if there was no answer. */
    static final Duration NO_ANSWER = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(OnDemandOrders.class);
    private static final int MAX_NAME_LENGTH = 253;
    private static final int HEX = 16;
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /** A host name whose last label is not a number, so that the name is not an IP address. */
    private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)+(?![0-9]+$)" + LABEL);

    private static final CompletableFuture<Optional<TlsFiles>> NONE =
            CompletableFuture.completedFuture(Optional.empty());

    /** The maximum time that a name waits for a certificate that another process orders. */
    private static final int MAX_WAIT_SECONDS = 60;

    /** Maximum number of queued requests for renewal times, so that they do not delay orders. */
    private static final int MAX_CHECKS = 4;

    private final IssuedCertificates store;
    private final List<String> issuers;
    private final NamePermission permission;
    private final OrderBudget budget;
    private final InstantSource clock;
    private final Executor files;
    private final RandomGenerator random;
    private final OnDemandCertificates certificates = new OnDemandCertificates();
    private final AtomicInteger waitingChecks = new AtomicInteger();
    private final Map<String, CompletableFuture<Optional<TlsFiles>>> pending = new ConcurrentHashMap<>();
    private final RefusedNames refused = new RefusedNames();
    private final Map<OnDemandCounter, LongAdder> counters = new EnumMap<>(OnDemandCounter.class);
    private final WarningInterval unanswered = new WarningInterval();
    private final WarningInterval exhausted = new WarningInterval();
    /** The handshakes that wait for a certificate that another process orders. */
    private final Map<String, CompletableFuture<Optional<TlsFiles>>> awaited = new ConcurrentHashMap<>();

    private volatile @Nullable Orderer orderer;

    /** The issuers, and the thread on which orders run. */
    private record Orderer(IssuerOrders orders, Executor thread) {}

    /**
     * @param issuers the names of the issuers in order of preference
     * @param ordersPerHour the maximum number of orders in any hour
     * @param files runs tasks that read files; may reject them
     * @param random spreads retries and renewals; thread-safe
     */
    public OnDemandOrders(
            IssuedCertificates store,
            List<String> issuers,
            NamePermission permission,
            int ordersPerHour,
            InstantSource clock,
            Executor files,
            RandomGenerator random) {
        this.store = store;
        this.issuers = List.copyOf(issuers);
        this.permission = permission;
        this.budget = new OrderBudget(ordersPerHour);
        this.clock = clock;
        this.files = files;
        this.random = random;
        for (OnDemandCounter counter : OnDemandCounter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    /**
     * Starts to order. Before this call, and after {@link #stop}, only stored certificates are found.
     *
     * @param thread runs orders, one after the other
     */
    public void begin(IssuerOrders orders, Executor thread) {
        waitingChecks.set(0); // the checks of an earlier thread are lost
        orderer = new Orderer(orders, thread);
    }

    /** Starts no further orders. */
    public void stop() {
        orderer = null;
    }

    /** The present value of a counter. */
    public long count(OnDemandCounter counter) {
        return requireNonNull(counters.get(counter)).sum();
    }

    /**
     * Finds the certificate of a name, and orders it if necessary. Does not block.
     *
     * @param name any text that a client sends, in lower case
     * @return the certificate; empty if there is none now. Never fails. The future may take minutes, and does not
     *     complete if orders are stopped
     */
    public CompletableFuture<Optional<TlsFiles>> find(String name) {
        return begin(name, Optional.empty(), /* isPermitted= */ false);
    }

    /**
     * Orders a certificate for another process, which has already obtained the permission.
     *
     * @param replaced the serial number of the certificate to renew, in hexadecimal form
     * @return like {@link #find}
     */
    public CompletableFuture<Optional<TlsFiles>> findPermitted(String name, Optional<String> replaced) {
        Optional<X509Certificate> former = replaced.flatMap(serial -> store.read(name, clock.instant())
                .map(IssuedCertificate::certificate)
                .filter(each -> each.getSerialNumber().toString(HEX).equals(serial)));
        return begin(name, former, /* isPermitted= */ true);
    }

    /** Uses the files of a name, which another process has replaced or deleted. Returns immediately. */
    public void reread(String name) {
        refused.remove(name);
        CompletableFuture<Optional<TlsFiles>> waiting = awaited.get(name);
        if (waiting == null && !certificates.contains(name)) {
            return;
        }
        try {
            files.execute(() -> {
                Optional<TlsFiles> found = stored(name);
                if (found.isEmpty()) {
                    certificates.remove(name);
                } else if (waiting != null) {
                    waiting.complete(found);
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("too many files are read; the certificate is found by a later handshake", e);
        }
    }

    /** Ends the wait for a certificate that was requested from another process. */
    public void requestEnded(String name) {
        CompletableFuture<Optional<TlsFiles>> waiting = awaited.get(name);
        if (waiting != null) {
            reread(name);
            try {
                files.execute(() -> waiting.complete(Optional.empty())); // runs after the files were read
            } catch (RejectedExecutionException e) {
                waiting.complete(Optional.empty());
            }
        }
    }

    /** The certificates that clients have used since the start of the process; at most 1,000. */
    public List<CertificateState> states() {
        return certificates.states();
    }

    /** Removes a certificate that was revoked and deleted. */
    public void forget(String name) {
        certificates.remove(name);
    }

    /** Renews a certificate in the background if it is time, and asks its issuer when to renew it. */
    public void renewIfDue(String name, X509Certificate certificate) {
        Instant now = clock.instant();
        Orderer active = orderer;
        if (active == null) {
            return;
        }
        if (certificates.isDue(name, certificate, now, random.nextDouble())) {
            CompletableFuture<?> unused = begin(name, Optional.of(certificate), /* isPermitted= */ false);
        } else if (active.orders().coordinator().mayOrder() && certificates.isCheckDue(name, certificate, now)) {
            beginCheck(active, name, certificate);
        }
    }

    private void beginCheck(Orderer active, String name, X509Certificate certificate) {
        if (waitingChecks.incrementAndGet() > MAX_CHECKS) {
            waitingChecks.decrementAndGet();
            return; // the next call of renewIfDue tries again
        }
        certificates.checkAgainAt(name, certificate, CheckInterval.next(clock.instant()));
        try {
            active.thread().execute(() -> check(active.orders(), name, certificate));
        } catch (RejectedExecutionException e) {
            waitingChecks.decrementAndGet();
            LOG.debug("the scheduler has been shut down", e);
        }
    }

    private CompletableFuture<Optional<TlsFiles>> begin(
            String name, Optional<X509Certificate> replaced, boolean isPermitted) {
        if (refused.contains(name, clock.instant())
                || name.length() > MAX_NAME_LENGTH
                || !NAME.matcher(name).matches()) {
            return NONE;
        }
        CompletableFuture<Optional<TlsFiles>> next = new CompletableFuture<>();
        CompletableFuture<Optional<TlsFiles>> present = pending.putIfAbsent(name, next);
        if (present != null) {
            return present;
        }
        if (pending.size() > MAX_PENDING) {
            add(OnDemandCounter.DROPPED);
            finish(name, next, Optional.empty());
            return next;
        }
        try {
            CompletableFuture<?> unused = CompletableFuture.supplyAsync(
                            () -> replaced.isPresent() ? Optional.<TlsFiles>empty() : stored(name), files)
                    .thenCompose(found -> found.isPresent() ? done(found) : request(name, replaced, isPermitted))
                    .whenComplete((found, failure) -> {
                        if (failure != null) {
                            LOG.error("name={} msg=\"cannot find a certificate\"", name, failure);
                        }
                        finish(name, next, found == null ? Optional.empty() : found);
                    });
        } catch (RuntimeException e) { // thrown if the executor rejects the task
            add(OnDemandCounter.DROPPED);
            finish(name, next, Optional.empty());
        }
        return next;
    }

    private void finish(String name, CompletableFuture<Optional<TlsFiles>> next, Optional<TlsFiles> found) {
        pending.remove(name, next);
        next.complete(found);
    }

    private static <T> CompletableFuture<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    private void add(OnDemandCounter counter) {
        requireNonNull(counters.get(counter)).increment();
    }

    /** Returns the stored certificate, if clients accept it. */
    private Optional<TlsFiles> stored(String name) {
        Instant now = clock.instant();
        Optional<IssuedCertificate> found = store.read(name, now).filter(each -> each.isUsable(now));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try {
            store.serve(name, found.get());
        } catch (IOException e) {
            LOG.warn("name={} msg=\"cannot copy a stored certificate\" reason=\"{}\"", name, ErrorText.of(e));
            return Optional.empty();
        }
        certificates.found(name, found.get(), failures(name), random.nextDouble());
        return Optional.of(store.tlsFiles(name));
    }

    private IssuerFailures failures(String name) {
        return new IssuerFailures(issuers, issuer -> store.of(issuer).failures(name));
    }

    private CompletableFuture<Optional<TlsFiles>> request(
            String name, Optional<X509Certificate> replaced, boolean isPermitted) {
        Orderer active = orderer;
        if (active == null) {
            return NONE;
        }
        Instant retryAt = failures(name).retryAt();
        if (retryAt.isAfter(clock.instant())) {
            refused.add(name, retryAt);
            return NONE;
        }
        CompletableFuture<Boolean> answer = isPermitted
                ? done(true)
                : permission.isPermitted(name).handle((permits, failure) -> isPermitted(name, permits, failure));
        return answer.thenComposeAsync(permits -> permits ? obtain(active, name, replaced) : NONE, active.thread());
    }

    private CompletableFuture<Optional<TlsFiles>> obtain(
            Orderer active, String name, Optional<X509Certificate> replaced) {
        OrderCoordinator coordinator = active.orders().coordinator();
        if (coordinator.mayOrder()) {
            return done(order(active.orders(), name, replaced));
        }
        CompletableFuture<Optional<TlsFiles>> arrival = new CompletableFuture<>();
        awaited.put(name, arrival);
        coordinator.request(name, replaced);
        return arrival.completeOnTimeout(Optional.empty(), MAX_WAIT_SECONDS, TimeUnit.SECONDS)
                .thenApply(found -> {
                    awaited.remove(name, arrival);
                    if (found.isEmpty()) {
                        refused.add(name, clock.instant().plus(NO_ANSWER));
                    }
                    return found;
                });
    }

    private boolean isPermitted(String name, @Nullable Boolean answer, @Nullable Throwable failure) {
        if (answer == null) {
            add(OnDemandCounter.UNANSWERED);
            refused.add(name, clock.instant().plus(NO_ANSWER));
            if (unanswered.isDue(clock.instant())) {
                Throwable cause = failure instanceof CompletionException wrapper && wrapper.getCause() != null
                        ? wrapper.getCause()
                        : failure;
                LOG.warn(
                        "name={} msg=\"on_demand.ask does not answer; no certificate is ordered\" reason=\"{}\"",
                        name,
                        cause == null ? "no answer" : ErrorText.reason(cause));
            }
            return false;
        }
        if (!answer) {
            add(OnDemandCounter.REFUSED);
            refused.add(name, clock.instant().plus(REFUSAL));
            LOG.debug("name={} msg=\"on_demand.ask refuses the name\"", name);
        }
        return answer;
    }

    // ---- on the thread that orders

    private Optional<TlsFiles> order(IssuerOrders orders, String name, Optional<X509Certificate> replaced) {
        Optional<IssuedCertificate> former = replaced.flatMap(each -> certificates.use(name, each));
        IssuerFailures failures = failures(name);
        try {
            Optional<String> issuer = orders.next(failures);
            while (issuer.isPresent() && isWithinBudget(name)) {
                OrderResult result = orders.order(name, issuer.get(), failures, former);
                certificates.completed(name, result, failures, clock.instant(), random.nextDouble());
                if (result instanceof OrderResult.Issued) {
                    add(OnDemandCounter.ISSUED);
                    return Optional.of(store.tlsFiles(name));
                }
                add(OnDemandCounter.FAILED);
                issuer = orders.next(failures);
            }
            if (issuer.isEmpty()) {
                refused.add(name, failures.retryAt());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    private boolean isWithinBudget(String name) {
        Instant now = clock.instant();
        Instant allowed = budget.nextAt(now);
        if (!allowed.isAfter(now)) {
            budget.add(now);
            return true;
        }
        add(OnDemandCounter.DROPPED);
        refused.add(name, allowed);
        if (exhausted.isDue(now)) {
            LOG.warn("name={} until={} msg=\"no certificate is ordered: orders_per_hour is reached\"", name, allowed);
        }
        return false;
    }

    private void check(IssuerOrders orders, String name, X509Certificate certificate) {
        waitingChecks.decrementAndGet();
        Optional<IssuedCertificate> issued = certificates.use(name, certificate);
        if (issued.isEmpty() || orders.isUnreachable(issued.get().issuer())) {
            return;
        }
        try {
            Optional<RenewalWindow> window = orders.renewalWindow(issued.get());
            if (window.isPresent()) {
                certificates.suggest(name, certificate, window.get(), random.nextDouble());
                certificates.checkAgainAt(name, certificate, CheckInterval.next(window.get(), clock.instant()));
            }
        } catch (OrderException e) {
            LOG.info(
                    "name={} msg=\"cannot ask when to renew the certificate; asking again later\" reason=\"{}\"",
                    name,
                    ErrorText.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.warn("name={} msg=\"cannot ask when to renew the certificate\"", name, e);
        }
    }
}
