package io.ballast.dns.config.zone;

import io.ballast.core.Checks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * A service: a name whose records depend on the health of its targets.
 *
 * @param name main name, relative to the zone, in lower case; {@code @} for the zone apex
 * @param type the type of the service's records
 * @param target the source of the service's records
 * @param ttl TTL of the records
 * @param whenAllDown the answer when no target is healthy
 * @param https the HTTPS record of the service, if configured
 * @param otherNames additional names, in the same form as {@code name}; all names share the same answers
 */
public record ServiceConfig(
        String name,
        ServiceType type,
        TargetConfig target,
        TtlConfig ttl,
        WhenAllDown whenAllDown,
        Optional<HttpsConfig> https,
        List<String> otherNames) {

    /** Maximum number of names of one service. */
    public static final int MAX_NAMES = 1000;

    /** A special number of answers that means all usable addresses. */
    public static final int ALL = 0;

    public static final Duration DEFAULT_TTL = Duration.ofSeconds(30);

    public ServiceConfig {
        otherNames = List.copyOf(otherNames);
        Checks.that(new HashSet<>(otherNames).size() == otherNames.size(), "name", otherNames, "no duplicate names");
        Checks.that(!otherNames.contains(name), "name", name, "no duplicate names");
        Checks.that(otherNames.size() < MAX_NAMES, "name", 1 + otherNames.size() + " names", "at most " + MAX_NAMES);
        requireCompatible(target, type);
        if (type.hasConfiguredRecords()) {
            Checks.that(https.isEmpty(), "https", "given", "not set with type: " + type.label());
            Checks.that(
                    whenAllDown instanceof WhenAllDown.Simple,
                    "when_all_down",
                    "a fallback",
                    "all, last_healthy, servfail or nodata with type: " + type.label()
                            + "; a record without a pool is always included");
        }
        if (whenAllDown instanceof WhenAllDown.Fallback fallback) {
            fallback.pool()
                    .ifPresent(pool -> Checks.that(
                            !target.pools().contains(pool),
                            "when_all_down",
                            pool,
                            "a pool that the service does not use already"));
        }
    }

    /** Creates an address service with several names. */
    public ServiceConfig(
            String name,
            TargetConfig target,
            TtlConfig ttl,
            WhenAllDown whenAllDown,
            Optional<HttpsConfig> https,
            List<String> otherNames) {
        this(name, ServiceType.ADDRESS, target, ttl, whenAllDown, https, otherNames);
    }

    /** Creates an address service with one name. */
    public ServiceConfig(
            String name, TargetConfig target, TtlConfig ttl, WhenAllDown whenAllDown, Optional<HttpsConfig> https) {
        this(name, target, ttl, whenAllDown, https, List.of());
    }

    private static void requireCompatible(TargetConfig target, ServiceType type) {
        if (target instanceof TargetConfig.OfRecords recordsTarget) {
            Checks.that(type.hasConfiguredRecords(), "records", "given", "only with a type, such as type: MX");
            Checks.that(
                    type != ServiceType.CNAME || recordsTarget.records().size() == 1,
                    "records",
                    recordsTarget.records().size(),
                    "one record with type: CNAME; to select one of several, use targets with routing");
        } else if (target.children().isEmpty()) {
            Checks.that(
                    !type.hasConfiguredRecords(),
                    target instanceof TargetConfig.OfName ? "alias" : "pool",
                    "given",
                    "records with type: " + type.label());
        }
        target.children().forEach(each -> requireCompatible(each, type));
    }

    /** All names of the service, its main name first. */
    public List<String> names() {
        List<String> names = new ArrayList<>(otherNames);
        names.add(0, name);
        return names;
    }

    /**
     * Creates a service with one pool.
     *
     * @param answers maximum number of addresses in an answer; {@link #ALL} for all of them
     */
    public ServiceConfig(String name, String pool, Routing routing, Duration ttl, int answers) {
        this(
                name,
                TargetConfig.OfPool.of(pool, routing, answers),
                TtlConfig.fixed(ttl),
                WhenAllDown.ALL,
                Optional.empty());
    }

    /**
     * Creates a service whose records do not depend on health.
     *
     * @param data RDATA of each record in zone file format
     */
    public static ServiceConfig ofRecords(String name, ServiceType type, List<String> data, Duration ttl) {
        List<TargetConfig.ConditionalRecord> records = data.stream()
                .map(each -> new TargetConfig.ConditionalRecord(each, Optional.empty(), Optional.empty()))
                .toList();
        return new ServiceConfig(
                name,
                type,
                new TargetConfig.OfRecords(records, TargetConfig.Thresholds.DEFAULT),
                TtlConfig.fixed(ttl),
                WhenAllDown.ALL,
                /* https= */ Optional.empty(),
                /* otherNames= */ List.of());
    }

    /** How a service chooses among the addresses of a pool, or among targets. */
    public enum Routing {
        ROUND_ROBIN("round-robin", ALL),
        WEIGHTED("weighted", 1),
        FAILOVER("failover", ALL),
        GEO("geo", ALL),
        LATENCY("latency", 1),
        RANDOM("random", ALL),
        HASH("hash", 1);

        private final String label;
        private final int defaultAnswers;

        Routing(String label, int defaultAnswers) {
            this.label = label;
            this.defaultAnswers = defaultAnswers;
        }

        /** Returns the name in configuration files and on the dashboard. */
        public String label() {
            return label;
        }

        /**
         * Returns the default number of addresses in an answer. It is 1 for every routing that is meant to choose one
         * address, because resolvers may reorder several addresses.
         */
        public int defaultAnswers() {
            return defaultAnswers;
        }
    }
}
