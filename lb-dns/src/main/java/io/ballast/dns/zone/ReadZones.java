package io.ballast.dns.zone;

import io.ballast.core.FileState;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.pool.Topology;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.WholeZone;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.service.WholeService;
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
 * The zones of a configuration, read and judged. Whoever checks a configuration and then starts it reads its files once: the
 * outcome waits for the start, so what is served is what was judged. Zones of the configuration in force whose files have not
 * changed are not read again.
 *
 * <p>Thread safety: confined to one thread at a time.
 */
final class ReadZones {

    private static final Logger LOG = LoggerFactory.getLogger(ReadZones.class);

    /**
     * What was read last, until it is started; of one configuration, because a process has one. Given up for want of memory:
     * not everything that is checked is started.
     */
    private static final AtomicReference<@Nullable SoftReference<ReadZones>> WAITING = new AtomicReference<>();

    /** What is in force, for as long as it is. */
    private static final AtomicReference<@Nullable WeakReference<ReadZones>> IN_FORCE = new AtomicReference<>();

    private final DnsConfig config;
    /** What was in force when these were read, until these are. */
    private @Nullable ReadZones before;

    private final NameTree tree;
    private final List<ZoneSource> sources = new ArrayList<>();
    private final List<NamedService> services = new ArrayList<>();
    private ZoneFindings findings = ZoneFindings.NONE;

    /** @param before what is in force; null if nothing is */
    private ReadZones(DnsConfig config, @Nullable ReadZones before) {
        this.config = config;
        this.before = before;
        this.tree = before == null ? new NameTree() : before.tree.successor();
    }

    /**
     * A service.
     *
     * @param names its own first
     * @param apex of its zone
     */
    record NamedService(ServiceConfig config, List<ServedName> names, Name apex) {

        Name name() {
            return names.get(0).name();
        }
    }

    /**
     * Reads the zones of a configuration and says what is to be said about them.
     *
     * @param files gets each file that they were read from, as it was just before
     */
    static ZoneFindings check(DnsConfig config, Map<Path, FileState> files) {
        WeakReference<ReadZones> reference = IN_FORCE.get();
        ReadZones inForce = reference == null ? null : reference.get();
        if (inForce != null && inForce.isStillOf(config)) {
            WAITING.set(null);
            inForce.sources.forEach(source -> files.putAll(source.files()));
            return inForce.findings;
        }
        ReadZones read = read(config, HeapBudget.ofProcess(), inForce);
        read.sources.forEach(source -> files.putAll(source.files()));
        WAITING.set(read.findings.errors().isEmpty() ? new SoftReference<>(read) : null);
        return read.findings;
    }

    /** These are served from now on. */
    void inForce() {
        before = null;
        IN_FORCE.set(new WeakReference<>(this));
    }

    /** Whether a configuration has the same zones, and their files are the same. */
    boolean isStillOf(DnsConfig other) {
        return other.zones().equals(config.zones()) && sources.stream().allMatch(ZoneSource::isUnchanged);
    }

    /**
     * Returns the zones of a configuration, to be started once.
     *
     * @throws InvalidZoneException if they cannot be served
     */
    static ReadZones take(DnsConfig config) {
        return take(config, /* before= */ null);
    }

    /**
     * Like the other, for zones that are to take the place of those in force.
     *
     * @param before these; null if there are none
     */
    @SuppressWarnings("ReferenceEquality") // an equal one may have been read long ago
    static ReadZones take(DnsConfig config, @Nullable ReadZones before) {
        SoftReference<ReadZones> reference = WAITING.getAndSet(null);
        ReadZones waiting = reference == null ? null : reference.get();
        if (waiting != null && waiting.config == config && waiting.before == before) {
            return waiting;
        }
        return requireServable(read(config, HeapBudget.ofProcess(), before, waiting, /* isOfKept= */ false));
    }

    /**
     * Likewise, where nothing but what is kept of zones may be other than in those in force: files that somebody edits stay as they were
     * read, until somebody asks for them.
     */
    static ReadZones takeKept(DnsConfig config, ReadZones before) {
        return requireServable(read(config, HeapBudget.ofProcess(), before, /* checked= */ null, /* isOfKept= */ true));
    }

    private static ReadZones requireServable(ReadZones read) {
        if (!read.findings.errors().isEmpty()) {
            throw new InvalidZoneException(read.findings.errors());
        }
        return read;
    }

