package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.balance.Member;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.HttpsConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Pool;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.PublishedAnswers;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.learn.Sample;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.Cursors;
import io.ballast.dns.zone.service.ExplainedClient;
import io.ballast.dns.zone.service.RestlessServices;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.tree.NameTree;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, compiled and kept up to date with the pools: when a pool has a new snapshot, the
 * services on it are compiled again and the next table is published.
 *
 * <p>The control plane never waits here. The compiler of {@link ZoneInputs} compiles services, one task after the other;
 * the signer of {@link SigningSetup} signs whole zones meanwhile and hands them over when they are finished, so that a
 * change of health reaches the answers while a large zone is signed.
 *
 * <p>Thread safety: started by any thread; from then on what changes belongs to the compiler. Queries never come here: they
 * read {@link PublishedAnswers}.
 */
public final class CompiledZones implements AutoCloseable {

    /** Addresses of each family in an HTTPS record. */
    public static final int MOST_HINTS = Service.MOST_HINTS;

    private final NameTree tree;
    /** Signs services. */
    private final ZoneSigners signers;

    private final PublishedAnswers published;
    private final ZoneInputs inputs;
    private final Executor compiler;
    private final List<Service> services;
    /** What the names with entries answer besides the addresses of services, without proofs. */
    private NameAnswers[] fixed;

    /** The signed zones with the keys of {@link #fixed}. */
    private Map<Name, SignedZone> signed;

    private final Queue<Sample> reported = new ConcurrentLinkedQueue<>();
    private final Coalesced learning;
    private final RoundTripTimes learned = new RoundTripTimes(new SecureRandom().nextLong());
    private @Nullable Renewal renewal;
    private volatile boolean closed;

    private CompiledZones(
            NameTree tree,
            SignedZones zones,
            FixedAnswers first,
            ZoneInputs inputs,
            List<Service> services,
            int cursors) {
        this.tree = tree;
        this.signers = zones.signers(this::signedZone);
        this.inputs = inputs;
        this.compiler = inputs.compiler();
        this.services = services;
        this.fixed = first.answers();
        this.signed = first.signed();
        this.learning = new Coalesced(compiler, this::learnReported);
        NameHash hash = tree.hash();
        this.published = new PublishedAnswers(
                hash,
                AnswerTable.of(first.names(), first.proven(), first.zones(), cursors),
                zones.isEmpty() ? null : counters -> zones.onDemand(hash, counters));
    }

    private SignedZone signedZone(ZoneContents zone) {
        return Objects.requireNonNull(signed.get(zone.apex()), "a signed zone without signer");
    }

    /** Compiles zones without geography; see {@link #start(DnsConfig, ZoneInputs)}. */
    public static CompiledZones start(DnsConfig config, Topology topology) {
        return start(config, ZoneInputs.of(topology));
    }

    /** Compiles zones without geography; see {@link #start(DnsConfig, ZoneInputs, SigningSetup)}. */
    public static CompiledZones start(DnsConfig config, Topology topology, SigningSetup setup) throws IOException {
        return start(config, ZoneInputs.of(topology), setup);
    }

    /**
     * Compiles the zones of a configuration, none of which is signed, and follows the pools of its services and the
     * regions of clients.
     *
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, ZoneInputs inputs) {
        for (ZoneConfig zone : config.zones()) {
            Checks.that(zone.dnssec().isEmpty(), "dnssec", zone.name(), "no signed zone without a place for keys");
        }
        return start(config, inputs, SignedZones.none(), null);
    }

    /**
     * Compiles the zones of a configuration, and follows the pools of its services, the keys of its signed zones, and
     * the time, by which signatures grow old.
     *
     * @throws IOException if keys cannot be read, written or used; the message names the file
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public static CompiledZones start(DnsConfig config, ZoneInputs inputs, SigningSetup setup) throws IOException {
        return start(config, inputs, SignedZones.start(config, setup, inputs.nanoTime()), setup);
    }

    private static CompiledZones start(
            DnsConfig config, ZoneInputs inputs, SignedZones signed, @Nullable SigningSetup setup) {
        ReadZones read = ReadZones.take(config);
        NameTree tree = read.tree();
        tree.complete();
        Cursors cursors = new Cursors();
        List<Service> services = new ArrayList<>();
        for (ReadZones.NamedService each : read.services()) {
            services.add(new Service(each.config(), each.name(), each.index(), cursors, inputs.regions()));
        }
        ZoneSigners signers = signed.signers();
        FixedAnswers fixed = FixedAnswers.compile(tree, signers, signed);
        CompiledZones zones = new CompiledZones(tree, signed, fixed, inputs, services, cursors.count());
        inputs.geo().ifPresent(geo -> {
            geo.onChange(zones.published::publish);
            zones.published.publish(geo.current());
        });
        zones.compile(services);
        zones.followPools();
        if (setup != null && !signed.isEmpty()) {
            zones.renewal = new Renewal(setup, signed, signers, tree, zones::adopt);
            zones.renewal.start();
        }
        return zones;
    }

    /** Everything that is to be said about the zones of a configuration; reads zone files, and nothing else. */
    public static ZoneFindings check(DnsConfig config) {
        return ReadZones.check(config);
    }

