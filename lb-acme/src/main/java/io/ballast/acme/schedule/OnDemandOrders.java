package io.ballast.acme.schedule;

import static java.util.Objects.requireNonNull;

import io.ballast.acme.order.AcmeClient;
import io.ballast.acme.order.OrderException;
import io.ballast.acme.state.CertificateStore;
import io.ballast.acme.state.FailureState;
import io.ballast.core.ErrorText;
import io.ballast.core.config.TlsFiles;
import io.ballast.net.tls.TlsIdentity;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
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

    /** How long a refused name is not asked for again. */
    static final Duration REFUSAL = Duration.ofMinutes(5);

    /** How long a name is not asked for again if there was no answer. */
    static final Duration NO_ANSWER = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(OnDemandOrders.class);
    private static final int MAX_NAME_LENGTH = 253;
    private static final String LABEL = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

    /** A host name whose last label is not a number, so that it is no IP address. */
    private static final Pattern NAME = Pattern.compile("(" + LABEL + "\\.)+(?![0-9]+$)" + LABEL);

    private static final CompletableFuture<Optional<TlsFiles>> NONE =
            CompletableFuture.completedFuture(Optional.empty());

    private final CertificateStore store;
    private final NamePermission permission;
    private final OrderBudget budget;
    private final InstantSource clock;
    private final Executor files;
    private final RandomGenerator random;
    private final RenewalListener listener;
    private final Map<String, CompletableFuture<Optional<TlsFiles>>> pending = new ConcurrentHashMap<>();
    private final RefusedNames refused = new RefusedNames();
    private final Map<OnDemandCounter, LongAdder> counters = new EnumMap<>(OnDemandCounter.class);
    private final WarningInterval unanswered = new WarningInterval();
    private final WarningInterval exhausted = new WarningInterval();
    private volatile @Nullable Orderer orderer;

    /** The client that orders, and the thread that calls it. */
    private record Orderer(AcmeClient client, Executor thread) {}

    /**
     * @param ordersPerHour the maximum number of orders in any hour
     * @param files runs tasks that read files; may reject them
     * @param random spreads retries and renewals; thread-safe
     */
    public OnDemandOrders(
            CertificateStore store,
            NamePermission permission,
            int ordersPerHour,
            InstantSource clock,
            Executor files,
            RandomGenerator random,
            RenewalListener listener) {
        this.store = store;
        this.permission = permission;
        this.budget = new OrderBudget(ordersPerHour);
        this.clock = clock;
        this.files = files;
        this.random = random;
        this.listener = listener;
        for (OnDemandCounter counter : OnDemandCounter.values()) {
            counters.put(counter, new LongAdder());
        }
    }

    /**
     * Begins to order. Before, and after {@link #stop}, only stored certificates are found.
     *
     * @param thread runs orders, one after the other
     */
    public void begin(AcmeClient client, Executor thread) {
        orderer = new Orderer(client, thread);
    }

    /** Begins no further orders. */
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
     * @return empty if there is none now; never fails. It may take minutes, and does not complete if orders are stopped
     */
    public CompletableFuture<Optional<TlsFiles>> find(String name) {
        return begin(name, Optional.empty());
    }

    /** Renews a certificate in the background if it is time. */
    public void renewIfDue(String name, X509Certificate certificate) {
        boolean isDue = !RenewalTime.of(certificate, random.nextDouble()).isAfter(clock.instant());
        if (isDue && orderer != null) {
            CompletableFuture<?> unused = begin(name, Optional.of(certificate));
        }
    }

    private CompletableFuture<Optional<TlsFiles>> begin(String name, Optional<X509Certificate> replaced) {
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
                    .thenCompose(found -> found.isPresent() ? done(found) : request(name, replaced))
                    .whenComplete((found, failure) -> {
                        if (failure != null) {
                            LOG.error("name={} msg=\"cannot find a certificate\"", name, failure);
                        }
                        finish(name, next, found == null ? Optional.empty() : found);
                    });
        } catch (RuntimeException e) { // the executor rejects the task
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
        return store.read(name)
                .filter(identity -> identity.invalidityReason(clock.instant()).isEmpty())
                .filter(identity -> !store.isRevoked(name, identity.certificate()))
                .map(identity -> store.directory().tlsFiles(name));
    }

    private CompletableFuture<Optional<TlsFiles>> request(String name, Optional<X509Certificate> replaced) {
        Orderer active = orderer;
        if (active == null) {
            return NONE;
        }
        Instant retryAt = store.failures(name).retryAt();
        if (retryAt.isAfter(clock.instant())) {
            refused.add(name, retryAt);
            return NONE;
        }
        return permission
                .isPermitted(name)
                .handle((isPermitted, failure) -> isPermitted(name, isPermitted, failure))
                .thenComposeAsync(
                        isPermitted -> isPermitted ? done(order(active.client(), name, replaced)) : NONE,
                        active.thread());
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

    private Optional<TlsFiles> order(AcmeClient client, String name, Optional<X509Certificate> replaced) {
        Instant now = clock.instant();
        Instant allowed = budget.nextAt(now);
        if (allowed.isAfter(now)) {
            add(OnDemandCounter.DROPPED);
            refused.add(name, allowed);
            if (exhausted.isDue(now)) {
                LOG.warn(
                        "name={} until={} msg=\"no certificate is ordered: orders_per_hour is reached\"",
                        name,
                        allowed);
            }
            return Optional.empty();
        }
        budget.add(now);
        FailureState before = store.failures(name);
        save(name, RetryDelay.next(before, now, Optional.empty(), random.nextDouble()));
        try {
            LOG.info("name={} msg=\"ordering a certificate on demand\"", name);
            TlsIdentity issued = client.order(name, replaced);
            store.write(name, issued);
            save(name, FailureState.NONE);
            add(OnDemandCounter.ISSUED);
            Instant notAfter = issued.certificate().getNotAfter().toInstant();
            LOG.info("name={} not_after={} msg=\"a certificate was issued\"", name, notAfter);
            listener.issued(name, notAfter);
            return Optional.of(store.directory().tlsFiles(name));
        } catch (OrderException e) {
            failed(name, ErrorText.of(e), before, e.retryAfter());
        } catch (IOException | RuntimeException e) {
            failed(name, ErrorText.of(e), before, Optional.empty());
        } catch (InterruptedException e) {
            boolean unused = Thread.interrupted(); // an interrupted thread cannot write files
            save(name, before);
            Thread.currentThread().interrupt();
        }
        return Optional.empty();
    }

    private void failed(String name, String reason, FailureState before, Optional<Instant> retryAfter) {
        FailureState failures = RetryDelay.next(before, clock.instant(), retryAfter, random.nextDouble());
        save(name, failures);
        refused.add(name, failures.retryAt());
        add(OnDemandCounter.FAILED);
        LOG.warn(
                "name={} failures={} retry_at={} msg=\"cannot get a certificate on demand\" reason=\"{}\"",
                name,
                failures.count(),
                failures.retryAt(),
                reason);
        listener.failed(name, reason, failures.retryAt());
    }

    private void save(String name, FailureState failures) {
        try {
            store.writeFailures(name, failures);
        } catch (IOException e) {
            LOG.warn("name={} msg=\"cannot save the number of failed orders\" reason=\"{}\"", name, ErrorText.of(e));
        }
    }
}
