package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.geo.Regions;
import io.ballast.dns.answer.data.AddressFamily;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.answer.data.NameAnswers;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/**
 * A service: one or more names with health-based records. Compiles the answers. Confined to the executor
 * that compiles services.
 */
public final class Service {

    /**
     * The maximum number of IPv4 hints, and of IPv6 hints, in an HTTPS record. Clients prefer the address records as
     * soon as they have received them.
     */
    public static final int MAX_HINTS = 8;

    private final ServiceConfig config;
    private final List<ServedName> names;
    /** The answers for each type; an address service has one for IPv4 and one for IPv6. */
    private final List<TypeAnswers> answers;

    private final @Nullable Regions regions;
    private final int[] cursors;
    /** The answer sources from the last compilation, by record type. */
    private List<TypedSource> compiled = List.of();

    /** The same service in the replaced table; null once this service has been compiled. */
    private @Nullable Service predecessor;

    /** The answer source of a type. */
    private record TypedSource(int type, AnswerSource source) {}

    /**
     * Creates a service without compiling its answers.
     *
     * @param names the names of the service, its main name first
     * @param apex the name of the service's zone
     * @param regions the regions of clients; null if the configuration defines no regions
     * @throws IllegalArgumentException if the service refers to an unknown region, or one of its records is invalid
     */
    public Service(
            ServiceConfig config, List<ServedName> names, Name apex, Cursors cursors, @Nullable Regions regions) {
        this.config = config;
        this.names = List.copyOf(names);
        int handedOut = cursors.handedOut();
        this.answers = config.type().hasConfiguredRecords()
                ? List.of(written(config, apex, cursors, regions))
                : List.of(
                        addresses(config, AddressFamily.IPV4, cursors, regions),
                        addresses(config, AddressFamily.IPV6, cursors, regions));
        this.regions = regions;
        this.cursors = cursors.assignedSince(handedOut);
    }

    private Service(Service before, List<ServedName> names, @Nullable Regions regions) {
        this.config = before.config;
        this.names = List.copyOf(names);
        this.predecessor = before;
        this.answers = before.answers;
        this.regions = regions;
        this.cursors = before.cursors;
    }

    /** Returns a copy of this service for another table. Both share the state that is learned at run time. */
    public Service withNames(List<ServedName> sameNames, @Nullable Regions otherRegions) {
        return new Service(this, sameNames, otherRegions);
    }

    private static TypeAnswers addresses(
            ServiceConfig config, AddressFamily family, Cursors cursors, @Nullable Regions regions) {
        Target target = new Targets(new AddressLeaves(family, cursors), cursors, regions).of(config.target());
        return new AddressAnswers(config, family, target, new AddressesAllDown(config, family, cursors.next()));
    }

    private static TypeAnswers written(ServiceConfig config, Name apex, Cursors cursors, @Nullable Regions regions) {
        WrittenRecords written = WrittenRecords.of(config.type(), apex);
        RecordLeaves leaves = new RecordLeaves(written);
        Target target = new Targets(leaves, cursors, regions).of(config.target());
        RecordsAllDown allDown = new RecordsAllDown(config.whenAllDown(), leaves.createdTargets(), written);
        return new RecordAnswers(config, written.type(), target, allDown);
    }

    /**
     * Checks a service independently of its zone and other services.
     *
     * @throws IllegalArgumentException if one of its records is invalid
     */
    public static void check(ServiceConfig config) {
        check(config.target(), WrittenRecords.of(config.type(), Name.root));
    }

    private static void check(TargetConfig target, WrittenRecords written) {
        if (target instanceof TargetConfig.OfRecords some) {
            some.records().forEach(each -> written.parse(each.data()));
        }
        target.children().forEach(inside -> check(inside, written));
    }

    /** Whether the answers depend on the regions of clients. */
    public boolean usesRegions() {
        return usesRegions(config.target());
    }

    private static boolean usesRegions(TargetConfig target) {
        return target.routing() == Routing.GEO || target.children().stream().anyMatch(Service::usesRegions);
    }

    /** Returns the configuration of the service. */
    public ServiceConfig config() {
        return config;
    }

    int[] cursors() {
        return cursors;
    }

