package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.core.FileState;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Registration;
import io.ballast.core.pool.Topology;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.answer.data.PublishedAnswers;
import io.ballast.dns.answer.data.ZoneStatsSlots;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.explain.ExplainedService;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.learn.RoundTripSample;
import io.ballast.dns.learn.RoundTripTimes;
import io.ballast.dns.stats.ZoneStats;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.contents.HeapBudget;
import io.ballast.dns.zone.contents.Names;
import io.ballast.dns.zone.contents.TransferContents;
import io.ballast.dns.zone.contents.ZoneContents;
import io.ballast.dns.zone.service.Cursors;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/**
 * The zones of a configuration, compiled and kept up to date with the pools: when a pool has a new snapshot,
 * its services are compiled again and the next answer table is published.
 *
 * <p>The control plane never waits for compilation. The compiler, an executor of {@link ZoneInputs}, compiles
 * services one task after the other. The signer of {@link SigningSetup} signs whole zones in parallel and
 * passes the result to the compiler. So health changes take effect even while a large zone is being signed.
 *
 * <p>{@link #next} creates the zones of a new configuration, and {@link #begin} replaces the active zones
 * with them. The new zones reuse unchanged state: records of unchanged files, signatures, and the learned
 * state of services.
 *
 * <p>Thread safety: started by any thread; afterwards, mutable state is confined to the compiler thread. Queries do
 * not use this class: they read {@link PublishedAnswers}.
 */
public final class CompiledZones implements AutoCloseable {

    /** The maximum number of IPv4 addresses, and of IPv6 addresses, in an HTTPS record. */
    public static final int MAX_HINTS = Service.MAX_HINTS;

    private final LoadedZones loadedZones;
    private final NameTree tree;
    private final @Nullable SigningSetup setup;
    private final SignedZones signedZones;
    /** The signers that the signing thread uses to sign complete zones. Confined to that thread. */
    private final ZoneSigners wholeSigners;

    private final PublishedAnswers published;
    private final AnswerPublisher publisher;
    private final Executor compiler;
    private final Services services;
    private volatile ZoneInputs inputs;
    /**
     * The most recently signed answers, which the signer has possibly not passed to the compiler yet; confined to the
     * signer.
     */
    private FixedAnswers compiledLast;

    private final Queue<RoundTripSample> reportedSamples = new ConcurrentLinkedQueue<>();
    private final CoalescingTask learningTask;
    private final RoundTripTimes roundTripTimes;
    private final ExplainedServices explained;
    private final ZoneStats stats;
    private final ZoneStatsSlots statsSlots;
    private final int compiledAtStart;
    private @Nullable PoolSubscription poolSubscription;
    private @Nullable Registration aliasRegistration;
    private @Nullable SignatureRenewal renewal;
    private @Nullable SignatureExpiry expiry;

    /** The active zones that this instance will replace; null after the replacement. */
    private @Nullable CompiledZones predecessor;

    private volatile @Nullable CompiledZones successor;

    /** The zones of a configuration with their compiled and signed records, without services. */
    private record CompiledRecords(SignedZones zones, ZoneSigners signers, FixedAnswers fixed) {

        static CompiledRecords compile(
                NameTree tree, SignedZones zones, ZoneSigners signers, FixedAnswers before, int threads) {
            FixedAnswers fixed = FixedAnswers.compile(tree, signers, zones, before, /* isRenewed= */ false, threads);
            return new CompiledRecords(zones, signers, fixed);
        }
    }

    private CompiledZones(
            LoadedZones read,
            CompiledRecords whole,
            ZoneInputs inputs,
            @Nullable SigningSetup setup,
            Services services,
            Cursors cursors,
            @Nullable CompiledZones before) {
        this.loadedZones = read;
        this.tree = read.tree();
        this.setup = setup;
        this.signedZones = whole.zones();
        this.wholeSigners = whole.signers();
        this.inputs = inputs;
        this.compiler = inputs.compiler();
        this.services = services;
        this.predecessor = before;
        this.compiledLast = whole.fixed();
        this.compiledAtStart = whole.fixed().compiled();
        this.roundTripTimes =
                before == null ? new RoundTripTimes(new SecureRandom().nextLong()) : before.roundTripTimes;
        this.stats = before == null ? new ZoneStats() : before.stats;
        this.learningTask = new CoalescingTask(compiler, this::learnReported);
        this.explained = new ExplainedServices(services, compiler, roundTripTimes);
        NameHash hash = tree.hash();
        this.statsSlots = QueryCounts.of(stats, tree, services, before == null ? null : before.statsSlots);
        this.published = new PublishedAnswers(
                hash,
                AnswerTable.of(tree.apexes(), whole.fixed().tables(), cursors.count()),
                signedZones.isEmpty() ? null : counters -> signedZones.onDemand(hash, counters),
                inputs.geo().<Supplier<RegionTable>>map(geo -> geo::current).orElse(null),
                statsSlots);
        this.publisher = new AnswerPublisher(
                tree, services, signedZones, whole.fixed(), published, () -> this.inputs.poolView(roundTripTimes));
    }

