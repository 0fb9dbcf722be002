package io.ballast.core.health;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendCounter;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.Order;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Pool;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One backend under watch: feeds its {@link HealthMachine} and publishes what the machine decides.
 *
 * <p>Thread safety: confined to the control plane, except {@link #requestFailed}, which event loops call.
 */
final class WatchedBackend {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedBackend.class);

    private final ControlPlane control;
    private final RefreshQueue refreshes;
    private final Backend backend;
    private final HealthConfig config;
    private final boolean secured;
    private final HealthMachine machine;
    private final Runnable countFailures = this::countFailures;
    private final CompletableFuture<Void> firstResult = new CompletableFuture<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String lastFailure = "";
    private Pool pool;
    private long answersSeen;
    private boolean forgotten;
    private @Nullable CheckLoop checks;

    /** @param settings of its pool, which may not be in force yet */
    WatchedBackend(ControlPlane control, RefreshQueue refreshes, Backend backend, Pool pool, PoolConfig settings) {
        this.control = control;
        this.refreshes = refreshes;
        this.backend = backend;
        this.pool = pool;
        this.config = settings.health();
        this.secured = settings.tls().isPresent();
        this.machine = new HealthMachine(config, backend.health(), backend.order());
        if (!hasCheck()) {
            firstResult.complete(null);
        }
        backend.stableFor(stableFor());
    }

    /** Whether this can go on for the same backend under {@code next}, the later settings of its pool. */
    boolean fits(PoolConfig next) {
        return config.equals(next.health()) && secured == next.tls().isPresent();
    }

    void moveTo(Pool next) {
        pool = next;
    }

    /** Whether checks are configured at all. */
    boolean hasCheck() {
        return !(config.check() instanceof HealthCheck.None);
    }

    CheckTarget target() {
        return CheckTarget.of(backend, config, secured);
    }

    Duration interval() {
        return config.interval();
    }

    /** Says who checks it, and is asked for a check soon when requests find it down. */
    void checkedBy(CheckLoop loop) {
        checks = loop;
    }

    /** From the end of the last check to the start of the next one, as far as this backend is concerned. */
    Duration untilNextCheck() {
        if (machine.isChanging()) {
            return config.fastInterval();
        }
        return machine.isDown() ? config.whileDown(machine.failedChecks()) : config.interval();
    }

    /** Whether checks begin to speak against what it is. */
    boolean isChanging() {
        return machine.isChanging();
    }

    /** Completes with the first result of a check; at once without checks, and when the watch ends. */
    CompletableFuture<Void> firstResult() {
        return firstResult;
    }

    /** Ends the watch: waiting for it is over, and failed requests on their way here are dropped. */
    void forget() {
        forgotten = true;
        firstResult.complete(null);
    }

    void checked(ProbeResult result) {
        HealthChange change = machine.onCheck(result.ok(), result.text());
        HealthStatus.LastCheck check = new HealthStatus.LastCheck(result.ok(), result.took(), result.text());
        publish(change, check);
        if (pool.checked(backend, check)) {
            refreshes.settle(pool);
        }
        firstResult.complete(null);
    }

    /**
     * Counts a request that could not be sent. Called from any event loop: an atomic add, and a task for the control
     * plane unless one is on its way already.
     */
    void requestFailed(String reason) {
        lastFailure = reason;
        if (failures.getAndIncrement() == 0) {
            control.execute(countFailures);
        }
    }

    void order(Order order) {
        backend.order(Optional.of(order));
        publish(
                machine.order(order.kind().state(), order.text()),
                backend.health().lastCheck());
    }

    void enable(String who) {
        backend.order(Optional.empty());
        publish(machine.enable(who), backend.health().lastCheck());
    }

    private void countFailures() {
        int count = failures.getAndSet(0);
        // Without checks nothing would ever bring the backend back.
        if (forgotten || !hasCheck()) {
            return;
        }
        long answers = answers();
        if (answers != answersSeen) {
            answersSeen = answers;
            machine.onAnswer();
        }
        boolean wasDown = machine.isDown();
        publish(machine.onFailedRequests(count, lastFailure), backend.health().lastCheck());
        if (!wasDown && machine.isDown() && checks != null) {
            checks.foundDown();
        }
    }

    private long answers() {
        long answers = 0;
        for (int status = 100; status <= 500; status += 100) {
            answers += backend.stats().sum(BackendCounter.ofStatus(status));
        }
        return answers;
    }

    /** The least time until checks alone could change the state, from the last check on. */
    private Duration stableFor() {
        if (!hasCheck() || machine.isOrdered()) {
            return Backend.FOREVER;
        }
        return untilNextCheck().plus(config.fastInterval().multipliedBy(machine.checksUntilChange() - 1L));
    }

    private void publish(@Nullable HealthChange change, HealthStatus.LastCheck lastCheck) {
        backend.stableFor(stableFor());
        if (change == null) {
            backend.health(backend.health().with(lastCheck));
            return;
        }
        backend.health(
                new HealthStatus(change.to(), control.clock().instant(), change.origin(), change.reason(), lastCheck));
        LOG.atLevel(change.to() == BackendState.DOWN ? Level.WARN : Level.INFO)
                .log(
                        "backend={} state={} was={} origin={} reason=\"{}\"",
                        backend,
                        change.to().label(),
                        change.from().label(),
                        change.origin().label(),
                        change.reason().replace('"', '\''));
        control.timeline().add(change.origin(), backend.toString(), change.to().label() + ": " + change.reason());
        if (change.changesUsability()) {
            refreshes.request(pool);
        }
    }
}
