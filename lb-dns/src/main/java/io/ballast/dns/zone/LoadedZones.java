package io.ballast.dns.zone;

import io.ballast.core.ErrorText;
import io.ballast.core.FileState;
import io.ballast.core.pool.Topology;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.TransferContents;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.service.UnbalancedService;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.source.ZoneProblem;
import io.ballast.dns.zone.source.ZoneSource;
import io.ballast.dns.zone.tree.NameTree;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, read and checked. A start reuses the result of a preceding check, so each
 * file is read once and the served zones are the checked ones. Unchanged zones of the active configuration
 * are not read again.
 *
 * <p>Thread safety: confined to one thread at a time.
 */
final class LoadedZones {

    private static final Logger LOG = LoggerFactory.getLogger(LoadedZones.class);

    /**
     * The zones that the last check read, kept so that loading the same configuration need not read them again.
     * The reference is soft, because a checked configuration is not always loaded.
     */
    private static final AtomicReference<@Nullable SoftReference<LoadedZones>> CHECKED = new AtomicReference<>();

    /** The active zones. */
    private static final AtomicReference<@Nullable WeakReference<LoadedZones>> ACTIVE = new AtomicReference<>();

    private final DnsConfig config;
    /** The zones that were active when these zones were read; null after these zones have been activated. */
    private @Nullable LoadedZones predecessor;

    private final NameTree tree;
    private final List<ZoneSource> sources = new ArrayList<>();
    private final List<NamedService> services = new ArrayList<>();
    private ZoneFindings findings = ZoneFindings.NONE;

    /** @param before the active zones; null for none */
    private LoadedZones(DnsConfig config, @Nullable LoadedZones before) {
        this.config = config;
        this.predecessor = before;
        this.tree = before == null ? new NameTree() : before.tree.successor();
    }

    /**
     * A service with its names.
     *
     * @param names the names of the service, its main name first
     * @param apex the name of the service's zone
     */
    record NamedService(ServiceConfig config, List<ServedName> names, Name apex) {

        Name name() {
            return names.get(0).name();
        }
    }

    /**
     * Reads the zones of a configuration and reports their problems.
     *
     * @param files map to which the state of each file is added just before the file is read
     */
    static ZoneFindings check(DnsConfig config, Map<Path, FileState> files) {
        WeakReference<LoadedZones> reference = ACTIVE.get();
        LoadedZones active = reference == null ? null : reference.get();
        LoadedZones read = read(config, HeapBudget.ofProcess(), active);
        read.sources.forEach(source -> source.addFilesTo(files));
        if (active != null && read.hasSameZones(active)) {
            CHECKED.set(null);
            return active.findings;
        }
        CHECKED.set(read.findings.errors().isEmpty() ? new SoftReference<>(read) : null);
        return read.findings;
    }

    /** Marks these zones as the active ones. */
    void markActive() {
        predecessor = null;
        ACTIVE.set(new WeakReference<>(this));
    }

    /**
     * Whether the zones have the same configuration as {@code others}, and none of their files has been read
     * again.
     */
    private boolean hasSameZones(LoadedZones others) {
        return config.zones().equals(others.config.zones()) && sources.equals(others.sources);
    }

    /**
     * Whether a configuration has the same zones, and their files are unchanged. Returns false without a
     * check of the files if the zones that replace these zones have already been loaded for {@code other}.
     */
    @SuppressWarnings("ReferenceEquality") // compares identity: an equal configuration may be outdated
    boolean isCurrentFor(DnsConfig other) {
        SoftReference<LoadedZones> reference = CHECKED.get();
        LoadedZones waiting = reference == null ? null : reference.get();
        if (waiting != null && waiting.config == other && waiting.predecessor == this) {
            return false;
        }
        return other.zones().equals(config.zones()) && sources.stream().allMatch(ZoneSource::isUnchanged);
    }

    /**
     * Returns the zones of a configuration. Each returned object can be used for only one {@link CompiledZones}.
     *
     * @throws InvalidZoneException if the zones cannot be served
     */
    static LoadedZones load(DnsConfig config) {
        return load(config, /* before= */ null);
    }

    /**
     * Like {@link #load(DnsConfig)}, for zones that replace the active ones.
     *
     * @param before the active zones; null for none
     */
    @SuppressWarnings("ReferenceEquality") // compares identity: the zones of an equal configuration may be outdated
    static LoadedZones load(DnsConfig config, @Nullable LoadedZones before) {
        SoftReference<LoadedZones> reference = CHECKED.getAndSet(null);
        LoadedZones waiting = reference == null ? null : reference.get();
        if (waiting != null && waiting.config == config && waiting.predecessor == before) {
            return waiting;
        }
        return requireServable(read(config, HeapBudget.ofProcess(), before, waiting, /* changed= */ null));
    }

    /**
     * Like {@link #load(DnsConfig, LoadedZones)}, but checks only the files of the changed zones. Edits that
     * operators make to other files take effect only at the next reload.
     *
     * @param changed the changed zones
     */
    static LoadedZones loadChanged(DnsConfig config, LoadedZones before, ManagedZoneChanges changed) {
        return requireServable(read(config, HeapBudget.ofProcess(), before, /* checked= */ null, changed));
    }

    private static LoadedZones requireServable(LoadedZones read) {
        if (!read.findings.errors().isEmpty()) {
            throw new InvalidZoneException(read.findings.errors());
        }
        return read;
    }

    /** @param budget memory limit of the zones */
    static LoadedZones read(DnsConfig config, HeapBudget budget) {
        return read(config, budget, /* before= */ null);
    }

