package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ScheduledTask;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.SOARecord;

/**
 * A secondary zone: its current version, its age, and its refresh timer.
 *
 * <p>Thread safety: any thread may load it; afterwards, it is confined to the control plane. Any thread may
 * read its state.
 */
final class SecondaryZone {

    private static final Logger LOG = LoggerFactory.getLogger(SecondaryZone.class);

    /**
     * The minimum fraction of an interval that a zone waits. The rest of the interval is random jitter, so that
     * zones with the same timers do not refresh at the same time.
     */
    private static final double MIN_INTERVAL_FRACTION = 0.9;

    /**
     * Maximum time after the start until an existing version is checked, because notifications may have been
     * missed.
     */
    private static final Duration MAX_WAIT_AT_START = Duration.ofSeconds(5);

    private final String name;
    private final Optional<String> catalog;
    private final String label;
    private final ZoneStore store;
    private volatile ZoneConfig config;
    private volatile SecondaryConfig secondary;
    private volatile List<String> groups = List.of();
    private volatile @Nullable ZoneVersion contents;
    private volatile boolean isExpired;
    private volatile SecondaryState state;

    private @Nullable Instant lastRefreshTime;
    private @Nullable Instant nextRefreshTime;
    private HostPort primary;
    private long transfers;
    private long incremental;
    private int failures;
    private String problem = "";
    private String omittedMembers = "";

    /** The task of the next refresh. */
    @Nullable ScheduledTask nextRefresh;

    @Nullable Instant lastAttemptTime;

    boolean isRefreshing;
    /** Whether another refresh starts when the running refresh has ended. */
    boolean isRefreshRequested;

    volatile boolean isDropped;
    /** Whether a notification is waiting to be processed. */
    final AtomicBoolean isRequestQueued = new AtomicBoolean();

    private SecondaryZone(
            ZoneConfig config, SecondaryConfig secondary, Optional<String> catalog, String label, ZoneStore store) {
        this.name = config.name();
        this.config = config;
        this.secondary = secondary;
        this.catalog = catalog;
        this.label = label;
        this.store = store;
        this.primary = secondary.from().get(0);
        this.state = describe();
    }

    /**
     * Opens a zone with its stored version. Reads files.
     *
     * @param catalog the catalog zone that contains the zone
     * @param label label of the zone in the catalog; empty without a catalog
     * @param store the files of the zone, shared by zones of the same name
     */
    static SecondaryZone load(
            ZoneConfig config,
            SecondaryConfig secondary,
            Optional<String> catalog,
            String label,
            ZoneStore store,
            Instant now) {
        SecondaryZone zone = new SecondaryZone(config, secondary, catalog, label, store);
        try {
            zone.load(now);
        } catch (IOException e) {
            LOG.warn(
                    "zone={} msg=\"cannot use the saved version of the zone; it is transferred again\" reason=\"{}\"",
                    config.name(),
                    ErrorText.of(e));
        }
        zone.state = zone.describe();
        return zone;
    }

    private void load(Instant now) throws IOException {
        Optional<SOARecord> soa = store.soa();
        if (soa.isEmpty()) {
            return;
        }
        ZoneStore.Success success = store.success();
        if (!success.label().equals(label)) {
            return; // the stored version belongs to another zone of the same name
        }
        ZoneVersion kept = new ZoneVersion(
                soa.get(),
                store.file(),
                secondary.catalog()
                        ? Refresh.members(store.file(), soa.get().getName(), secondary.maxMembers())
                        : List.of());
        contents = kept;
        lastRefreshTime = success.at().isAfter(now) ? now : success.at();
        isExpired = !now.isBefore(expires(kept));
    }

    String name() {
        return name;
    }

    ZoneConfig config() {
        return config;
    }

    SecondaryConfig secondary() {
        return secondary;
    }

    ZoneStore store() {
        return store;
    }

    Optional<String> catalog() {
        return catalog;
    }

    String label() {
        return label;
    }

    @Nullable ZoneVersion contents() {
        return contents;
    }

    /**
     * Returns the version that is served and compared with primaries; null if there is no version, or if the zone has
     * expired.
     */
    @Nullable ZoneVersion unexpiredContents() {
        return isExpired ? null : contents;
    }

    SecondaryState state() {
        return state;
    }

