package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.PublishedAnswers;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.learn.Sample;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, compiled and kept up to date with the pools: when a pool has a new snapshot, the
 * services on it are compiled again and the next table is published.
 *
 * <p>Thread safety: started by any thread; from then on the control plane, through the pools, compiles. A lock keeps the
 * two apart. Queries never come here: they read {@link PublishedAnswers}.
 */
public final class CompiledZones implements AutoCloseable {

    private static final Duration KEY_CHECK = Duration.ofSeconds(2);

    private final NameTree tree;
    private final ZoneSigners signers;
    private final PublishedAnswers published;
    private final Surroundings surroundings;
    private final List<Service> services;
    /** What each name answers besides the addresses of services. */
    private NameAnswers[] fixed;

    private final RoundTripTimes learned = new RoundTripTimes(new SecureRandom().nextLong());
    private boolean closed;

    private CompiledZones(
            NameTree tree, ZoneSigners signers, Surroundings surroundings, List<Service> services, int cursors) {
        this.tree = tree;
        this.signers = signers;
        this.surroundings = surroundings;
        this.services = services;
        this.fixed = tree.answers(signers);
        NameHash hash = NameHash.random();
        NameAnswers[] first = fixed.clone();
        tree.prove(first, signers);
        this.published = new PublishedAnswers(
                hash,
                tree.table(hash, first, signers, cursors),
                signers.isEmpty() ? null : counters -> signers.onDemand(hash, counters));
    }

    /** Compiles zones without geography; see {@link #start(DnsConfig, Surroundings)}. */
    public static CompiledZones start(DnsConfig config, Topology topology) {
        return start(config, Surroundings.of(topology));
    }

    /** Compiles zones without geography; see {@link #start(DnsConfig, Surroundings, SigningSetup)}. */
    public static CompiledZones start(DnsConfig config, Topology topology, SigningSetup setup) throws IOException {
        return start(config, Surroundings.of(topology), setup);
    }

    /**
     * Compiles the zones of a configuration, none of which is signed, and follows the pools of its services and the
     * regions of clients.
     *
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, Surroundings surroundings) {
        for (ZoneConfig zone : config.zones()) {
            Checks.that(zone.dnssec().isEmpty(), "dnssec", zone.name(), "no signed zone without a place for keys");
        }
        return start(config, surroundings, ZoneSigners.none());
    }

    /**
     * Compiles the zones of a configuration, and follows the pools of its services, the keys of its signed zones, and
     * the time, by which signatures grow old.
     *
     * @throws IOException if keys cannot be read, written or used; the message names the file
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, Surroundings surroundings, SigningSetup setup)
            throws IOException {
        ZoneSigners signers = ZoneSigners.start(config, setup, surroundings.nanoTime());
        CompiledZones zones = start(config, surroundings, signers);
        if (!signers.isEmpty()) {
            zones.signers.renewed();
            setup.control().schedule(() -> zones.renew(setup.control()), KEY_CHECK);
        }
        return zones;
    }

    private static CompiledZones start(DnsConfig config, Surroundings surroundings, ZoneSigners signers) {
        NameTree tree = readZones(config);
        List<NamedService> named = addServices(config, tree);
        tree.complete();
        Cursors cursors = new Cursors();
        List<Service> services = new ArrayList<>();
        for (NamedService each : named) {
            services.add(new Service(each.config(), each.name(), each.index(), cursors, surroundings.regions()));
        }
        CompiledZones zones = new CompiledZones(tree, signers, surroundings, services, cursors.count());
        surroundings.geo().ifPresent(geo -> {
            geo.onChange(zones.published::publish);
            zones.published.publish(geo.current());
        });
        zones.followPools();
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
            tree.addZone(ZoneSource.read(zone));
        }
        tree.addNames();
        return tree;
    }

    private static List<NamedService> addServices(DnsConfig config, NameTree tree) {
        List<NamedService> named = new ArrayList<>();
        for (ZoneConfig zone : config.zones()) {
            Name apex = Names.absolute(zone.name());
            for (ServiceConfig service : zone.services()) {
                Name name = Names.ofService(service.name(), apex);
                named.add(new NamedService(service, name, tree.addService(name, apex, Service.types(service))));
            }
        }
        return named;
    }

    /** A service and the index of its name's answers. */
    private record NamedService(ServiceConfig config, Name name, int index) {}

