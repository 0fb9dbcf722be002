package io.ballast.dns.secondary;

import io.ballast.core.ErrorText;
import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.control.ControlPlane;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.config.zone.SecondaryConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.control.TsigKeys;
import io.ballast.dns.secondary.transfer.PrimarySecurity;
import io.ballast.dns.zone.contents.Names;
import io.ballast.net.tls.SocketTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.TSIG;

/**
 * All secondary zones, including the members of catalog zones. Transferred zones are stored in files, and
 * {@link #prepare} adds them to a configuration, so a new version is activated like a changed zone file.
 *
 * <p>Thread safety: prepared by the thread that changes the served zones, one at a time; committed on the
 * control plane, which also runs timers and processes results; any thread may read states and deliver
 * notifications.
 */
public final class SecondaryZones implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SecondaryZones.class);

    /** Minimum interval between refreshes of a zone that are triggered by notifications. */
    static final Duration MIN_REFRESH_INTERVAL = Duration.ofSeconds(1);

    private static final int MAX_REPORTED = 3;

    private final SecondarySetup setup;
    private final ControlPlane control;
    private final WritePermit permit = new WritePermit();
    private final ActivationSchedule activations;
    private volatile Map<String, SecondaryZone> zones = Map.of();
    private volatile @Nullable PreparedZones activeZones;
    private volatile boolean isClosed;
    private boolean isStarted;

    /** The outcome of the handling of a NOTIFY message. */
    public enum Notified {
        TAKEN,
        /** The notification does not come from a primary of the zone. */
        REFUSED,
        /** The zone is not a secondary zone. */
        NOT_SECONDARY
    }

    public SecondaryZones(SecondarySetup setup) {
        this.setup = setup;
        this.control = setup.control();
        this.activations = new ActivationSchedule(control, setup.changes());
    }

    /**
     * Registers a task that runs when zones have changed, on the thread that changes the served zones. The task is
     * repeated if it throws an exception.
     */
    public void onChange(Runnable task) {
        activations.setActivation(task);
    }

    /**
     * Converts a configuration to one that can be served; reads the stored versions of new zones.
     *
     * @throws IOException if a key file or a TLS file cannot be used; the message names the file
     */
    public PreparedZones prepare(DnsConfig raw) throws IOException {
        return prepare(raw, TsigKeys.of(raw.control().keys(), control.clock()), activeZones);
    }

    /**
     * Like {@link #prepare}, but prepares the active configuration again when the versions of its zones have
     * changed. The active TSIG keys are kept; their files are not read again.
     */
    public PreparedZones prepareAgain(DnsConfig raw) throws IOException {
        PreparedZones active = activeZones;
        return active == null ? prepare(raw) : prepare(raw, active.keys(), active);
    }

    private PreparedZones prepare(DnsConfig raw, TsigKeys keys, @Nullable PreparedZones before) throws IOException {
        PrimaryTls tls = (before == null ? PrimaryTls.NONE : before.tls()).next(raw.zones());
        Draft draft = new Draft();
        raw.zones().forEach(zone -> draft.usedNames.add(zone.name()));
        for (ZoneConfig zone : raw.zones()) {
            if (zone.secondary().isEmpty()) {
                draft.servedConfigs.add(zone);
                continue;
            }
            SecondaryConfig secondary = zone.secondary().get();
            SecondaryZone each = zone(zone, secondary, Optional.empty(), /* label= */ "");
            draft.add(each, zone, List.of());
            if (secondary.catalog()) {
                addMembers(each, secondary, draft);
            } else {
                draft.serve(each, zone);
            }
        }
        DnsConfig served = draft.zones.isEmpty() ? raw : raw.withZones(draft.servedConfigs);
        Set<String> changed = changed(draft.contents, before == null ? Map.of() : before.contents());
        return new PreparedZones(
                served, raw, keys, tls, draft.zones, draft.settings, draft.omittedMembers, draft.contents, changed);
    }

    @SuppressWarnings("ReferenceEquality") // each transferred version is a separate object
    private static Set<String> changed(Map<String, ZoneVersion> now, Map<String, ZoneVersion> before) {
        Set<String> changed = new HashSet<>();
        now.forEach((zone, contents) -> {
            if (before.get(zone) != contents) {
                changed.add(zone);
            }
        });
        before.keySet().stream().filter(zone -> !now.containsKey(zone)).forEach(changed::add);
        return changed;
    }

    /** The prepared zones of a configuration. */
    private static final class Draft {
        private final Map<String, SecondaryZone> zones = new LinkedHashMap<>();
        private final Map<String, ZoneSettings> settings = new HashMap<>();
        private final Map<String, List<String>> omittedMembers = new LinkedHashMap<>();
        private final Map<String, ZoneVersion> contents = new HashMap<>();
        private final List<ZoneConfig> servedConfigs = new ArrayList<>();
        private final Set<String> usedNames = new HashSet<>();

        void add(SecondaryZone zone, ZoneConfig config, List<String> groups) {
            zones.put(config.name(), zone);
            settings.put(config.name(), new ZoneSettings(config, groups));
        }

        void serve(SecondaryZone zone, ZoneConfig config) {
            ZoneVersion known = zone.unexpiredContents();
            if (known != null) {
                contents.put(config.name(), known);
            }
            servedConfigs.add(config.withFile(Optional.ofNullable(known).map(ZoneVersion::file)));
        }
    }

    private void addMembers(SecondaryZone catalog, SecondaryConfig secondary, Draft draft) {
        ZoneVersion contents = catalog.contents();
        if (contents == null) {
            return;
        }
        for (MemberZone member : contents.members()) {
            if (!draft.usedNames.add(member.zone())) {
                draft.omittedMembers
                        .computeIfAbsent(catalog.name(), name -> new ArrayList<>())
                        .add(member.zone());
                continue;
            }
            SecondaryConfig primaries = secondary.forMember();
            MemberGroup group = secondary.findGroup(member.groups());
            ZoneConfig zone = ZoneConfig.secondary(member.zone(), primaries, group.dnssec(), group.transfer());
            SecondaryZone each = zone(zone, primaries, Optional.of(catalog.name()), member.label());
            draft.add(each, zone, member.groups());
            draft.serve(each, zone);
        }
    }

    private SecondaryZone zone(ZoneConfig config, SecondaryConfig secondary, Optional<String> catalog, String label) {
        SecondaryZone known = zones.get(config.name());
        return known != null
                        && known.hasOrigin(catalog, label)
                        && known.secondary().catalog() == secondary.catalog()
                ? known
                : SecondaryZone.load(
                        config,
                        secondary,
                        catalog,
                        label,
                        known != null ? known.store() : new ZoneStore(setup.directory(), config.name(), permit),
                        control.clock().instant());
    }

    /** Activates prepared zones. Called by the control plane, or before this object is started. */
    @SuppressWarnings("ReferenceEquality") // unchanged zones are the same objects
    public void commit(PreparedZones next) {
        Map<String, SecondaryZone> before = zones;
        activeZones = next;
        zones = next.zones();
        before.values().stream().filter(zone -> zones.get(zone.name()) != zone).forEach(this::drop);
        next.settings().forEach((name, settings) -> {
            SecondaryZone zone = next.zones().get(name);
            if (zone != null) {
                zone.configure(settings);
            }
        });
        zones.values().stream()
                .filter(zone -> before.get(zone.name()) != zone && isStarted)
                .forEach(zone -> scheduleNextRefresh(zone, /* isFirst= */ true));
        zones.values().stream().filter(zone -> zone.secondary().catalog()).forEach(zone -> {
            List<String> names = next.omittedMembers().getOrDefault(zone.name(), List.of());
            reportOmitted(zone, names);
        });
    }

    private void reportOmitted(SecondaryZone catalog, List<String> names) {
        String text = names.isEmpty()
                ? ""
                : names.size() + " members whose names belong to other zones: "
                        + String.join(", ", names.subList(0, Math.min(MAX_REPORTED, names.size())));
        if (!text.equals(catalog.omittedMembers())) {
            catalog.setOmittedMembers(text);
            if (!text.isEmpty()) {
                LOG.warn("zone={} msg=\"members of the catalog are not served\" reason=\"{}\"", catalog.name(), text);
                addToTimeline(catalog, "does not serve " + text);
            }
        }
    }

    private void drop(SecondaryZone zone) {
        zone.isDropped = true;
        cancel(zone);
        // The files of a removed member are deleted; the files of a configured zone may be needed again.
        if (zone.catalog().isPresent()) {
            setup.transfers().execute(() -> {
                synchronized (zone.store()) {
                    if (!zones.containsKey(zone.name())) {
                        zone.store().delete();
                    }
                }
            });
        }
    }

    private static void cancel(SecondaryZone zone) {
        if (zone.nextRefresh != null) {
            zone.nextRefresh.cancel();
            zone.nextRefresh = null;
        }
    }

    /** Starts the refreshes. */
    public void begin() {
        permit.grant();
        control.execute(() -> {
            isStarted = true;
            zones.values().forEach(zone -> scheduleNextRefresh(zone, /* isFirst= */ true));
        });
    }

    /**
     * Stops refreshes. After this method returns, nothing is written, even by a running transfer, because another
     * process takes over the files.
     */
    public void pause() {
        permit.withdraw();
        control.execute(() -> {
            isStarted = false;
            zones.values().forEach(SecondaryZones::cancel);
        });
    }

    private void scheduleNextRefresh(SecondaryZone zone, boolean isFirst) {
        Duration until = zone.planNextRefresh(control.clock().instant(), isFirst, setup.random());
        scheduleRefresh(zone, until);
    }

    private void scheduleRefresh(SecondaryZone zone, Duration until) {
        cancel(zone);
        if (isStarted && !isClosed && !zone.isDropped) {
            zone.nextRefresh = control.scheduleTask(() -> onRefreshDue(zone), until);
        }
    }

    private void onRefreshDue(SecondaryZone zone) {
        expireIfDue(zone);
        startRefresh(zone);
    }

    private void expireIfDue(SecondaryZone zone) {
        if (zone.expires(control.clock().instant())) {
            String problem = zone.state().problem();
            LOG.error(
                    "zone={} msg=\"the zone has expired and is no longer served\" reason=\"{}\"", zone.name(), problem);
            addToTimeline(zone, "has expired and is no longer served" + (problem.isEmpty() ? "" : ": " + problem));
            activations.request();
        }
    }

    private void startRefresh(SecondaryZone zone) {
        PreparedZones active = activeZones;
        if (zone.isRefreshing || zone.isDropped || !isStarted || active == null) {
            return;
        }
        zone.isRefreshing = true;
        zone.isRefreshRequested = false;
        zone.lastAttemptTime = control.clock().instant();
        ZoneVersion known = zone.unexpiredContents();
        setup.transfers().execute(() -> {
            Refresh.Outcome outcome;
            Instant at = control.clock().instant();
            try {
                outcome = refresh(zone, active, known);
                if (outcome.isSuccess()) {
                    confirm(zone, at);
                }
            } catch (RuntimeException | Error e) {
                control.execute(() -> completeRefresh(
                        zone, Refresh.Outcome.failed(zone.secondary().from().get(0), ErrorText.of(e)), at));
                throw e;
            }
            control.execute(() -> completeRefresh(zone, outcome, at));
        });
    }

    private static Refresh.Outcome refresh(SecondaryZone zone, PreparedZones active, @Nullable ZoneVersion known) {
        SecondaryConfig secondary = zone.secondary();
        Optional<TSIG> key = secondary.key().flatMap(name -> active.keys().find(Names.absolute(name)));
        if (secondary.key().isPresent() && key.isEmpty()) {
            return Refresh.Outcome.failed(
                    secondary.from().get(0),
                    "unknown TSIG key: " + secondary.key().get());
        }
        Optional<SocketTls> tls = secondary.tls().flatMap(active.tls()::find);
        if (secondary.tls().isPresent() && tls.isEmpty()) {
            return Refresh.Outcome.failed(
                    secondary.from().get(0), "its TLS settings are not active yet"); // plain TCP is never used instead
        }
        PrimarySecurity security = new PrimarySecurity(key.orElse(null), tls.orElse(null));
        synchronized (zone.store()) {
            return new Refresh(zone.config(), secondary, security, active.sourceConfig(), zone.store(), known).run();
        }
    }

    private static void confirm(SecondaryZone zone, Instant at) {
        try {
            zone.store().confirm(new ZoneStore.Success(at, zone.label()));
        } catch (IOException e) {
            LOG.error(
                    "zone={} msg=\"cannot save the time of the last refresh; after a restart the zone appears older than it is\""
                            + " reason=\"{}\"",
                    zone.name(),
                    ErrorText.of(e));
        }
    }

    private void completeRefresh(SecondaryZone zone, Refresh.Outcome outcome, Instant at) {
        zone.isRefreshing = false;
        if (zone.isDropped || isClosed) {
            return;
        }
        if (outcome.isSuccess()) {
            onRefreshSuccess(zone, outcome, at);
        } else {
            if (zone.recordFailure(outcome)) {
                LOG.warn(
                        "zone={} msg=\"cannot refresh the zone from any primary\" reason=\"{}\"",
                        zone.name(),
                        outcome.problem());
            }
            expireIfDue(zone);
        }
        if (zone.isRefreshRequested) {
            scheduleImmediateRefresh(zone);
        } else {
            scheduleNextRefresh(zone, /* isFirst= */ false);
        }
    }

    private void onRefreshSuccess(SecondaryZone zone, Refresh.Outcome outcome, Instant at) {
        boolean hadExpired = zone.isExpired();
        boolean isChanged = zone.recordSuccess(outcome, at);
        ZoneVersion newer = outcome.contents();
        if (newer != null) {
            LOG.info(
                    "zone={} serial={} from={} as={} msg=\"a new version of the zone was transferred\"",
                    zone.name(),
                    newer.serial(),
                    outcome.primary(),
                    outcome.isIncremental() ? "differences" : "whole");
        }
        if (hadExpired) {
            LOG.info("zone={} from={} msg=\"the zone is served again\"", zone.name(), outcome.primary());
            addToTimeline(zone, "is served again, from " + outcome.primary());
        }
        if (isChanged) {
            activations.request();
        }
    }

    /**
     * Refreshes a zone because a primary announced another version (<a
     * href="https://datatracker.ietf.org/doc/html/rfc1996">RFC 1996</a>). Returns immediately; notifications are
     * coalesced.
     *
     * @param zone name of the zone, without the final dot; case does not matter
     * @param key the name of the key that signed the notification
     */
    public Notified handleNotify(String zone, InetAddress from, Optional<String> key) {
        SecondaryZone known = zones.get(zone.toLowerCase(Locale.ROOT));
        if (known == null) {
            return Notified.NOT_SECONDARY;
        }
        SecondaryConfig secondary = known.secondary();
        boolean isKnownKey = key.isPresent() && key.equals(secondary.key());
        if (!isKnownKey && !isPrimary(secondary, from)) {
            return Notified.REFUSED;
        }
        refresh(known);
        return Notified.TAKEN;
    }

    private static boolean isPrimary(SecondaryConfig secondary, InetAddress from) {
        return secondary.from().stream().anyMatch(primary -> {
            try {
                // The host is a literal address, so no DNS lookup occurs.
                return InetAddress.getByName(primary.host()).equals(from);
            } catch (UnknownHostException e) {
                return false;
            }
        });
    }

    /** Schedules a refresh of a zone; returns whether the zone exists. */
    public boolean refresh(String zone) {
        SecondaryZone known = zones.get(zone);
        if (known != null) {
            refresh(known);
        }
        return known != null;
    }

    private void refresh(SecondaryZone zone) {
        if (zone.isRequestQueued.compareAndSet(/* expectedValue= */ false, /* newValue= */ true)) {
            control.execute(() -> {
                zone.isRequestQueued.set(false);
                zone.isRefreshRequested = true;
                if (!zone.isRefreshing) {
                    scheduleImmediateRefresh(zone);
                }
            });
        }
    }

    private void scheduleImmediateRefresh(SecondaryZone zone) {
        Instant last = zone.lastAttemptTime;
        Duration since = last == null
                ? MIN_REFRESH_INTERVAL
                : Duration.between(last, control.clock().instant());
        Duration left = MIN_REFRESH_INTERVAL.minus(since);
        scheduleRefresh(zone, left.isNegative() ? Duration.ZERO : left);
    }

    private void addToTimeline(SecondaryZone zone, String text) {
        control.timeline().add(Origin.FILE, "zone " + zone.name(), text);
    }

    /** Returns the states of the secondary zones. */
    public List<SecondaryState> states() {
        return zones.values().stream().map(SecondaryZone::state).toList();
    }

    /** Stops the refreshes. Returns immediately. */
    @Override
    public void close() {
        isClosed = true;
        activations.close();
        permit.withdraw();
        control.execute(() -> zones.values().forEach(SecondaryZones::cancel));
    }
}
