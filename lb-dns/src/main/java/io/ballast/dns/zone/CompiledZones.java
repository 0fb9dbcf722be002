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
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, Topology topology) {
        NameTree tree = new NameTree();
        for (ZoneConfig zone : config.zones()) {
            Name apex = Names.absolute(zone.name());
            tree.addZone(apex, ZoneRecords.zone(zone, apex), ZoneRecords.ofApex(zone, apex));
        }
        List<Service> services = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            Name apex = Names.absolute(zone.name());
            for (ServiceConfig service : zone.services()) {
                int index = tree.addService(Names.ofService(service.name(), apex), apex);
                Pool pool = topology.pool(service.pool());
                int cursor = services.size() * Service.CURSORS;
                services.add(new Service(service, pool, index, tree.answers(index), cursor));
            }
        }
        tree.addNamesBetween();
        NameHash hash = NameHash.random();
        AnswerTable first = tree.finish(hash, services.size() * Service.CURSORS);
        CompiledZones zones = new CompiledZones(new PublishedAnswers(hash, first));
        zones.followPools(services);
        return zones;
    }

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
