package io.ballast.dns.history;

import io.ballast.core.stats.LatencyHistogram;
import io.ballast.dns.querylog.AnsweredQuery;
import io.ballast.dns.querylog.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The statistics of one hour: its most frequent names and clients, its blocking lists, and its resolvers. Guarded by
 * the lock of its {@link DnsHistory}.
 */
final class HourStats {

    /** Number of counters for names, of counters for clients, and of counters for blocked names. */
    static final int COUNTERS_PER_KIND = 256;

    /**
     * Maximum number of lists, and of resolvers, that are counted separately; all further lists and resolvers count as
     * {@link #OTHERS}.
     */
    static final int MAX_NAMED = 64;

    static final String OTHERS = "others";

    /** Response codes that count as a resolver's failure. */
    private static final Set<String> FAILURES = Set.of("SERVFAIL", "REFUSED");

    private final long number;
    private final FrequentItems names = new FrequentItems(COUNTERS_PER_KIND);
    private final FrequentItems clients = new FrequentItems(COUNTERS_PER_KIND);
    private final FrequentItems blockedNames = new FrequentItems(COUNTERS_PER_KIND);
    private final Map<String, long[]> lists = new HashMap<>();
    private final Map<String, Resolver> resolvers = new HashMap<>();

    /** The answers of one resolver to client queries. */
    static final class Resolver {
        private long failures;
        private final LatencyHistogram times = new LatencyHistogram();

        long failures() {
            return failures;
        }

        LatencyHistogram times() {
            return times;
        }
    }

    /** @param number number of the hour since the epoch */
    HourStats(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }

    void add(AnsweredQuery query) {
        names.add(query.name());
        if (!query.client().isEmpty()) {
            clients.add(query.client());
        }
        if (query.outcome() == Outcome.BLOCKED) {
            blockedNames.add(query.name());
            getOrCreate(lists, query.decider(), () -> new long[1])[0]++;
        } else if (query.outcome() == Outcome.MISS && !query.decider().isEmpty()) {
            Resolver resolver = getOrCreate(resolvers, query.decider(), Resolver::new);
            resolver.times.record(query.micros() * 1000);
            resolver.failures += FAILURES.contains(query.rcode()) ? 1 : 0;
        }
    }

    private static <T> T getOrCreate(Map<String, T> all, String name, Supplier<T> first) {
        boolean hasCapacity = all.size() < MAX_NAMED || all.containsKey(name);
        return all.computeIfAbsent(hasCapacity ? name : OTHERS, unknown -> first.get());
    }

    FrequentItems names() {
        return names;
    }

    FrequentItems clients() {
        return clients;
    }

    FrequentItems blockedNames() {
        return blockedNames;
    }

    Map<String, long[]> lists() {
        return lists;
    }

    Map<String, Resolver> resolvers() {
        return resolvers;
    }
}