    /** The types of the records that a service provides. */
    public static List<Integer> types(ServiceConfig config) {
        if (config.type().hasConfiguredRecords()) {
            return List.of(Type.value(config.type().name()));
        }
        return config.https().isPresent()
                ? List.of(RecordType.A, RecordType.AAAA, RecordType.HTTPS)
                : List.of(RecordType.A, RecordType.AAAA);
    }

    /** The types that {@link #explain} supports. */
    public List<String> explainedTypes() {
        return answers.stream().map(each -> Type.string(each.type())).toList();
    }

    /** The main name of the service. */
    public Name name() {
        return names.get(0).name();
    }

    /** All names of the service, its main name first. */
    public List<ServedName> names() {
        return names;
    }

    /** Returns all pools whose health affects the answers. */
    public Set<String> pools() {
        Set<String> pools = new LinkedHashSet<>(config.target().pools());
        if (config.whenAllDown() instanceof WhenAllDown.Fallback fallback) {
            fallback.pool().ifPresent(pools::add);
        }
        return pools;
    }

    /** Returns all external names whose addresses affect the answers, in lower case, without the final dot. */
    public Set<String> aliases() {
        return config.target().aliases();
    }

    /**
     * Whether the answers depend on the results or the durations of health checks, and not only on which members
     * take traffic.
     */
    public boolean isDynamic() {
        return !config.ttl().isFixed() || comparesTimes();
    }

    /** Whether each health check may change the answers, because the service compares the durations of checks. */
    boolean comparesTimes() {
        return comparesTimes(config.target());
    }

    private static boolean comparesTimes(TargetConfig target) {
        return target.routing() == Routing.LATENCY || target.children().stream().anyMatch(Service::comparesTimes);
    }

    /** Whether the answers depend on times that agents report. */
    public boolean usesRoundTripTimes() {
        return usesRoundTripTimes(config.target());
    }

    private static boolean usesRoundTripTimes(TargetConfig target) {
        boolean itself = target instanceof TargetConfig.OfTargets some
                && some.routing() == Routing.LATENCY
                && some.latency().learned();
        return itself || target.children().stream().anyMatch(Service::usesRoundTripTimes);
    }

    /**
     * Explains the answers for a type, as of the last compilation.
     *
     * @param type record type, one of {@link #explainedTypes}
     */
    public Explanation explain(int type, String client, ExplainedClient who, PoolView view) {
        for (TypeAnswers each : answers) {
            if (each.type() == type) {
                return each.explain(name().toString(true), client, who, view);
            }
        }
        throw new IllegalArgumentException("type: " + Type.string(type) + " (expected: a record type of the service)");
    }

    /** Processes a check result of a backend. */
    public void recordCheck(Backend backend, HealthStatus.LastCheck check) {
        answers.forEach(each -> each.recordCheck(backend, check));
    }

    /** Returns whether the answers are outdated although the set of backends that take traffic is the same. */
    public boolean isStale(PoolView view) {
        return answers.stream().anyMatch(each -> each.isStale(view));
    }

    /** Reuses the compiled answers of the same service in the table that this table replaces. */
    public void takeOver() {
        Service replaced = predecessor;
        if (replaced != null) {
            compiled = replaced.compiled;
            predecessor = null;
        }
    }

    /** Compiles the answers from the current state of the pools, for {@link #addTo}. */
    public void compile(PoolView view) {
        predecessor = null;
        List<TypedSource> next = new ArrayList<>();
        for (TypeAnswers each : answers) {
            add(each.type(), each.compile(view).source(), next);
        }
        config.https()
                .map(https -> new AddressHints(https, regions))
                .ifPresent(hints -> add(
                        RecordType.HTTPS,
                        hints.source(
                                answers.get(0).lastCompiled(), answers.get(1).lastCompiled()),
                        next));
        compiled = next;
    }

    private static void add(int type, @Nullable AnswerSource source, List<TypedSource> sources) {
        if (source != null) {
            sources.add(new TypedSource(type, source));
        }
    }

    /** Returns {@code others} plus the last compiled answers of this service. */
    public NameAnswers addTo(NameAnswers others) {
        NameAnswers all = others;
        for (TypedSource each : compiled) {
            all = all.with(each.type(), each.source());
            if (each.type() == RecordType.CNAME) {
                all = all.withAlias(each.source());
            }
        }
        return all;
    }
}
