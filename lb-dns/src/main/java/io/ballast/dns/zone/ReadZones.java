package io.ballast.dns.zone;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.source.ZoneProblem;
import io.ballast.dns.zone.source.ZoneSource;
import io.ballast.dns.zone.tree.NameTree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, read and judged. Whoever checks a configuration and then starts it reads its files once: the
 * outcome waits for the start, so what is served is what was judged.
 *
 * <p>Thread safety: confined to one thread at a time.
 */
final class ReadZones {

    /** What was read last, until it is started; of one configuration, because a process has one. */
    private static final AtomicReference<ReadZones> WAITING = new AtomicReference<>();

    private final DnsConfig config;
    private final NameTree tree = new NameTree();
    private final List<NamedService> services = new ArrayList<>();
    private ZoneFindings findings = ZoneFindings.NONE;

    private ReadZones(DnsConfig config) {
        this.config = config;
    }

    /** A service and the index of its name's answers. */
    record NamedService(ServiceConfig config, Name name, int index) {}

    /** Reads the zones of a configuration and says what is to be said about them. */
    static ZoneFindings check(DnsConfig config) {
        ReadZones read = read(config, HeapBudget.ofProcess());
        WAITING.set(read.findings.errors().isEmpty() ? read : null);
        return read.findings;
    }

    /**
     * Returns the zones of a configuration, to be started once.
     *
     * @throws InvalidZoneException if they cannot be served
     */
    @SuppressWarnings("ReferenceEquality") // an equal one may have been read long ago
    static ReadZones take(DnsConfig config) {
        ReadZones waiting = WAITING.getAndSet(null);
        if (waiting != null && waiting.config == config) {
            return waiting;
        }
        ReadZones read = read(config, HeapBudget.ofProcess());
        if (!read.findings.errors().isEmpty()) {
            throw new InvalidZoneException(read.findings.errors());
        }
        return read;
    }

    /** @param budget what the zones may take */
    static ReadZones read(DnsConfig config, HeapBudget budget) {
        ReadZones zones = new ReadZones(config);
        try {
            zones.read(budget);
        } catch (OutOfMemoryError e) {
            zones.fail(budget.problem());
        }
        return zones;
    }

    private void read(HeapBudget budget) {
        List<ZoneContents> contents = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            ZoneSource source = ZoneSource.read(zone, budget);
            findings = findings.and(source.findings());
            contents.add(source.contents());
        }
        if (budget.isExceeded()) {
            fail(budget.problem());
        }
        if (!findings.errors().isEmpty()) {
            return;
        }
        try {
            contents.forEach(tree::addZone);
            tree.addNames();
            addServices();
        } catch (IllegalArgumentException e) {
            fail(String.valueOf(e.getMessage()));
        }
    }

    private void fail(String problem) {
        findings = findings.and(ZoneFindings.ofErrors(List.of(ZoneProblem.ofConfiguration(problem))));
    }

    private void addServices() {
        for (ZoneConfig zone : config.zones()) {
            Name apex = Names.absolute(zone.name());
            for (ServiceConfig service : zone.services()) {
                Name name = Names.ofService(service.name(), apex);
                services.add(new NamedService(service, name, tree.addService(name, apex, Service.types(service))));
            }
        }
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