    private static LoadedZones read(DnsConfig config, HeapBudget budget, @Nullable LoadedZones before) {
        return read(config, budget, before, /* checked= */ null, /* changed= */ null);
    }

    /**
     * @param checked zones that a preceding check has read, possibly from another configuration; null if there are none
     * @param changed the zones whose files may have changed; null for all zones
     */
    private static LoadedZones read(
            DnsConfig config,
            HeapBudget budget,
            @Nullable LoadedZones before,
            @Nullable LoadedZones checked,
            @Nullable ManagedZoneChanges changed) {
        LoadedZones zones = new LoadedZones(config, before);
        try {
            zones.read(budget, checked, changed);
        } catch (OutOfMemoryError e) {
            zones.fail(budget.problem());
        }
        return zones;
    }

    private void read(HeapBudget budget, @Nullable LoadedZones checked, @Nullable ManagedZoneChanges changed) {
        Map<String, ZoneSource> readBefore = new HashMap<>();
        if (checked != null) {
            checked.sources.stream()
                    .filter(source -> !source.isMissing() && source.isUnchanged())
                    .forEach(source -> readBefore.put(source.name(), source));
        }
        if (predecessor != null) {
            predecessor.sources.forEach(source -> readBefore.putIfAbsent(source.name(), source));
        }
        List<ZoneProblem> errors = new ArrayList<>();
        List<ZoneProblem> warnings = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            ZoneSource known = readBefore.get(zone.name());
            boolean stays = changed != null && !changed.files().contains(zone.name());
            ZoneContents given = changed == null ? null : changed.contents().get(zone.name());
            ZoneSource source = known != null && given != null
                    ? known.withContents(zone, given, budget)
                    : Optional.ofNullable(known)
                            .flatMap(
                                    each -> stays ? each.reuseRecords(zone, budget) : each.withServicesOf(zone, budget))
                            .orElseGet(() -> zone.secondary().isPresent()
                                    ? readTransferred(zone, budget, known)
                                    : ZoneSource.read(zone, budget));
            errors.addAll(source.findings().errors());
            warnings.addAll(source.findings().warnings());
            sources.add(source);
        }
        findings = new ZoneFindings(errors, warnings);
        if (budget.isExceeded()) {
            fail(budget.problem());
        }
        if (!findings.errors().isEmpty()) {
            return;
        }
        try {
            sources.forEach(source -> tree.addZone(source.contents(), source.isMissing()));
            tree.numberZones();
            addServices();
        } catch (IllegalArgumentException e) {
            fail(ErrorText.of(e));
        }
    }

    /**
     * Reads a transferred zone. If its file is unusable, the configuration remains valid and the previous version
     * of the zone stays in use.
     */
    private static ZoneSource readTransferred(ZoneConfig zone, HeapBudget budget, @Nullable ZoneSource known) {
        if (zone.isAwaitingTransfer()) {
            return ZoneSource.missing(zone);
        }
        ZoneSource source = ZoneSource.readIfItFits(zone, budget);
        if (source.findings().errors().isEmpty()) {
            return source;
        }
        LOG.error(
                "zone={} msg=\"the saved version of the zone cannot be served\" reason=\"{}\"",
                zone.name(),
                source.findings().errors().get(0));
        return known != null && !known.isMissing() ? known : source.asMissing();
    }

    private void fail(String problem) {
        findings = findings.and(ZoneFindings.ofErrors(List.of(ZoneProblem.ofConfiguration(problem))));
    }

    private void addServices() {
        Set<String> missing = sources.stream()
                .filter(ZoneSource::isMissing)
                .map(ZoneSource::name)
                .collect(Collectors.toSet());
        for (ZoneConfig zone : config.zones()) {
            if (missing.contains(zone.name())) {
                continue; // the zone has no contents yet, so its names are not answered
            }
            if (zone.services().isEmpty()) {
                continue;
            }
            Name apex = Names.absolute(zone.name());
            int zoneNumber = tree.zoneOf(apex).number();
            for (ServiceConfig service : zone.services()) {
                List<ServedName> names = new ArrayList<>();
                for (String text : service.names()) {
                    Name name = Names.serviceName(text, apex);
                    int index = tree.addService(name, apex, Service.types(service));
                    names.add(new ServedName(name, zoneNumber, index));
                }
                services.add(new NamedService(service, names, apex));
            }
        }
    }

    /** Returns the contents of all transferable zones by name, with the current pools. */
    Map<Name, TransferContents> transferContents(Topology topology) {
        Map<Name, TransferContents> whole = new LinkedHashMap<>();
        for (ZoneSource source : sources) {
            if (source.isMissing() || !source.isTransferable()) {
                continue; // the zone has no contents, or no server may transfer it
            }
            Map<Name, List<RecordSet>> served = new HashMap<>();
            Name apex = source.contents().apex();
            for (ServiceConfig service : source.services()) {
                for (String each : service.names()) {
                    Name name = Names.serviceName(each, apex);
                    served.merge(name, UnbalancedService.sets(service, name, apex, topology), LoadedZones::both);
                }
            }
            whole.put(apex, source.transferContents(served));
        }
        return whole;
    }

    private static List<RecordSet> both(List<RecordSet> one, List<RecordSet> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** Returns the records of a zone as they are served. */
    Optional<ZoneContents> contents(Name apex) {
        return tree.contents(apex);
    }

    ZoneFindings findings() {
        return findings;
    }

    NameTree tree() {
        return tree;
    }

    List<NamedService> services() {
        return services;
    }
}