    boolean hasOrigin(Optional<String> inCatalog, String underLabel) {
        return catalog.equals(inCatalog) && label.equals(underLabel);
    }

    void configure(ZoneSettings settings) {
        if (settings.config().equals(config) && settings.groups().equals(groups)) {
            return;
        }
        config = settings.config();
        secondary = settings.secondary();
        groups = settings.groups();
        state = describe();
    }

    /** Records the omitted members of a catalog zone. */
    void setOmittedMembers(String what) {
        omittedMembers = what;
        state = describe();
    }

    String omittedMembers() {
        return omittedMembers;
    }

    private Instant expires(ZoneVersion of) {
        Instant since = lastRefreshTime;
        return (since == null ? Instant.EPOCH : since)
                .plus(SoaTimers.of(of.soa()).expire());
    }

    /** Records a success; returns whether the served state has changed. */
    boolean recordSuccess(Refresh.Outcome outcome, Instant at) {
        boolean isChanged = isExpired;
        primary = outcome.primary();
        failures = 0;
        problem = "";
        lastRefreshTime = at;
        isExpired = false;
        ZoneVersion newer = outcome.contents();
        if (newer != null) {
            contents = newer;
            transfers++;
            incremental += outcome.isIncremental() ? 1 : 0;
            isChanged = true;
        }
        state = describe();
        return isChanged;
    }

    /** Records a failure; returns whether the reason has changed. */
    boolean recordFailure(Refresh.Outcome outcome) {
        boolean isNew = !outcome.problem().equals(problem);
        primary = outcome.primary();
        problem = outcome.problem();
        failures++;
        state = describe();
        return isNew;
    }

    boolean isExpired() {
        return isExpired;
    }

    /** Expires the zone if its expiration time has passed; returns whether the zone has just expired. */
    boolean expires(Instant now) {
        ZoneVersion kept = contents;
        if (kept == null || isExpired || now.isBefore(expires(kept))) {
            return false;
        }
        isExpired = true;
        state = describe();
        return true;
    }

    /**
     * Plans the next refresh. Returns the time until this refresh, or until the zone expires if that is earlier.
     */
    Duration planNextRefresh(Instant now, boolean isFirst, RandomGenerator random) {
        Duration until = randomDelay(isFirst, random);
        ZoneVersion kept = contents;
        if (kept != null && !isExpired) {
            Duration left = Duration.between(now, expires(kept));
            until = left.compareTo(until) < 0 ? left : until;
        }
        until = until.isNegative() ? Duration.ZERO : until;
        nextRefreshTime = now.plus(until);
        state = describe();
        return until;
    }

    private Duration randomDelay(boolean isFirst, RandomGenerator random) {
        ZoneVersion kept = contents;
        if (isFirst) {
            return kept == null ? Duration.ZERO : multiply(MAX_WAIT_AT_START, random.nextDouble());
        }
        if (kept == null) {
            return multiply(SoaTimers.firstTransferDelay(failures), jitter(random));
        }
        SoaTimers timers = SoaTimers.of(kept.soa());
        return multiply(failures == 0 ? timers.refresh() : timers.retry(), jitter(random));
    }

    private static double jitter(RandomGenerator random) {
        return MIN_INTERVAL_FRACTION + (1 - MIN_INTERVAL_FRACTION) * random.nextDouble();
    }

    private static Duration multiply(Duration of, double share) {
        return Duration.ofMillis((long) (of.toMillis() * share));
    }

    private SecondaryState describe() {
        ZoneVersion kept = contents;
        SecondaryState.Status status = isExpired
                ? SecondaryState.Status.EXPIRED
                : kept == null ? SecondaryState.Status.WAITING : SecondaryState.Status.SERVED;
        return new SecondaryState(
                name,
                catalog,
                groups,
                secondary.catalog(),
                status,
                kept == null ? OptionalLong.empty() : OptionalLong.of(kept.serial()),
                primary.toString(),
                Optional.ofNullable(lastRefreshTime),
                Optional.ofNullable(nextRefreshTime),
                kept == null ? Optional.empty() : Optional.of(expires(kept)),
                transfers,
                incremental,
                failures,
                kept == null ? 0 : kept.members().size(),
                problem.isEmpty() ? omittedMembers : problem);
    }
}
