package io.ballast.dns.forward;

import io.ballast.core.net.CidrSet;
import io.ballast.core.pool.Topology;
import io.ballast.dns.config.forward.DnsCacheConfig;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsPolicyConfig;
import io.ballast.dns.config.forward.DnsValidationConfig;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.SpecialNames;
import io.ballast.dns.forward.filter.list.ListState;
import io.ballast.dns.forward.validate.TrustAnchors;
import io.ballast.dns.forward.validate.Validator;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.xbill.DNS.Type;

/**
 * The parts of a forwarder that survive reloads: the cache, pending queries, and the numbers of upstream groups.
 *
 * <p>Thread safety: configurations are prepared and committed one after the other, by any thread; any thread may call
 * the other methods.
 */
public final class ForwardingState {

    private static final Logger LOG = LoggerFactory.getLogger(ForwardingState.class);

    private final UpstreamGroups groups = new UpstreamGroups();
    private final NameHash hash;
    private final SpecialNames specialNames;
    private final Filters filters;
    private final QueryPermits places = new QueryPermits(DnsForwardConfig.DEFAULT_OUTSTANDING);
    private final Clock clock;
    private volatile @Nullable AnswerCache cache;
    private volatile @Nullable Prepared current;
    private volatile @Nullable Validator validator;

    /** A configuration that waits for its commit. */
    public record Prepared(DnsForwardConfig config, ForwarderSnapshot forwarding, Filters.Prepared filter) {}

    /**
     * @param hash of the names of queries
     * @param lists null where there can be no lists of rules
     */
    public ForwardingState(NameHash hash, @Nullable ListSetup lists) {
        this(hash, lists, Clock.systemUTC());
    }

    /** @param clock by which signatures are valid */
    public ForwardingState(NameHash hash, @Nullable ListSetup lists, Clock clock) {
        this.specialNames = new SpecialNames(hash);
        this.hash = hash;
        this.clock = clock;
        this.filters = new Filters(lists, hash, this::forget);
    }

    private void forget() {
        int forgotten = flushAll();
        if (forgotten > 0) {
            LOG.info("msg=\"the rules for names have changed; the cache starts empty\" answers={}", forgotten);
        }
    }

    private int flushAll() {
        AnswerCache kept = cache;
        return kept == null ? 0 : kept.flush();
    }

    /**
     * Reads the lists of a filter, like {@link #prepare}.
     *
     * @throws IOException likewise
     */
    public static List<String> check(DnsFilterConfig filter, ListSetup lists) throws IOException {
        Filters.Prepared prepared =
                new Filters(lists, NameHash.random(), () -> {}).prepare(Optional.of(filter), DnsPolicyConfig.NONE);
        List<String> warnings =
                prepared.lists() == null ? List.of() : prepared.lists().warnings();
        prepared.close();
        return warnings;
    }

    /** QueryPermits for queries that wait. */
    public QueryPermits places() {
        return places;
    }

    /** Returns the cache, if enabled. */
    public Optional<AnswerCache> cache() {
        return Optional.ofNullable(cache);
    }

    /** Returns the run-time control of the filter, if lists are supported. */
    public Optional<FilterControl> filterControl() {
        return filters.control();
    }

    /** Returns the active filter. */
    public Optional<NameFilter> filter() {
        return filters.filter();
    }

    /**
     * Forgets answers: all, or those about a name, or about that and all names below it.
     *
     * @param name in text; absent for all names
     * @param below whether names below it are forgotten too
     * @param type of the records; absent for all types
     * @return how many answers were forgotten
     * @throws IllegalArgumentException if that is no name, or no type
     */
    public int flush(Optional<String> name, boolean below, Optional<String> type) {
        AnswerCache kept = cache;
        byte[] wire = name.map(ForwardRoutes::wire).orElse(null);
        int number = type.map(ForwardingState::number).orElse(0);
        if (kept == null) {
            return 0;
        }
        if (wire == null) {
            return type.isPresent() ? kept.flushType(number) : kept.flush();
        }
        if (below) {
            return type.isPresent() ? kept.flushSuffix(wire, number) : kept.flushSuffix(wire);
        }
        return type.isPresent() ? kept.flushType(wire, number) : kept.flush(wire);
    }

    private static int number(String type) {
        int number = Type.value(type);
        if (number < 0) {
            throw new IllegalArgumentException("type: " + type + " (expected: a type of records, such as AAAA)");
        }
        return number;
    }