    private void followPools() {
        Map<String, List<Service>> byPool = new LinkedHashMap<>();
        for (Service service : services) {
            service.pools()
                    .forEach(pool -> byPool.computeIfAbsent(pool, name -> new ArrayList<>())
                            .add(service));
        }
        // First listen, then compile: a change in between is compiled twice rather than missed.
        byPool.forEach((name, onPool) -> {
            Pool pool = inputs.topology().pool(name);
            Coalesced refreshed = new Coalesced(compiler, () -> compile(onPool));
            pool.onRefresh(snapshot -> refreshed.request());
            List<Service> restless = onPool.stream().filter(Service::isRestless).toList();
            if (!restless.isEmpty()) {
                Coalesced settled = new Coalesced(compiler, () -> compileStale(restless));
                pool.watch(new RestlessServices(restless, settled::request));
                takeInLastChecks(pool, restless);
            }
        });
        compiler.execute(() -> compile(services));
    }

    /** Checks that came before anybody listened, since checks begin before the zones are compiled. */
    private static void takeInLastChecks(Pool pool, List<Service> restless) {
        for (Member member : pool.members()) {
            HealthStatus.LastCheck check = member.backend().health().lastCheck();
            restless.forEach(service -> service.checked(member.backend(), check));
        }
    }

    private void compile(List<Service> some) {
        compile(some, inputs.now(learned));
    }

    private void compileStale(List<Service> some) {
        PoolView view = inputs.now(learned);
        List<Service> stale =
                some.stream().filter(service -> service.isStale(view)).toList();
        if (!stale.isEmpty()) {
            compile(stale, view);
        }
    }

    private void compile(List<Service> some, PoolView view) {
        if (closed) {
            return;
        }
        AnswerTable current = published.current();
        NameAnswers[] answers = current.copyOfAnswers();
        compile(some, view, answers);
        published.publish(current.with(answers));
    }

    private void compile(List<Service> some, PoolView view, NameAnswers[] answers) {
        for (Service service : some) {
            NameAnswers compiled = service.compile(view, fixed[service.index()]);
            answers[service.index()] = tree.signed(service.name(), compiled, signers);
        }
    }

    /** Puts zones that were signed anew in force, with the services as they are now. */
    private void adopt(FixedAnswers next) {
        compiler.execute(() -> {
            if (closed) {
                return;
            }
            fixed = next.answers();
            signed = next.signed();
            NameAnswers[] answers = next.proven().clone();
            compile(services, inputs.now(learned), answers);
            published.publish(published.current().with(next.names(), answers, next.zones()));
        });
    }

    /** Takes in round-trip times that agents report, and has the services that compare them follow; returns at once. */
    public void learn(List<Sample> samples) {
        reported.addAll(samples);
        learning.request();
    }

    private void learnReported() {
        List<Sample> samples = new ArrayList<>();
        for (Sample next = reported.poll(); next != null; next = reported.poll()) {
            samples.add(next);
        }
        learned.add(samples, inputs.nanoTime().getAsLong());
        List<Service> following = services.stream().filter(Service::learns).toList();
        if (!following.isEmpty()) {
            compile(following);
        }
    }

    /**
     * Says why a service answers what it answers now. Not for the hot path, nor for a thread that others wait for: it
     * may read the databases of geography, and waits for what the compiler has to do before.
     *
     * @param name the service's, or one that its wildcard stands for
     * @param from the client's address; absent for no client in particular
     * @throws IllegalArgumentException if no service stands there
     */
    public Explanation explain(String name, AddressFamily family, Optional<IpAddress> from) throws IOException {
        Service service = service(Names.absolute(name));
        ExplainedClient who = new ExplainedClient(from.orElse(null), region(from));
        String client = client(from);
        return CompletableFuture.supplyAsync(
                        () -> service.explain(family == AddressFamily.IPV4, client, who, inputs.now(learned)), compiler)
                .join();
    }

    /** The absolute names of all services, as configured. */
    public List<String> serviceNames() {
        return services.stream()
                .map(service -> service.name().toString(/* omitFinalDot= */ true))
                .toList();
    }

    /** How the HTTPS record of a service is made; none if it has no such record. Throws like {@link #explain}. */
    public Optional<HttpsConfig> https(String name) {
        return service(Names.absolute(name)).https();
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
        Optional<GeoSource> geo = inputs.geo();
        if (geo.isEmpty()) {
            return 0;
        }
        return from.map(address -> RegionTable.region(geo.get().current().find(address.octets())))
                .orElse(geo.get().regions().defaultRegion());
    }

    private String client(Optional<IpAddress> from) throws IOException {
        String who = from.map(IpAddress::toString).orElse("nobody in particular");
        if (from.isEmpty() || inputs.geo().isEmpty()) {
            return who;
        }
        return who + ", region " + inputs.geo().get().explain(from.get());
    }

    /** What queries are answered from. */
    public PublishedAnswers published() {
        return published;
    }

    /** Stops following the pools. What is published stays. */
    @Override
    public void close() {
        closed = true;
        if (renewal != null) {
            renewal.close();
        }
    }
}
