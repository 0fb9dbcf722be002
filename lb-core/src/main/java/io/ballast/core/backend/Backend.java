package io.ballast.core.backend;

import io.ballast.core.config.Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One address of a pool, with its counters, its load and its health.
 *
 * <p>A backend object exists as long as its pool name and address stay in the configuration, so it keeps its
 * statistics across reloads and health changes.
 *
 * <p>Thread safety: identity is immutable; {@link #stats} has one writer per event loop; {@link #inFlight},
 * {@link #responseTime}, {@link #requestErrors} and {@link #failureRun} may be written by every event loop;
 * {@link #health}, {@link #downtime}, {@link #stateOverride}, {@link #weightOverride}, {@link #externalOverrides},
 * {@link #agentReport},
 * {@link #checkTime}, {@link #minStableTime}, {@link #slowStartTenths}, {@link #isSecured} and {@link #socketAddress}
 * are written by the control plane only and read by any thread.
 */
public final class Backend {

    /** An infinite duration. */
    public static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** The value of {@link #slowStartTenths} when the backend is not in slow start. */
    public static final int ALL_TENTHS = 10;

    private final int id;
    private final String pool;
    private final Address address;
    private final byte[] addressBytes;
    private final byte[] authorityBytes;
    private volatile SocketAddress socketAddress;
    private final BackendStats stats;
    private final InFlight inFlight;
    private final ResponseTime responseTime;
    private final RequestErrors requestErrors = new RequestErrors();
    private final FailureRun failureRun = new FailureRun();
    private final CheckTime checkTime = new CheckTime();
    private volatile HealthStatus health;
    private volatile Downtime downtime;
    private volatile Duration minStableTime = FOREVER;
    private volatile long ejections;
    private volatile int slowStartTenths = ALL_TENTHS;
    private volatile boolean secured;
    private volatile boolean removed;
    private volatile Optional<StateOverride> stateOverride = Optional.empty();
    private volatile Optional<WeightOverride> weightOverride = Optional.empty();
    private volatile ExternalOverrideSet externalOverrides = ExternalOverrideSet.EMPTY;
    private volatile Optional<AgentReport> agentReport = Optional.empty();

    /** Creates a backend with its own load counters. All backends of a topology share one {@link LoadCells}. */
    public Backend(
            int id,
            String pool,
            Address address,
            SocketAddress socketAddress,
            int maxInFlight,
            int shards,
            HealthStatus health) {
        this(id, pool, address, socketAddress, maxInFlight, shards, health, new LoadCells(/* backends= */ 1));
    }

    /**
     * @param id a small number unique in this process, used as an index into the per-backend tables of event loops
     * @param pool name of the backend's pool
     * @param address the address in the notation of the configuration
     * @param socketAddress the address to connect to: a Unix socket, or an address and port; unresolved while the
     *     name has no address
     * @param maxInFlight maximum number of concurrent exchanges; 0 for no limit
     * @param shards number of event loops that count the requests of this backend
     * @param health the initial health
     * @param load load counters for strategies, shared with other backends
     */
    public Backend(
            int id,
            String pool,
            Address address,
            SocketAddress socketAddress,
            int maxInFlight,
            int shards,
            HealthStatus health,
            LoadCells load) {
        this.id = id;
        this.pool = pool;
        this.address = address;
        this.addressBytes = address.toString().getBytes(StandardCharsets.US_ASCII);
        this.authorityBytes = address.authority().getBytes(StandardCharsets.US_ASCII);
        this.socketAddress = socketAddress;
        this.stats = new BackendStats(shards);
        int cell = load.allocateCells();
        this.inFlight = new InFlight(maxInFlight, load.cells, cell + LoadCells.IN_FLIGHT);
        this.responseTime = new ResponseTime(load.cells, cell + LoadCells.RESPONSE_TIME);
        this.health = health;
        this.downtime = Downtime.NONE.withStatus(health);
    }

    public int id() {
        return id;
    }

    public String pool() {
        return pool;
    }

    public Address address() {
        return address;
    }

    /** {@link #address} as ASCII, for logs and headers. Must not be modified. */
    public byte[] addressBytes() {
        return addressBytes;
    }

    /** Returns the backend's own {@code Host} value in ASCII. Callers must not modify it. */
    public byte[] authorityBytes() {
        return authorityBytes;
    }

    public SocketAddress socketAddress() {
        return socketAddress;
    }

    /** Sets a new address after the name was resolved again. Called by the control plane only. */
    public void socketAddress(SocketAddress other) {
        socketAddress = other;
    }

    /** Returns whether the backend has an address to connect to; false while its name is not resolved. */
    public boolean isResolved() {
        return !(socketAddress instanceof InetSocketAddress inet && inet.isUnresolved());
    }

    /**
     * Returns whether connections use TLS, according to the pool's last configuration. The value stays unchanged
     * after the pool is removed.
     */
    public boolean isSecured() {
        return secured;
    }

    /**
     * Sets whether connections use TLS. Called only by the code that creates the backend and by the control
     * plane.
     */
    public void secured(boolean on) {
        secured = on;
    }

    /**
     * Returns whether the backend was removed from the configuration; requests already assigned to it are still
     * served.
     */
    public boolean isRemoved() {
        return removed;
    }

    /** Marks the backend as removed from the configuration. Called by the control plane only. */
    public void markRemoved() {
        removed = true;
    }

    /** Returns the IP address without the port; null for a Unix socket or an unresolved host name. */
    public @Nullable InetAddress inetAddress() {
        SocketAddress now = socketAddress;
        return now instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    public BackendStats stats() {
        return stats;
    }

    public InFlight inFlight() {
        return inFlight;
    }

    public ResponseTime responseTime() {
        return responseTime;
    }

    public RequestErrors requestErrors() {
        return requestErrors;
    }

    /** Counts consecutive failed requests; only failures that the request itself may have caused are counted. */
    public FailureRun failureRun() {
        return failureRun;
    }

    public CheckTime checkTime() {
        return checkTime;
    }

    public HealthStatus health() {
        return health;
    }

    /** Publishes a new status. Called by the control plane only, which then recompiles the pool's picker. */
    public void health(HealthStatus status) {
        downtime = downtime.withStatus(status);
        health = status;
    }

    /** Returns the number and the total duration of the backend's outages. */
    public Downtime downtime() {
        return downtime;
    }

    /** Returns the operator's override of the state, if any. */
    public Optional<StateOverride> stateOverride() {
        return stateOverride;
    }

    /**
     * Sets or removes the override. Called by the control plane only, which then publishes the resulting status.
     */
    public void stateOverride(Optional<StateOverride> next) {
        stateOverride = next;
    }

    /** Returns the operator's override of the weight, if any. */
    public Optional<WeightOverride> weightOverride() {
        return weightOverride;
    }

    /**
     * Sets or removes the weight override. Called by the control plane only, which then recompiles the pool's
     * picker.
     */
    public void weightOverride(Optional<WeightOverride> next) {
        weightOverride = next;
    }

    /** Returns the overrides of external sources. */
    public ExternalOverrideSet externalOverrides() {
        return externalOverrides;
    }

    /**
     * Replaces the overrides of external sources. Called by the control plane only, which then publishes the
     * resulting status and recompiles the pool's picker.
     */
    public void externalOverrides(ExternalOverrideSet next) {
        externalOverrides = next;
    }

    /** Returns the last report of an agent; empty if no agent reports this backend. */
    public Optional<AgentReport> agentReport() {
        return agentReport;
    }

    /**
     * Replaces the report of an agent. Called by the control plane only, which then publishes the resulting status and
     * recompiles the pool's picker.
     */
    public void agentReport(Optional<AgentReport> next) {
        agentReport = next;
    }

    /**
     * The fraction of the weight in use, in tenths: less than {@value #ALL_TENTHS} during slow start, and while an
     * agent reports a high load. At least 1.
     */
    public int weightTenths() {
        int slowStart = slowStartTenths;
        int reported = agentReport.map(AgentReport::weightTenths).orElse(ALL_TENTHS);
        return Math.max(1, slowStart * reported / ALL_TENTHS);
    }

    /** Returns whether an operator or an external source overrides the state, so that checks do not decide it. */
    public boolean isStateOverridden() {
        return stateOverride.isPresent() || externalOverrides.decidingState().isPresent();
    }

    /**
     * Returns the weight that an operator has set, otherwise the weight that external sources have set; empty without
     * an override.
     */
    public OptionalInt overriddenWeight() {
        Optional<WeightOverride> order = weightOverride;
        if (order.isPresent()) {
            return OptionalInt.of(order.get().weight());
        }
        return externalOverrides.decidingWeight().map(ExternalOverride::weight).orElse(OptionalInt.empty());
    }

    /**
     * The minimum time from the last check until checks can change the state; {@link #FOREVER} if checks cannot
     * change it. This is an estimate that ignores the jitter of the checks. Failed requests and operators may
     * change the state earlier.
     */
    public Duration minStableTime() {
        return minStableTime;
    }

    /** Sets the value of {@link #minStableTime()}. Called by the control plane only. */
    public void minStableTime(Duration time) {
        minStableTime = time;
    }

    /** The fraction of the weight that is in use, in tenths; less than {@value #ALL_TENTHS} during slow start. */
    public int slowStartTenths() {
        return slowStartTenths;
    }

    /**
     * Sets the fraction of the weight that applies during slow start, in tenths. Only the control plane calls this
     * method. If the backend is already in a pool, the control plane then recompiles the pool's picker.
     */
    public void slowStartTenths(int tenths) {
        slowStartTenths = tenths;
    }

    /** Number of ejections since the backend was created. */
    public long ejections() {
        return ejections;
    }

    /** Counts an ejection. Called by the control plane only. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the control plane writes it
    public void countEjection() {
        ejections++;
    }

    /** Prints {@code pool/host:port}, or {@code pool/unix:/path}. */
    @Override
    public String toString() {
        return pool + "/" + address;
    }
}