    /** Compiles zones without regions of clients; see {@link #start(DnsConfig, ZoneInputs)}. */
    public static CompiledZones start(DnsConfig config, Topology topology) {
        return start(config, ZoneInputs.of(topology));
    }

    /** Compiles zones without regions of clients; see {@link #start(DnsConfig, ZoneInputs, SigningSetup)}. */
    public static CompiledZones start(DnsConfig config, Topology topology, SigningSetup setup) throws IOException {
        return start(config, ZoneInputs.of(topology), setup);
    }

    /**
     * Compiles the zones of a configuration that has no signed zones. Afterwards, compiles the services again
     * when their pools or the clients' regions change.
     *
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is invalid
     */
    public static CompiledZones start(DnsConfig config, ZoneInputs inputs) {
        requireUnsigned(config);
        return start(config, inputs, SignedZones.none(), null);
    }

    private static void requireUnsigned(DnsConfig config) {
        for (ZoneConfig zone : config.zones()) {
            Checks.that(
                    zone.dnssec().isEmpty(),
                    "dnssec",
                    zone.name(),
                    "no signed zone, because there is no key directory");
        }
    }

    /**
     * Compiles the zones of a configuration. Afterwards, compiles services again when their pools change, and signs
     * zones again when keys change or signatures become old.
     *
     * @throws IOException if keys cannot be read, written or used; the message names the file
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is invalid
     */
    public static CompiledZones start(DnsConfig config, ZoneInputs inputs, SigningSetup setup) throws IOException {
        return start(config, inputs, SignedZones.start(config, setup, inputs.nanoTime()), setup);
    }

    private static CompiledZones start(
            DnsConfig config, ZoneInputs inputs, SignedZones signed, @Nullable SigningSetup setup) {
        LoadedZones read = LoadedZones.load(config);
        read.tree().complete();
        Cursors cursors = new Cursors();
        List<Service> services = NextServices.first(read, inputs, cursors).all();
        int processors = Runtime.getRuntime().availableProcessors();
        CompiledRecords whole =
                CompiledRecords.compile(read.tree(), signed, signed.signers(), FixedAnswers.NONE, processors);
        CompiledZones zones =
                new CompiledZones(read, whole, inputs, setup, new Services(services), cursors, /* before= */ null);
        zones.publisher.compile(services);
        zones.follow(Set.of());
        zones.compiler.execute(() -> zones.publisher.compile(services));
        zones.begin();
        return zones;
    }

    /** Returns all problems of the zones of a configuration; reads only zone files. */
    public static ZoneFindings check(DnsConfig config) {
        return check(config, new HashMap<>());
    }

    /**
     * Like {@link #check(DnsConfig)}, for a configuration with a single zone; always reads the current file of the
     * zone.
     */
    public static ZoneFindings checkZone(DnsConfig config) {
        return LoadedZones.read(config, HeapBudget.ofProcess()).findings();
    }

    /**
     * Like {@link #check(DnsConfig)}, and reports the state of the files that were read.
     *
     * @param files map to which the state of each file is added just before the file is read
     */
    public static ZoneFindings check(DnsConfig config, Map<Path, FileState> files) {
        return LoadedZones.check(config, files);
    }

