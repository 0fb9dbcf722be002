package io.ballast.dns.zone.service;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.HealthStatus;
import io.ballast.core.config.HttpsConfig;
import io.ballast.core.config.ServiceConfig;
import io.ballast.core.config.ServiceConfig.Routing;
import io.ballast.core.config.TargetConfig;
import io.ballast.core.config.WhenAllDown;
import io.ballast.core.geo.Regions;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.AnswerSource;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.explain.Explanation;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.zone.pool.PoolView;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;

/** A name, or several, balanced over pools: compiles the answers. Thread safety: confined to the compiler. */
public final class Service {

    /** Hints of one family in an HTTPS record; a client takes real addresses as soon as it has them. */
    public static final int MOST_HINTS = 8;

    private final ServiceConfig config;
    private final List<ServedName> names;
    private final ServiceFamily ipv4;
    private final ServiceFamily ipv6;
    private final @Nullable Regions regions;
    private final int[] cursors;
    /** What was compiled last. */
    private List<TypedSource> compiled = List.of();

    /** What answers a type. */
    private record TypedSource(int type, AnswerSource source) {}

    /**
     * @param names its own first
     * @param regions null if the configuration has no geography
     * @throws IllegalArgumentException if it names a region that there is not
     */
    public Service(ServiceConfig config, List<ServedName> names, Cursors cursors, @Nullable Regions regions) {
        this.config = config;
        this.names = List.copyOf(names);
        int handedOut = cursors.handedOut();
        this.ipv4 = family(config, AddressFamily.IPV4, cursors, regions);
        this.ipv6 = family(config, AddressFamily.IPV6, cursors, regions);
        this.regions = regions;
        this.cursors = cursors.since(handedOut);
    }

    private Service(Service before, List<ServedName> names, @Nullable Regions regions) {
        this.config = before.config;
        this.names = List.copyOf(names);
        this.ipv4 = before.ipv4;
        this.ipv6 = before.ipv6;
        this.regions = regions;
        this.cursors = before.cursors;
    }

    /** The same service in another table. Both go on from what it has learned, and learn together. */
    public Service in(List<ServedName> sameNames, @Nullable Regions otherRegions) {
        return new Service(this, sameNames, otherRegions);
    }

    /** Whether it answers by the regions of clients. */
    public boolean usesRegions() {
        return usesRegions(config.target());
    }

    private static boolean usesRegions(TargetConfig target) {
        return target.routing() == Routing.GEO || target.inside().stream().anyMatch(Service::usesRegions);
    }

    /** What it was made of. */
    public ServiceConfig config() {
        return config;
    }

    int[] cursors() {
        return cursors;
    }

    private static ServiceFamily family(
            ServiceConfig config, AddressFamily family, Cursors cursors, @Nullable Regions regions) {
        return new ServiceFamily(config, family, new Targets(family, cursors, regions), cursors);
    }

    /** The types of the records that a service brings. */
    public static List<Integer> types(ServiceConfig config) {
        return config.https().isPresent()
                ? List.of(RecordType.A, RecordType.AAAA, RecordType.HTTPS)
                : List.of(RecordType.A, RecordType.AAAA);
    }

    /** Its own name. */
    public Name name() {
        return names.get(0).name();
    }

    /** All its names, its own first. */
    public List<ServedName> names() {
        return names;
    }

    public Optional<HttpsConfig> https() {
        return config.https();
    }

    /** Every pool whose health matters. */
    public Set<String> pools() {
        Set<String> pools = new LinkedHashSet<>(config.target().pools());
        if (config.whenAllDown() instanceof WhenAllDown.Fallback fallback) {
            fallback.pool().ifPresent(pools::add);
        }
        return pools;
    }

    /** Whether more than who takes traffic matters: how long checks take, or how they went. */
    public boolean isRestless() {
        return !config.ttl().isFixed() || comparesTimes();
    }

    /** Whether each check brings something new. */
    boolean comparesTimes() {
        return comparesTimes(config.target());
    }

    private static boolean comparesTimes(TargetConfig target) {
        return target.routing() == Routing.LATENCY || target.inside().stream().anyMatch(Service::comparesTimes);
    }

    /** Whether times that agents report matter. */
    public boolean learns() {
        return learns(config.target());
    }

    private static boolean learns(TargetConfig target) {
        boolean itself = target instanceof TargetConfig.OfTargets some
                && some.routing() == Routing.LATENCY
                && some.latency().learned();
        return itself || target.inside().stream().anyMatch(Service::learns);
    }

    /** Says what was compiled last for a family, and why. */
    public Explanation explain(boolean forIpv4, String client, ExplainedClient who, PoolView view) {
        return (forIpv4 ? ipv4 : ipv6).explain(name().toString(true), client, who, view);
    }

    /** Takes in a check of a backend. */
    public void checked(Backend backend, HealthStatus.LastCheck check) {
        ipv4.checked(backend, check);
        ipv6.checked(backend, check);
    }

    /** Whether the answers would be others now, although the same backends take traffic. */
    public boolean isStale(PoolView view) {
        return ipv4.isStale(view) || ipv6.isStale(view);
    }

    /** Compiles the answers with its pools as they are, for {@link #addTo}. */
    public void compile(PoolView view) {
        ServiceFamily.Addresses four = ipv4.compile(view);
        ServiceFamily.Addresses six = ipv6.compile(view);
        List<TypedSource> next = new ArrayList<>();
        add(RecordType.A, four.source(), next);
        add(RecordType.AAAA, six.source(), next);
        config.https()
                .ifPresent(https -> add(RecordType.HTTPS, new AddressHints(https, regions).source(four, six), next));
        compiled = next;
    }

    private static void add(int type, @Nullable AnswerSource source, List<TypedSource> sources) {
        if (source != null) {
            sources.add(new TypedSource(type, source));
        }
    }

    /** What one of its names answers, by what was compiled last, and what else it answers. */
    public NameAnswers addTo(NameAnswers others) {
        NameAnswers all = others;
        for (TypedSource each : compiled) {
            all = all.with(each.type(), each.source());
        }
        return all;
    }
}