    /** @param budget what the zones may take */
    static ReadZones read(DnsConfig config, HeapBudget budget) {
        return read(config, budget, /* before= */ null);
    }

    private static ReadZones read(DnsConfig config, HeapBudget budget, @Nullable ReadZones before) {
        return read(config, budget, before, /* checked= */ null, /* isOfKept= */ false);
    }

    /**
     * @param checked the zones of a similar configuration, read a moment ago; null if there are none
     * @param isOfKept whether files of zones that are not kept here are not looked at
     */
    private static ReadZones read(
            DnsConfig config,
            HeapBudget budget,
            @Nullable ReadZones before,
            @Nullable ReadZones checked,
            boolean isOfKept) {
        ReadZones zones = new ReadZones(config, before);
        try {
            zones.read(budget, checked, isOfKept);
        } catch (OutOfMemoryError e) {
            zones.fail(budget.problem());
        }
        return zones;
    }

    private void read(HeapBudget budget, @Nullable ReadZones checked, boolean isOfKept) {
        Map<String, ZoneSource> readBefore = new HashMap<>();
        if (checked != null) {
            checked.sources.stream()
                    .filter(source -> !source.isMissing() && source.isUnchanged())
                    .forEach(source -> readBefore.put(source.name(), source));
        }
        if (before != null) {
            before.sources.forEach(source -> readBefore.putIfAbsent(source.name(), source));
        }
        for (ZoneConfig zone : config.zones()) {
            ZoneSource known = readBefore.get(zone.name());
            boolean stays =
                    isOfKept && zone.secondary().isEmpty() && zone.update().isEmpty();
            ZoneSource source = Optional.ofNullable(known)
                    .flatMap(each -> stays ? each.asRead(zone, budget) : each.withServicesOf(zone, budget))
                    .orElseGet(() -> zone.secondary().isPresent()
                            ? readKept(zone, budget, known)
                            : ZoneSource.read(zone, budget));
            findings = findings.and(source.findings());
            sources.add(source);
        }
        if (budget.isExceeded()) {
            fail(budget.problem());
        }
        if (!findings.errors().isEmpty()) {
            return;
        }
        try {
            sources.forEach(source -> tree.addZone(source.contents(), source.isMissing()));
            tree.addNames();
            addServices();
        } catch (IllegalArgumentException e) {
            fail(String.valueOf(e.getMessage()));
        }
    }

    /** What came from another server never fails a configuration: what cannot be used leaves what was served before. */
    private static ZoneSource readKept(ZoneConfig zone, HeapBudget budget, @Nullable ZoneSource known) {
        if (zone.isMissing()) {
            return ZoneSource.missing(zone);
        }
        ZoneSource source = ZoneSource.readIfItFits(zone, budget);
        if (source.findings().errors().isEmpty()) {
            return source;
        }
        LOG.error(
                "zone={} msg=\"what is kept of the zone cannot be served\" reason=\"{}\"",
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
                continue; // nothing in it is answered
            }
            Name apex = Names.absolute(zone.name());
            for (ServiceConfig service : zone.services()) {
                List<ServedName> names = new ArrayList<>();
                for (String text : service.names()) {
                    Name name = Names.ofService(text, apex);
                    names.add(new ServedName(name, tree.addService(name, apex, Service.types(service))));
                }
                services.add(new NamedService(service, names, apex));
            }
        }
    }

    /** All that a server may be told of each zone that is there, by name; services stand on the pools as they are. */
    Map<Name, WholeZone> whole(Topology topology) {
        Map<Name, WholeZone> whole = new LinkedHashMap<>();
        for (ZoneSource source : sources) {
            if (source.isMissing()) {
                continue; // there is nothing to tell
            }
            Map<Name, List<RecordSet>> served = new HashMap<>();
            Name apex = source.contents().apex();
            for (ServiceConfig service : source.services()) {
                for (String each : service.names()) {
                    Name name = Names.ofService(each, apex);
                    served.merge(name, WholeService.sets(service, name, apex, topology), ReadZones::both);
                }
            }
            whole.put(apex, new WholeZone(source.contents(), served));
        }
        return whole;
    }

    private static List<RecordSet> both(List<RecordSet> one, List<RecordSet> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** The records of a zone as they are served. */
    Optional<ZoneContents> contents(Name apex) {
        return sources.stream()
                .filter(source -> !source.isMissing())
                .map(ZoneSource::contents)
                .filter(contents -> contents.apex().equals(apex))
                .findFirst();
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