    /**
     * Compiles the zones of a new configuration while the current zones stay active. Compiling a changed zone takes as
     * long as in {@link #start}. The new zones immediately follow changes of their pools. They replace the current
     * zones when {@link #begin} is called, unless they are closed first.
     *
     * @param wanted the new inputs; their compiler is replaced by the compiler of the current zones
     * @return this instance if nothing has changed: the zones, their files, the pools, and the regions of clients
     * @throws IOException if keys cannot be read, written or used; the message names the file
     * @throws InvalidZoneException if a zone file cannot be served
     * @throws IllegalArgumentException if two zones or two services have the same name, or a name is invalid
     */
    public CompiledZones next(DnsConfig config, ZoneInputs wanted) throws IOException {
        ZoneInputs next = wanted.withCompiler(compiler);
        boolean samePools =
                services.all().stream().allMatch(service -> NextServices.isOnSamePools(service, inputs, next));
        if (samePools && next.geo().equals(inputs.geo()) && loadedZones.isCurrentFor(config)) {
            return this;
        }
        return next(config, next, LoadedZones.load(config, loadedZones));
    }

    /**
     * Like {@link #next}, if only files of known zones have changed: all other zones are reused without checking their
     * files. Cost: compiling the changed zones, and one comparison for each other zone.
     *
     * @param changed the zones that have changed
     */
    public CompiledZones nextWithChangedFiles(DnsConfig config, ManagedZoneChanges changed) throws IOException {
        return next(config, inputs, LoadedZones.loadChanged(config, loadedZones, changed));
    }

    private CompiledZones next(DnsConfig config, ZoneInputs next, LoadedZones nextRead) throws IOException {
        nextRead.tree().complete();
        CompiledRecords whole = compileNext(config, nextRead.tree());
        Cursors cursors = new Cursors();
        NextServices nextServices = NextServices.after(services.all(), inputs, nextRead, next, cursors);
        CompiledZones zones =
                new CompiledZones(nextRead, whole, next, setup, new Services(nextServices.all()), cursors, this);
        try {
            zones.follow(nextServices.shared());
            AwaitedTask.runOn(compiler, () -> {
                zones.publisher.compileFirst(publisher, nextServices.shared());
                return zones;
            });
            return zones;
        } catch (IOException | RuntimeException | Error e) {
            zones.close();
            throw e;
        }
    }

    /**
     * Compiles on the signer thread if any zone is signed. That thread also owns the signing state, which the new
     * zones reuse, so no other thread uses the keys. Without signed zones, the calling thread compiles.
     */
    private CompiledRecords compileNext(DnsConfig config, NameTree nextTree) throws IOException {
        SigningSetup keys = setup;
        if (keys == null) {
            requireUnsigned(config);
            return CompiledRecords.compile(nextTree, signedZones, signedZones.signers(), compiledLast, reloadThreads());
        }
        boolean isUnsigned = signedZones.isEmpty()
                && config.zones().stream().allMatch(zone -> zone.dnssec().isEmpty());
        return isUnsigned
                ? compileNext(config, nextTree, keys)
                : AwaitedTask.runOn(keys.signer(), () -> compileNext(config, nextTree, keys));
    }

    private CompiledRecords compileNext(DnsConfig config, NameTree nextTree, SigningSetup keys) throws IOException {
        SignedZones next = signedZones.next(config, keys);
        ZoneSigners nextSigners = next.signers();
        nextSigners.takeOver(wholeSigners);
        return CompiledRecords.compile(nextTree, next, nextSigners, compiledLast, reloadThreads());
    }

    /**
     * Returns half of the number of processors. An operator waits for the reload, but the other threads must
     * continue to answer queries.
     */
    private static int reloadThreads() {
        return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    }

    /**
     * Subscribes to changes before the compilation, so that every change is compiled. A change during the compilation
     * is compiled twice.
     */
    private void follow(Set<Service> shared) {
        aliasRegistration = inputs.aliasAddresses().onChange(publisher::compileAliasServices);
        poolSubscription = PoolSubscription.start(
                inputs.topology(), services.all(), shared, compiler, publisher::compile, publisher::compileStale);
    }

    /** Activates these zones: starts the checks of keys and signatures, and ends the checks of the previous zones. */
    public void begin() {
        loadedZones.markActive();
        if (!tree.hasSameZones()) {
            stats.retainZones(tree.zoneNumbers().keySet());
        }
        stats.retainServices(serviceNames());
        CompiledZones replaced = predecessor;
        predecessor = null;
        if (replaced != null) {
            replaced.successor = this;
            replaced.close();
        }
        if (poolSubscription != null) {
            poolSubscription.watchShared();
        }
        if (setup != null && !signedZones.isEmpty()) {
            renewal = new SignatureRenewal(setup, signedZones, this::renew);
            renewal.start();
        }
        if (setup != null) {
            expiry = SignatureExpiry.start(setup, tree.allContents(), replaced == null ? null : replaced.expiry);
        }
        if (replaced != null && !services.all().isEmpty()) {
            compiler.execute(() -> publisher.compileStale(services.all()));
        }
    }

