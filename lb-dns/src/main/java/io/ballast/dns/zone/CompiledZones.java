package io.ballast.dns.zone;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.PublishedAnswers;
import io.ballast.dns.wire.NameHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, compiled and kept up to date with the pools: when a pool has a new snapshot, the
 * services on it are compiled again and the next table is published.
 *
 * <p>Thread safety: started by any thread; from then on the control plane, through the pools, compiles. A lock keeps the
 * two apart. Queries never come here: they read {@link PublishedAnswers}.
 */
public final class CompiledZones implements AutoCloseable {

    private final PublishedAnswers published;
    private boolean closed;

    private CompiledZones(PublishedAnswers published) {
        this.published = published;
    }

    /**
     * Compiles the zones of a configuration and follows the pools of its services.
     *
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, Topology topology) {
        NameTree tree = readZones(config);
        List<NamedService> named = addServices(config, tree);
        tree.complete();
        NameHash hash = NameHash.random();
        AnswerTable first = tree.finish(hash, named.size() * Service.CURSORS);
        NameAnswers[] fixed = first.copyOfAnswers();
        List<Service> services = new ArrayList<>();
        for (NamedService each : named) {
            Pool pool = topology.pool(each.config().pool());
            int cursor = services.size() * Service.CURSORS;
            services.add(new Service(each.config(), pool, each.index(), fixed[each.index()], cursor));
        }
        CompiledZones zones = new CompiledZones(new PublishedAnswers(hash, first));
        zones.followPools(services);
        return zones;
    }

    /** Everything that is wrong with the zones of a configuration; reads zone files, and nothing else. */
    public static List<String> problems(DnsConfig config) {
        List<String> problems = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            try {
                ZoneSource.read(zone);
            } catch (InvalidZoneException e) {
                problems.addAll(e.problems());
            }
        }
        if (!problems.isEmpty()) {
            return problems;
        }
        try {
            addServices(config, readZones(config));
            return List.of();
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }

    private static NameTree readZones(DnsConfig config) {
        NameTree tree = new NameTree();
        for (ZoneConfig zone : config.zones()) {
            tree.addZone(new ZoneRecords(ZoneSource.read(zone)));
        }
        tree.addNames();
        return tree;
    }

    private static List<NamedService> addServices(DnsConfig config, NameTree tree) {
        List<NamedService> named = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            Name apex = Names.absolute(zone.name());
            for (ServiceConfig service : zone.services()) {
                named.add(new NamedService(service, tree.addService(Names.ofService(service.name(), apex), apex)));
            }
        }
        return named;
    }

    /** A service and the index of its name's answers. */
    private record NamedService(ServiceConfig config, int index) {}

    private void followPools(List<Service> services) {
        Map<Pool, List<Service>> byPool = new LinkedHashMap<>();
        for (Service service : services) {
            byPool.computeIfAbsent(service.pool(), pool -> new ArrayList<>()).add(service);
        }
        // First listen, then compile: a change in between is compiled twice rather than missed.
        byPool.forEach((pool, onPool) -> pool.onRefresh(snapshot -> compile(pool, onPool)));
        byPool.forEach(this::compile);
    }

    private synchronized void compile(Pool pool, List<Service> onPool) {
        if (closed) {
            return;
        }
        AnswerTable current = published.current();
        NameAnswers[] answers = current.copyOfAnswers();
        PoolAddresses addresses = new PoolAddresses(pool);
        for (Service service : onPool) {
            answers[service.index()] = service.compile(addresses);
        }
        published.publish(current.with(answers));
    }

    /** What queries are answered from. */
    public PublishedAnswers published() {
        return published;
    }

    /** Stops following the pools. What is published stays. */
    @Override
    public synchronized void close() {
        closed = true;
    }
}