    /**
     * Writes what is kept to a file, if the configuration asks for that. The file before stays if it cannot be written.
     *
     * @return how many answers are in it
     */
    public int save(Path file) throws IOException {
        CacheSnapshot snapshot = snapshot();
        return snapshot == null ? 0 : snapshot.save(file);
    }

    /**
     * Loads the cache that {@link #save} wrote, as far as its answers may still be served. May take long; queries are
     * answered meanwhile.
     *
     * @return the number of answers
     * @throws IOException if the file cannot be read or is incomplete; the message names the file and the reason
     */
    public int restore(Path file) throws IOException {
        CacheSnapshot snapshot = snapshot();
        return snapshot == null || !Files.exists(file) ? 0 : snapshot.restore(file);
    }

    private @Nullable CacheSnapshot snapshot() {
        Prepared present = current;
        AnswerCache kept = cache;
        return present == null
                        || kept == null
                        || !present.config()
                                .cache()
                                .map(DnsCacheConfig::snapshot)
                                .orElse(false)
                ? null
                : new CacheSnapshot(kept, present.forwarding().settings(), groups, hash, clock, System::nanoTime);
    }

    /** Number of queries that each list has blocked since the start, by name. */
    public Map<String, Long> blockedByList() {
        return filters.blockedByList();
    }

    /** How its lists fare. */
    public List<ListState> lists() {
        return filters.lists();
    }

    /**
     * Compiles a configuration, and reads its lists of rules. Nothing changes until it is committed.
     *
     * @param pools has the pools that it names
     * @throws IOException if a list or the trust anchors cannot be read; the message says which
     */
    public Prepared prepare(DnsForwardConfig config, Topology pools) throws IOException {
        ForwardRoutes routes = ForwardRoutes.of(
                config,
                upstream -> new Upstream(
                        groups.number(upstream),
                        pools.pool(upstream.pool()),
                        upstream.protocol(),
                        upstream.path(),
                        upstream.clientSubnet().map(SubnetPolicy::new).orElse(null)),
                hash);
        AnswerCache kept = config.cache().map(this::cacheFor).orElse(null);
        Validator checks = validator(config);
        Filters.Prepared filter = filters.prepare(config.filter(), config.policy());
        ForwardSettings settings = ForwardSettings.of(config, kept, filter.filter(), checks);
        ForwarderSnapshot forwarding = new ForwarderSnapshot(
                CidrSet.of(config.clients()), routes, specialNames, settings, places, filter.filter());
        return new Prepared(config, forwarding, filter);
    }

    /** Returns the validator; an unchanged one is reused, because it has cached keys. */
    private @Nullable Validator validator(DnsForwardConfig config) throws IOException {
        if (config.dnssec().mode() == DnsValidationConfig.Mode.OFF) {
            return null;
        }
        TrustAnchors anchors = TrustAnchors.of(config.validation());
        Validator present = validator;
        return present != null && present.anchors().equals(anchors) ? present : new Validator(anchors, clock);
    }

    private AnswerCache cacheFor(DnsCacheConfig config) {
        AnswerCache present = cache;
        return present == null ? new AnswerCache(config.sizeBytes(), config.stale()) : present;
    }

    /** Activates a prepared configuration. */
    public void commit(Prepared prepared) {
        DnsForwardConfig config = prepared.config();
        places.limit(config.outstanding());
        AnswerCache next = prepared.forwarding().settings().cache();
        cache = next;
        Validator checks = prepared.forwarding().settings().validator();
        Validator before = validator;
        if (checks != before) {
            if (before != null) {
                before.replaced();
            }
            validator = checks;
            int forgotten = flushAll();
            LOG.info("msg=\"the trust anchors have changed; the cache starts empty\" answers={}", forgotten);
        }
        if (next != null) {
            next.resize(config.cache().orElseThrow().sizeBytes());
            next.keepStale(config.cache().orElseThrow().stale());
        }
        filters.commit(prepared.filter());
        current = prepared;
    }

    /** It does not come into force. */
    public void abandon(Prepared prepared) {
        filters.abandon(prepared.filter());
    }

    /** Stops forwarding. */
    public void end() {
        cache = null;
        current = null;
        validator = null;
        filters.commit(Filters.Prepared.NONE);
    }
}