    private void followPools() {
        Map<String, List<Service>> byPool = new LinkedHashMap<>();
        for (Service service : services) {
            service.pools()
                    .forEach(pool -> byPool.computeIfAbsent(pool, name -> new ArrayList<>())
                            .add(service));
        }
        // First listen, then compile: a change in between is compiled twice rather than missed.
        byPool.forEach((name, onPool) -> {
            Pool pool = surroundings.topology().pool(name);
            pool.onRefresh(snapshot -> compile(onPool));
            List<Service> restless = onPool.stream().filter(Service::isRestless).toList();
            if (!restless.isEmpty()) {
                pool.watch(new RestlessServices(restless, this::compileStale));
            }
        });
        compile(services);
    }

    private synchronized void compile(List<Service> some) {
        compile(some, surroundings.now(learned));
    }

    private synchronized void compileStale(List<Service> some) {
        Moment moment = surroundings.now(learned);
        List<Service> stale =
                some.stream().filter(service -> service.isStale(moment)).toList();
        if (!stale.isEmpty()) {
            compile(stale, moment);
        }
    }

    private void compile(List<Service> some, Moment moment) {
        if (closed) {
            return;
        }
        AnswerTable current = published.current();
        NameAnswers[] answers = current.copyOfAnswers();
        compile(some, moment, answers);
        published.publish(current.with(answers));
    }

    private void compile(List<Service> some, Moment moment, NameAnswers[] answers) {
        for (Service service : some) {
            NameAnswers compiled = service.compile(moment, fixed[service.index()]);
            answers[service.index()] = tree.signed(service.name(), compiled, signers);
        }
    }

    /** Looks after keys and signatures, now and from time to time. */
    private synchronized void renew(ControlPlane control) {
        if (closed) {
            return;
        }
        try {
            if (signers.isDue()) {
                compileAll();
            }
        } finally {
            control.schedule(() -> renew(control), KEY_CHECK);
        }
    }

    private void compileAll() {
        fixed = tree.answers(signers);
        NameAnswers[] answers = fixed.clone();
        tree.prove(answers, signers);
        compile(services, surroundings.now(learned), answers);
        published.publish(published.current().with(answers, tree.common(signers)));
        signers.renewed();
    }

    /** Takes in round-trip times that agents report, and has the services that compare them follow. */
    public synchronized void learn(List<Sample> samples) {
        learned.add(samples, surroundings.nanoTime().getAsLong());
        List<Service> learning = services.stream().filter(Service::learns).toList();
        if (!learning.isEmpty()) {
            compile(learning);
        }
    }

    /**
     * Says why a service answers what it answers now. Not for the hot path: it may read the databases of geography.
     *
     * @param name the service's, or one that its wildcard stands for
     * @param from the client's address; absent for nobody in particular
     * @throws IllegalArgumentException if no service stands there
     */
    public Explanation explain(String name, AddressFamily family, Optional<IpAddress> from) throws IOException {
        Service service = service(Names.absolute(name));
        Inquirer who = new Inquirer(from.orElse(null), region(from));
        String client = client(from);
        synchronized (this) {
            Moment moment = surroundings.now(learned);
            return service.explain(family == AddressFamily.IPV4, client, who, moment);
        }
    }

    private Service service(Name name) {
        for (Name wanted = name;
                ;
                wanted = Names.wildcard(Names.above(wanted.isWild() ? Names.above(wanted) : wanted))) {
            for (Service service : services) {
                if (service.name().equals(wanted)) {
                    return service;
                }
            }
            if (wanted.labels() <= 2) {
                throw new IllegalArgumentException(
                        "name: " + name.toString(true) + " (expected: the name of a service)");
            }
        }
    }

    private int region(Optional<IpAddress> from) {
        Optional<GeoSource> geo = surroundings.geo();
        if (geo.isEmpty()) {
            return 0;
        }
        return from.map(address -> RegionTable.region(geo.get().current().find(address.octets())))
                .orElse(geo.get().regions().defaultRegion());
    }

    private String client(Optional<IpAddress> from) throws IOException {
        String who = from.map(IpAddress::toString).orElse("nobody in particular");
        if (from.isEmpty() || surroundings.geo().isEmpty()) {
            return who;
        }
        return who + ", region " + surroundings.geo().get().explain(from.get());
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