    /** The records of a zone as they are served; empty if the zone is not served. */
    public Optional<ZoneContents> contents(Name apex) {
        return loadedZones.contents(apex);
    }

    /** Replaces the inputs with inputs that contain the same pools in a new topology. */
    public void replaceInputs(ZoneInputs other) {
        inputs = other.withCompiler(compiler);
    }

    /**
     * Re-signs the zones with changed keys, or all signed zones if their signatures may need renewal. Runs on the
     * signer thread.
     */
    private void renew(boolean isOld) {
        FixedAnswers next =
                FixedAnswers.compile(tree, wholeSigners, signedZones, compiledLast, isOld, /* threads= */ 1);
        compiledLast = next;
        compiler.execute(() -> publisher.adopt(next));
    }

    /** Returns the number of zones that were compiled at the start; all other zones were reused. */
    public int compiledZoneCount() {
        return compiledAtStart;
    }

    /** Adds round-trip times reported by agents, and updates the services that use them; returns immediately. */
    public void learn(List<RoundTripSample> samples) {
        CompiledZones later = successor;
        if (later != null) {
            later.learn(samples);
            return;
        }
        reportedSamples.addAll(samples);
        learningTask.request();
    }

    private void learnReported() {
        List<RoundTripSample> samples = new ArrayList<>();
        for (RoundTripSample next = reportedSamples.poll(); next != null; next = reportedSamples.poll()) {
            samples.add(next);
        }
        roundTripTimes.add(samples, inputs.nanoTime().getAsLong());
        publisher.compile(
                services.all().stream().filter(Service::usesRoundTripTimes).toList());
    }

    /**
     * Explains the current answers of a service. Do not call this on the hot path or on a thread that other threads
     * wait for: it may read geography databases, and waits for the compiler.
     *
     * @param name the service's name, or a name that its wildcard matches
     * @param type a record type of the service; not HTTPS for an address service, because the A and AAAA explanations
     *     cover the hints of its HTTPS record
     * @param from the client's address; absent for an unspecified client
     * @throws IllegalArgumentException if there is no such service, or if the service does not have the type
     */
    public Explanation explain(String name, int type, Optional<IpAddress> from) throws IOException {
        return explained.explain(name, type, from, inputs);
    }

    /** Returns the absolute names of all services, as configured, without duplicates. */
    public List<String> serviceNames() {
        return services.names();
    }

    /** Returns the services in the order of the configuration. */
    public List<ExplainedService> explainable() {
        return explained.services();
    }

    /**
     * Returns the configuration of the HTTPS record of an address service; empty if the service has no such
     * record. Throws like {@link #explain}.
     */
    public Optional<HttpsConfig> https(String name) {
        return services.find(Names.absolute(name), RecordType.HTTPS).config().https();
    }

    /** Returns the query statistics of zones and services, which reloads preserve. */
    public ZoneStats stats() {
        return stats;
    }

    /**
     * Returns the contents of all transferable zones by name. Cost: linear in the number of services.
     *
     * @param pools the pools of the services
     */
    public Map<Name, TransferContents> transferContents(Topology pools) {
        return loadedZones.transferContents(pools);
    }

    /** Returns the inputs of the compilation. */
    public ZoneInputs inputs() {
        return inputs;
    }

    /** Returns the published answers. */
    public PublishedAnswers published() {
        return published;
    }

    /** Stops recompiling answers when pools change. The published answers stay in use. */
    @Override
    public void close() {
        publisher.close();
        if (poolSubscription != null) {
            poolSubscription.close();
        }
        if (aliasRegistration != null) {
            aliasRegistration.close();
        }
        if (renewal != null) {
            renewal.close();
        }
        if (expiry != null) {
            expiry.close();
        }
        CompiledZones active = predecessor;
        if (active != null) {
            // These zones were not activated. Compiling them may have changed the state of the services that they share
            // with the active zones, so the active services are compiled again.
            predecessor = null;
            stats.retainZones(active.tree.zoneNumbers().keySet());
            stats.retainServices(active.serviceNames());
            compiler.execute(() -> active.publisher.compile(active.services.all()));
        }
    }
}
