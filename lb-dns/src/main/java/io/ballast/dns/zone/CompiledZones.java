package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.core.FileState;
import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.HttpsConfig;
import io.ballast.core.config.ZoneConfig;
import io.ballast.core.geo.GeoSource;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerTable;
import io.ballast.dns.answer.CountedNames;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.PublishedAnswers;
import io.ballast.dns.dnssec.SignedZone;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.learn.Sample;
import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.WholeZone;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.pool.PoolView;
import io.ballast.dns.zone.service.Cursors;
import io.ballast.dns.zone.service.ExplainedClient;
import io.ballast.dns.zone.service.ServedName;
import io.ballast.dns.zone.service.Service;
import io.ballast.dns.zone.signing.SignedZones;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.dns.zone.signing.ZoneSigners;
import io.ballast.dns.zone.source.ZoneFindings;
import io.ballast.dns.zone.tree.NameTree;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
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
 * <p>Zones of another configuration are made beside these by {@link #next} and take their place by {@link #begin}; what
 * stays the same is taken over: records of files that have not changed, signatures, and what services have learned.
 *
 * <p>Thread safety: started by any thread; from then on what changes belongs to the compiler. Queries never come here: they
 * read {@link PublishedAnswers}.
 */
public final class CompiledZones implements AutoCloseable {

    /** Addresses of each family in an HTTPS record. */
    public static final int MOST_HINTS = Service.MOST_HINTS;

    private final ReadZones read;
    private final NameTree tree;
    private final @Nullable SigningSetup setup;
    private final SignedZones signedZones;
    /** Signs whole zones; confined to the signer. */
    private final ZoneSigners wholeSigners;
    /** Signs services. */
    private final ZoneSigners signers;

    private final PublishedAnswers published;
    private final Executor compiler;
    private final List<Service> services;
    private volatile ZoneInputs inputs;
    /** What the names with entries answer besides the addresses of services, without proofs. */
    private NameAnswers[] fixed;

    /** The signed zones with the keys of {@link #fixed}. */
    private Map<Name, SignedZone> signed;

    private final Queue<Sample> reported = new ConcurrentLinkedQueue<>();
    private final Coalesced learning;
    private final RoundTripTimes learned;
    private final ZoneStats stats;
    private @Nullable PoolFollowing following;
    private @Nullable Renewal renewal;

    /** Those in force, whose place these are to take; null once they have it. */
    private @Nullable CompiledZones before;

    private volatile @Nullable CompiledZones successor;
    private volatile boolean closed;

    /** The signed zones of a configuration, and all that is compiled and signed but services. */
    private record Whole(SignedZones zones, ZoneSigners signers, FixedAnswers fixed) {

        static Whole compile(NameTree tree, SignedZones zones, ZoneSigners signers) {
            FixedAnswers fixed = FixedAnswers.compile(tree, signers, zones);
            zones.renewed();
            return new Whole(zones, signers, fixed);
        }
    }

    private CompiledZones(
            ReadZones read,
            Whole whole,
            ZoneInputs inputs,
            @Nullable SigningSetup setup,
            List<Service> services,
            Cursors cursors,
            @Nullable CompiledZones before) {
        this.read = read;
        this.tree = read.tree();
        this.setup = setup;
        this.signedZones = whole.zones();
        this.wholeSigners = whole.signers();
        this.signers = signedZones.signers(this::signedZone);
        this.inputs = inputs;
        this.compiler = inputs.compiler();
        this.services = services;
        this.before = before;
        FixedAnswers first = whole.fixed();
        this.fixed = first.answers();
        this.signed = first.signed();
        this.learned = before == null ? new RoundTripTimes(new SecureRandom().nextLong()) : before.learned;
        this.stats = before == null ? new ZoneStats() : before.stats;
        this.learning = new Coalesced(compiler, this::learnReported);
        NameHash hash = tree.hash();
        this.published = new PublishedAnswers(
                hash,
                AnswerTable.of(first.names(), first.proven(), first.zones(), cursors.count()),
                signedZones.isEmpty() ? null : counters -> signedZones.onDemand(hash, counters),
                inputs.geo().<Supplier<RegionTable>>map(geo -> geo::current).orElse(null),
                counted());
    }

    private CountedNames counted() {
        int indexes = services.stream()
                        .flatMap(service -> service.names().stream())
                        .mapToInt(ServedName::index)
                        .max()
                        .orElse(-1)
                + 1;
        int[] ofIndexes = new int[indexes];
        Arrays.fill(ofIndexes, ZoneStats.UNCOUNTED);
        int[] ofServices = stats.services(serviceNames());
        for (int i = 0; i < ofServices.length; i++) {
            for (ServedName name : services.get(i).names()) {
                ofIndexes[name.index()] = ofServices[i];
            }
        }
        return new CountedNames(stats, stats.zones(tree.zoneNames()), ofIndexes);
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
        requireUnsigned(config);
        return start(config, inputs, SignedZones.none(), null);
    }

    private static void requireUnsigned(DnsConfig config) {
        for (ZoneConfig zone : config.zones()) {
            Checks.that(zone.dnssec().isEmpty(), "dnssec", zone.name(), "no signed zone without a place for keys");
        }
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
        read.tree().complete();
        Cursors cursors = new Cursors();
        List<Service> services = new ArrayList<>();
        for (ReadZones.NamedService each : read.services()) {
            services.add(new Service(each.config(), each.names(), cursors, inputs.regions()));
        }
        Whole whole = Whole.compile(read.tree(), signed, signed.signers());
        CompiledZones zones = new CompiledZones(read, whole, inputs, setup, services, cursors, /* before= */ null);
        zones.compile(services);
        zones.follow(Set.of());
        zones.compiler.execute(() -> zones.compile(services));
        zones.begin();
        return zones;
    }

    /** Everything that is to be said about the zones of a configuration; reads zone files, and nothing else. */
    public static ZoneFindings check(DnsConfig config) {
        return check(config, new HashMap<>());
    }

    /** Everything that is to be said about a zone alone, as {@link #check} says it; reads its file as it is now. */
    public static ZoneFindings judge(DnsConfig config) {
        return ReadZones.read(config, HeapBudget.ofProcess()).findings();
    }

    /** @param files gets each file that they were read from, as it was just before */
    public static ZoneFindings check(DnsConfig config, Map<Path, FileState> files) {
        return ReadZones.check(config, files);
    }

    /**
     * Compiles the zones of another configuration beside these, which go on; takes as long as {@link #start} for what has
     * changed. They follow their pools at once, and take the place of these by {@link #begin}, unless they are closed.
     *
     * @param wanted what they are compiled from, by the compiler of these
     * @return these, if nothing has changed that they are made of: zones, their files, the pools as objects, geography
     * @throws IOException if keys cannot be read, written or used; the message names the file
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is none
     */
    public CompiledZones next(DnsConfig config, ZoneInputs wanted) throws IOException {
        return next(config, wanted, () -> ReadZones.take(config, read));
    }

    /** Like {@link #next}, for what is kept of zones now: other zones stay, whatever has become of their files. */
    public CompiledZones nextOfKept(DnsConfig config) throws IOException {
        return next(config, inputs, () -> ReadZones.takeKept(config, read));
    }

    private CompiledZones next(DnsConfig config, ZoneInputs wanted, Supplier<ReadZones> reading) throws IOException {
        ZoneInputs next = wanted.compiledBy(compiler);
        boolean samePools = services.stream().allMatch(service -> isOnSamePools(service, next));
        if (samePools && next.geo().equals(inputs.geo()) && read.isStillOf(config)) {
            return this;
        }
        ReadZones nextRead = reading.get();
        nextRead.tree().complete();
        Whole whole = nextWhole(config, nextRead.tree());
        Cursors cursors = new Cursors();
        List<Service> nextServices = new ArrayList<>();
        Set<Service> shared = nextServices(nextRead, next, cursors, nextServices);
        CompiledZones zones = new CompiledZones(nextRead, whole, next, setup, nextServices, cursors, this);
        try {
            zones.follow(shared);
            Awaited.on(compiler, () -> {
                zones.signers.takeOver(signers);
                zones.compile(nextServices);
                return zones;
            });
            return zones;
        } catch (IOException | RuntimeException | Error e) {
            zones.close();
            throw e;
        }
    }

    /** Signs on the thread that signs: what it has for these zones is taken over, and nobody else uses the keys meanwhile. */
    private Whole nextWhole(DnsConfig config, NameTree nextTree) throws IOException {
        SigningSetup keys = setup;
        if (keys == null) {
            requireUnsigned(config);
            return Whole.compile(nextTree, signedZones, signedZones.signers());
        }
        return Awaited.on(keys.signer(), () -> {
            SignedZones next = signedZones.next(config, keys);
            ZoneSigners nextSigners = next.signers();
            nextSigners.takeOver(wholeSigners);
            return Whole.compile(nextTree, next, nextSigners);
        });
    }

    /** Adds the services of the next zones; returns those of them that go on from what services of these have learned. */
    private Set<Service> nextServices(ReadZones nextRead, ZoneInputs next, Cursors cursors, List<Service> into) {
        Map<Name, Service> lasting = new HashMap<>();
        for (Service service : services) {
            if (isOnSamePools(service, next)) {
                lasting.put(service.name(), service);
            }
        }
        Map<Name, Service> kept = new HashMap<>();
        for (ReadZones.NamedService each : nextRead.services()) {
            Service known = lasting.get(each.names().get(0).name());
            if (known != null && known.config().equals(each.config()) && hasSameRegions(known, next)) {
                cursors.reserve(known);
                kept.put(known.name(), known.in(each.names(), next.regions()));
            }
        }
        for (ReadZones.NamedService each : nextRead.services()) {
            Service service = kept.get(each.names().get(0).name());
            into.add(service != null ? service : new Service(each.config(), each.names(), cursors, next.regions()));
        }
        return Set.copyOf(kept.values());
    }

    private boolean isOnSamePools(Service service, ZoneInputs next) {
        return service.pools().stream()
                .allMatch(pool -> inputs.topology().pools().get(pool)
                        == next.topology().pools().get(pool));
    }

    private boolean hasSameRegions(Service service, ZoneInputs next) {
        return !service.usesRegions() || inputs.regions() == next.regions();
    }

    /** First listen, then compile: a change in between is compiled twice rather than missed. */
    private void follow(Set<Service> shared) {
        following =
                PoolFollowing.start(inputs.topology(), services, shared, compiler, this::compile, this::compileStale);
    }

    /** Looks after keys and checks from now on, in the place of those that they were made beside, which end. */
    public void begin() {
        read.inForce();
        stats.retain(tree.zoneNames(), serviceNames());
        CompiledZones replaced = before;
        before = null;
        if (replaced != null) {
            replaced.successor = this;
            replaced.close();
        }
        if (following != null) {
            following.watchShared();
        }
        if (setup != null && !signedZones.isEmpty()) {
            renewal = new Renewal(setup, signedZones, wholeSigners, tree, this::adopt);
            renewal.start();
        }
        if (replaced != null) {
            compiler.execute(() -> compileStale(services));
        }
    }

    /** The records of a zone as they are served; empty if nothing of it is. */
    public Optional<ZoneContents> contents(Name apex) {
        return read.contents(apex);
    }

    /** Goes on with the pools of another topology, which are the same. */
    public void keepOn(ZoneInputs other) {
        inputs = other.compiledBy(compiler);
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
            service.compile(view);
            for (ServedName name : service.names()) {
                answers[name.index()] = tree.signed(name.name(), service.addTo(fixed[name.index()]), signers);
            }
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
        CompiledZones later = successor;
        if (later != null) {
            later.learn(samples);
            return;
        }
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
        for (Name next = name; ; next = Names.wildcard(Names.above(next.isWild() ? Names.above(next) : next))) {
            Name wanted = next;
            for (Service service : services) {
                if (service.names().stream().anyMatch(each -> each.name().equals(wanted))) {
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

    /** How often zones and services were asked; goes on over reloads. */
    public ZoneStats stats() {
        return stats;
    }

    /**
     * All that other servers may be told of each zone, by its name. Takes as long as there are services.
     *
     * @param pools that the services stand on
     */
    public Map<Name, WholeZone> whole(Topology pools) {
        return read.whole(pools);
    }

    /** What these are compiled from. */
    public ZoneInputs inputs() {
        return inputs;
    }

    /** What queries are answered from. */
    public PublishedAnswers published() {
        return published;
    }

    /** Stops following the pools. What is published stays. */
    @Override
    public void close() {
        closed = true;
        if (following != null) {
            following.close();
        }
        if (renewal != null) {
            renewal.close();
        }
        CompiledZones inForce = before;
        if (inForce != null) {
            // Their services may have moved on while they were compiled for these.
            before = null;
            stats.retain(inForce.tree.zoneNames(), inForce.serviceNames());
            compiler.execute(() -> inForce.compile(inForce.services));
        }
    }
}
