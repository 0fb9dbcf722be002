package io.ballast.core.health;

import io.ballast.core.DurationText;
import io.ballast.core.backend.AgentReport;
import io.ballast.core.backend.Backend;
import io.ballast.core.backend.BackendState;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.config.CheckAddress;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.ScheduledTask;
import io.ballast.core.pool.Pool;
import io.ballast.core.vote.BackendVotes;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A backend with its checks and its {@link HealthMachine}. Passes events to the machine and publishes its
 * decisions.
 *
 * <p>Thread safety: confined to the control plane, except {@link #requestFailed}, {@link #requestEjection} and
 * {@link #requestEarlyCheck}, which event loops call.
 */
final class WatchedBackend {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedBackend.class);

    private final ControlPlane control;
    private final RefreshQueue refreshes;
    private final Backend backend;
    private final HealthConfig config;
    private final CheckAddress checkAddress;
    private final HealthCheck check;
    private final boolean resolved;
    private final HealthMachine machine;
    private final Runnable countFailures = this::countFailures;
    private final Runnable eject = this::ejectIfRequested;
    private final CompletableFuture<Void> firstResult = new CompletableFuture<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String lastFailure = "";
    private final AtomicReference<@Nullable String> requestedEjection = new AtomicReference<>();
    private final Runnable checkNow = this::checkIfPaused;
    private final AtomicBoolean checkRequested = new AtomicBoolean();
    private final Ejection ejection;
    private final SlowStart slowStart;
    private final FailedConnects failedConnects;
    private Pool pool;
    private PoolEjections ejections;
    private volatile @Nullable FailureShares shares;
    private long answersSeen;

    /** The votes of the nodes; null outside of a cluster. */
    private @Nullable BackendVotes votes;

    private boolean forgotten;
    private boolean checkSoon;
    private @Nullable CheckLoop checks;
    private @Nullable ScheduledTask readmission;

    /** @param settings the settings of the backend's pool, which may not be active yet */
    WatchedBackend(
            ControlPlane control,
            RefreshQueue refreshes,
            Backend backend,
            Pool pool,
            PoolConfig settings,
            CheckAddress at) {
        this(
                control,
                refreshes,
                backend,
                pool,
                settings,
                at,
                new Ejection(),
                new HealthMachine(
                        settings.health(),
                        backend.health(),
                        backend.stateOverride(),
                        backend.externalOverrides().decidingState(),
                        backend.agentReport()));
    }

    private WatchedBackend(
            ControlPlane control,
            RefreshQueue refreshes,
            Backend backend,
            Pool pool,
            PoolConfig settings,
            CheckAddress at,
            Ejection ejection,
            HealthMachine machine) {
        this.control = control;
        this.refreshes = refreshes;
        this.backend = backend;
        this.pool = pool;
        this.config = settings.health();
        this.checkAddress = at;
        this.check = CheckTarget.check(settings, backend.address(), at);
        this.resolved = backend.isResolved();
        this.machine = machine;
        this.ejection = ejection;
        this.ejections = new PoolEjections(pool);
        this.slowStart = new SlowStart(control, backend, () -> refreshes.request(this.pool));
        this.failedConnects = new FailedConnects(control, backend);
        slowStart.resume(settings.slowStart());
        if (machine.isEjected()) {
            readmitIn(ejection.remaining(control.clock().instant()));
        }
        if (!hasCheck()) {
            firstResult.complete(null);
        }
        backend.minStableTime(minStableTime());
    }

    /**
     * Returns whether this object can still be used for the same backend with the new settings of its pool, and
     * with the backend's new address.
     */
    boolean isReusable(PoolConfig next, CheckAddress nextAt) {
        return resolved == backend.isResolved()
                && config.equals(next.health())
                && checkAddress.equals(nextAt)
                && check.equals(CheckTarget.check(next, backend.address(), nextAt));
    }

    /**
     * Creates a successor that watches the same backend. The successor takes over the ejection, and the health
     * state that an operator's override hides. This object must not be used afterwards.
     */
    WatchedBackend successor(Pool nextPool, PoolConfig settings, CheckAddress nextAt) {
        return new WatchedBackend(
                control,
                refreshes,
                backend,
                nextPool,
                settings,
                nextAt,
                ejection,
                machine.withConfig(
                        settings.health(),
                        backend.health(),
                        backend.stateOverride(),
                        backend.externalOverrides().decidingState(),
                        backend.agentReport()));
    }

    void moveTo(Pool next) {
        pool = next;
    }

    Pool pool() {
        return pool;
    }

    /** Sets the object that ejects backends of the pool. */
    void setEjections(PoolEjections others) {
        ejections = others;
        if (backend.health().state() == BackendState.EJECTED) {
            others.add(this);
        }
    }

    Backend backend() {
        return backend;
    }

    /** Sets the object that compares this backend with the other backends of the pool. */
    void setFailureShares(FailureShares all) {
        shares = all;
    }

    /** Returns whether a check is configured and the backend has an address to check. */
    boolean hasCheck() {
        return resolved && !(config.check() instanceof HealthCheck.None);
    }

    /** Returns whether this node checks the backend. */
    boolean isChecked() {
        return hasCheck() && (votes == null || votes.isChecking());
    }

    /**
     * Lets the votes of the nodes decide the state, as configured. Returns whether this node has begun or ceased to
     * check the backend.
     */
    boolean join(BackendVotes all) {
        all.configure(config.voting(), pool.name());
        votes = all;
        machine.join(all);
        return onVotes();
    }

    /** Lets this node decide the state alone, without votes. */
    void leave() {
        if (votes != null) {
            votes = null;
            publish(machine.leave(), backend.health().lastCheck());
        }
    }

    /**
     * Called when the votes of other nodes, or the connected nodes, have changed. Returns whether this node has begun
     * or ceased to check the backend.
     */
    boolean onVotes() {
        BackendVotes all = votes;
        if (all == null) {
            return false;
        }
        boolean isOtherRole = all.chooseVoters();
        if (isOtherRole && all.isChecking()) {
            machine.resumeChecks();
        } else if (isOtherRole) {
            machine.stopChecks();
            firstResult.complete(null);
        }
        publish(machine.onVotes(), backend.health().lastCheck());
        return isOtherRole;
    }

    CheckTarget target() {
        return CheckTarget.of(backend, config, check, checkAddress);
    }

    Duration interval() {
        return config.interval();
    }

    /** Sets the loop that checks the backend. Failed requests cause an early check by this loop. */
    void setCheckLoop(CheckLoop loop) {
        checks = loop;
    }

    /** Returns the time from the end of the last check to the start of the next one for this backend. */
    Duration untilNextCheck() {
        if (machine.isChanging() || checkSoon) {
            return config.fastInterval();
        }
        return machine.isDown() ? config.intervalWhileDown(machine.failedChecks()) : config.interval();
    }

    /**
     * Returns whether the backend needs no check until requests to it fail: it is up, and its checks are lazy.
     */
    boolean mayPause() {
        return config.lazy() && !checkSoon && !machine.isDown() && !machine.isChanging();
    }

    /** Whether recent checks contradict the current state. */
    boolean isChanging() {
        return machine.isChanging();
    }

    /** Completes with the first check result, when watching ends, or immediately if there are no checks. */
    CompletableFuture<Void> firstResult() {
        return firstResult;
    }

    /** Stops watching: the wait for the first result ends, and queued request failures are dropped. */
    void forget() {
        forgotten = true;
        cancelReadmission();
        slowStart.stop();
        firstResult.complete(null);
    }

    void onCheckResult(ProbeResult result) {
        checkSoon = false;
        HealthChange change = machine.onCheck(result.ok(), result.text());
        HealthStatus.LastCheck check = new HealthStatus.LastCheck(result.ok(), result.duration(), result.text());
        publish(change, check);
        if (pool.onCheck(backend, check)) {
            refreshes.scheduleEvaluation(pool);
        }
        firstResult.complete(null);
    }

    /**
     * Counts a request that could not be sent. Called from any event loop. Cost: an atomic add, and a task for
     * the control plane unless one is already queued.
     */
    void requestFailed(String reason) {
        lastFailure = reason;
        if (failures.getAndIncrement() == 0) {
            control.execute(countFailures);
        }
    }

    /**
     * Ejects the backend if ejections are allowed. Called from any event loop. Cost: an atomic write, and a task
     * for the control plane unless one is already queued.
     */
    void requestEjection(String reason) {
        if (requestedEjection.getAndSet(reason) == null) {
            control.execute(eject);
        }
    }

    /**
     * Counts a failed request, whether or not it was sent. Called from any event loop. Cost: usually one read.
     */
    void exchangeFailed() {
        FailureShares compared = shares;
        if (compared != null) {
            compared.requestFailed();
        }
    }

    /**
     * Requests an early check of the backend if its checks are lazy. Called from any event loop. Cost: one read
     * in most cases, and a task for the control plane unless one is already queued.
     */
    void requestEarlyCheck() {
        if (config.lazy()
                && hasCheck()
                && checkRequested.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            control.execute(checkNow);
        }
    }

    private void checkIfPaused() {
        checkRequested.set(false);
        if (!forgotten && checks != null && mayPause()) {
            checkSoon = true;
            checks.onMarkedDown();
        }
    }

    private void ejectIfRequested() {
        String reason = requestedEjection.getAndSet(null);
        if (reason != null) {
            eject(reason);
        }
    }

    /**
     * Ejects the backend, unless it is no longer watched, is overridden or is not usable, or its pool must
     * not eject more backends. Returns whether the backend was ejected.
     */
    boolean eject(String reason) {
        if (forgotten || machine.isOverridden() || !machine.state().isUsable() || !ejections.mayEject()) {
            return false;
        }
        Duration time = ejection.begin(pool.config().outlier(), control.clock().instant());
        readmitIn(time);
        backend.countEjection();
        publish(
                machine.eject(reason + "; ejected for " + DurationText.of(time)),
                backend.health().lastCheck());
        if (checks != null) {
            checkSoon = true;
            checks.onMarkedDown();
        }
        return true;
    }

    private void readmitIn(Duration time) {
        readmission =
                control.scheduleTask(() -> readmit("the ejection time has ended; the backend is on probation"), time);
    }

    private void cancelReadmission() {
        if (readmission != null) {
            readmission.cancel();
            readmission = null;
        }
    }

    /** Ends the ejection. The result of the next request decides whether the backend is ejected again. */
    void readmit(String reason) {
        publish(machine.readmit(reason), backend.health().lastCheck());
    }

    /** Called when an ejection has ended for any reason. */
    private void ejectionEnded() {
        cancelReadmission();
        ejection.end(control.clock().instant());
        backend.requestErrors().startProbation();
    }

    void applyOverride(StateOverride order) {
        backend.stateOverride(Optional.of(order));
        publish(
                machine.applyOverride(order.kind().state(), order.text()),
                backend.health().lastCheck());
    }

    void enable(String who) {
        backend.stateOverride(Optional.empty());
        publish(machine.enable(who), backend.health().lastCheck());
    }

    /**
     * Replaces the overrides of external sources.
     *
     * @param end describes how the last override of the state ended; used only if {@code next} has none
     * @return whether the state or its reason has changed, which was reported
     */
    boolean applyExternal(ExternalOverrideSet next, String end) {
        backend.externalOverrides(next);
        HealthChange change = machine.applyExternal(next.decidingState(), end);
        publish(change, backend.health().lastCheck());
        return change != null;
    }

    /** Replaces the report of an agent. */
    void applyReport(Optional<AgentReport> report) {
        int before = backend.weightTenths();
        backend.agentReport(report);
        publish(machine.applyReport(report), backend.health().lastCheck());
        if (backend.weightTenths() != before) {
            refreshes.request(pool);
        }
    }

    /** Returns the state without overrides, and its causes. */
    CheckedState checkedState() {
        Duration left = ejection.remaining(control.clock().instant());
        return CheckedState.of(machine, hasCheck(), left, config, Optional.ofNullable(votes));
    }

    private void countFailures() {
        int count = failures.getAndSet(0);
        if (forgotten) {
            return;
        }
        if (!hasCheck()) {
            failedConnects.report(lastFailure);
        }
        if (!isChecked()) {
            return; // no check by this node could mark the backend up again
        }
        long answers = backend.stats().answers();
        if (answers != answersSeen) {
            answersSeen = answers;
            machine.onAnswer();
        }
        boolean wasDown = machine.isDown();
        publish(machine.onFailedRequests(count, lastFailure), backend.health().lastCheck());
        if (!wasDown && machine.isDown() && checks != null) {
            checks.onMarkedDown();
        }
    }

    /**
     * The shortest time after which a health check can change the state, counted from the last check. Events
     * other than checks can change it earlier.
     */
    private Duration minStableTime() {
        if (!hasCheck() || machine.isOverridden() || mayPause()) {
            return Backend.FOREVER;
        }
        if (!isChecked()) {
            return config.interval();
        }
        // Duration.multipliedBy is avoided because it uses a BigDecimal, and this code runs at every check.
        long further = config.fastInterval().toNanos() * (machine.checksUntilChange() - 1L);
        return untilNextCheck().plusNanos(further);
    }

    private void publish(@Nullable HealthChange change, HealthStatus.LastCheck lastCheck) {
        backend.minStableTime(minStableTime());
        if (readmission != null && !machine.isEjected()) {
            ejectionEnded();
        }
        if (votes != null) {
            votes.takeEvent()
                    .ifPresent(text -> control.timeline().add(HealthStatus.Origin.CLUSTER, backend.toString(), text));
        }
        if (change == null) {
            backend.health(backend.health().with(lastCheck));
            return;
        }
        backend.health(
                new HealthStatus(change.to(), control.clock().instant(), change.origin(), change.reason(), lastCheck));
        change.record(control, pool.name(), backend, LOG);
        if (change.to() == BackendState.EJECTED) {
            ejections.add(this);
        } else {
            ejections.remove(this);
        }
        if (change.changesUsability()) {
            slowStart.onUsabilityChanged(change.to().isUsable(), pool.config().slowStart());
            refreshes.request(pool);
        }
        if (!change.to().isUsable()) {
            ejections.review(); // also needed when an override ends: the override may have hidden an ejection
        }
    }
}
