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
 * The parts of a forwarder that survive reloads: the cache, pending queries, and the ids of upstream
 * groups.
 *
 * <p>Thread safety: configurations are prepared and committed one after the other, by any thread; any
 * thread may call the other methods.
 */
public final class ForwardingState {

    private static final Logger LOG = LoggerFactory.getLogger(ForwardingState.class);

    private final UpstreamGroups groups = new UpstreamGroups();
    private final NameHash hash;
    private final SpecialNames specialNames;
    private final Filters filters;
    private final QueryPermits permits = new QueryPermits(DnsForwardConfig.DEFAULT_OUTSTANDING);
    private final Clock clock;
    private volatile @Nullable AnswerCache cache;
    private volatile @Nullable Prepared current;
    private volatile @Nullable Validator validator;

    /** A configuration that is ready to be committed. */
    public record Prepared(DnsForwardConfig config, ForwarderSnapshot forwarding, Filters.Prepared filter) {}

    /**
     * @param hash hash of query names
     * @param lists setup of rule lists; null if lists are not supported
     */
    public ForwardingState(NameHash hash, @Nullable ListSetup lists) {
        this(hash, lists, Clock.systemUTC());
    }

    /** @param clock clock for the validity of signatures */
    public ForwardingState(NameHash hash, @Nullable ListSetup lists, Clock clock) {
        this.specialNames = new SpecialNames(hash);
        this.hash = hash;
        this.clock = clock;
        this.filters = new Filters(lists, hash, this::flushAfterRuleChange);
    }

    private void flushAfterRuleChange() {
        int flushed = flushAll();
        if (flushed > 0) {
            LOG.info("msg=\"the filter rules have changed; the cache was flushed\" answers={}", flushed);
        }
    }

    private int flushAll() {
        AnswerCache activeCache = cache;
        return activeCache == null ? 0 : activeCache.flush();
    }

    /**
     * Reads the lists of a filter, like {@link #prepare}, and returns the warnings.
     *
     * @throws IOException if a list cannot be read, or there are too many rules; the message names the list
     */
    public static List<String> check(DnsFilterConfig filter, ListSetup lists) throws IOException {
        Filters.Prepared prepared =
                new Filters(lists, NameHash.random(), () -> {}).prepare(Optional.of(filter), DnsPolicyConfig.NONE);
        List<String> warnings =
                prepared.lists() == null ? List.of() : prepared.lists().warnings();
        prepared.close();
        return warnings;
    }

    /** Returns the permits for pending queries. */
    public QueryPermits permits() {
        return permits;
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
     * Removes answers from the cache: all answers, the answers about a name, or the answers about a name and all
     * names below it.
     *
     * @param name the name as text; absent for all names
     * @param includesNamesBelow whether answers about names below it are also removed
     * @param type the type of the records; absent for all types
     * @return the number of removed answers
     * @throws IllegalArgumentException if the name or the type is invalid
     */
    public int flush(Optional<String> name, boolean includesNamesBelow, Optional<String> type) {
        AnswerCache activeCache = cache;
        byte[] wire = name.map(ForwardRoutes::wire).orElse(null);
        int typeNumber = type.map(ForwardingState::parseType).orElse(0);
        if (activeCache == null) {
            return 0;
        }
        if (wire == null) {
            return type.isPresent() ? activeCache.flushType(typeNumber) : activeCache.flush();
        }
        if (includesNamesBelow) {
            return type.isPresent() ? activeCache.flushSuffix(wire, typeNumber) : activeCache.flushSuffix(wire);
        }
        return type.isPresent() ? activeCache.flushType(wire, typeNumber) : activeCache.flush(wire);
    }

    private static int parseType(String type) {
        int typeNumber = Type.value(type);
        if (typeNumber < 0) {
            throw new IllegalArgumentException("type: " + type + " (expected: a record type, such as AAAA)");
        }
        return typeNumber;
    }

    /**
     * Saves the cache to a file, if this is configured. If the file cannot be written, the previous file is kept.
     *
     * @return the number of saved answers
     */
    public int save(Path file) throws IOException {
        CacheSnapshot snapshot = createSnapshot();
        return snapshot == null ? 0 : snapshot.save(file);
    }

    /**
     * Loads the answers that {@link #save} wrote and that may still be served. May take long; queries are
     * answered while it runs.
     *
     * @return the number of restored answers
     * @throws IOException if the file cannot be read or is incomplete; the message names the file and the reason
     */
    public int restore(Path file) throws IOException {
        CacheSnapshot snapshot = createSnapshot();
        return snapshot == null || !Files.exists(file) ? 0 : snapshot.restore(file);
    }

    private @Nullable CacheSnapshot createSnapshot() {
        Prepared activeConfig = current;
        AnswerCache activeCache = cache;
        return activeConfig == null
                        || activeCache == null
                        || !activeConfig
                                .config()
                                .cache()
                                .map(DnsCacheConfig::snapshot)
                                .orElse(false)
                ? null
                : new CacheSnapshot(
                        activeCache, activeConfig.forwarding().settings(), groups, hash, clock, System::nanoTime);
    }

    /** Returns the number of queries that each list has blocked since the start, by list name. */
    public Map<String, Long> blockedByList() {
        return filters.blockedByList();
    }

    /** Returns the state of each list of the active filter. */
    public List<ListState> lists() {
        return filters.lists();
    }

    /**
     * Compiles a configuration, and reads its rule lists. Nothing changes until it is committed.
     *
     * @param pools topology that has the pools of the upstreams
     * @throws IOException if a list or the trust anchors cannot be read; the message names the list or the file
     */
    public Prepared prepare(DnsForwardConfig config, Topology pools) throws IOException {
        ForwardRoutes routes = ForwardRoutes.of(
                config,
                upstream -> new Upstream(
                        groups.number(upstream),
                        pools.pool(upstream.pool()),
                        upstream.protocol(),
                        upstream.path(),
                        upstream.clientSubnet().map(SubnetPolicy::new).orElse(null),
                        upstream.ednsOptions().isEmpty() ? null : new OptionPolicy(upstream.ednsOptions())),
                hash);
        AnswerCache nextCache = config.cache().map(this::cacheFor).orElse(null);
        Validator nextValidator = validator(config);
        Filters.Prepared filter = filters.prepare(config.filter(), config.policy());
        ForwardSettings settings = ForwardSettings.of(config, nextCache, filter.filter(), nextValidator);
        ForwarderSnapshot forwarding = new ForwarderSnapshot(
                CidrSet.of(config.clients()), routes, specialNames, settings, permits, filter.filter());
        return new Prepared(config, forwarding, filter);
    }

    /** Returns the validator. If its configuration is unchanged, it is reused, because it has cached keys. */
    private @Nullable Validator validator(DnsForwardConfig config) throws IOException {
        if (config.dnssec().mode() == DnsValidationConfig.Mode.OFF) {
            return null;
        }
        TrustAnchors anchors = TrustAnchors.of(config.validation());
        Validator existing = validator;
        return existing != null && existing.anchors().equals(anchors) ? existing : new Validator(anchors, clock);
    }

    private AnswerCache cacheFor(DnsCacheConfig config) {
        AnswerCache existing = cache;
        return existing == null ? new AnswerCache(config.sizeBytes(), config.stale()) : existing;
    }

    /** Activates a prepared configuration. */
    public void commit(Prepared prepared) {
        DnsForwardConfig config = prepared.config();
        permits.setLimit(config.outstanding());
        AnswerCache next = prepared.forwarding().settings().cache();
        cache = next;
        Validator nextValidator = prepared.forwarding().settings().validator();
        Validator previousValidator = validator;
        if (nextValidator != previousValidator) {
            if (previousValidator != null) {
                previousValidator.replaced();
            }
            validator = nextValidator;
            int flushed = flushAll();
            LOG.info("msg=\"the trust anchors have changed; the cache was flushed\" answers={}", flushed);
        }
        if (next != null) {
            next.resize(config.cache().orElseThrow().sizeBytes());
            next.setStaleTime(config.cache().orElseThrow().stale());
        }
        filters.commit(prepared.filter());
        current = prepared;
    }

    /** Discards a prepared configuration that will not be committed. */
    public void abandon(Prepared prepared) {
        filters.abandon(prepared.filter());
    }

    /** Stops forwarding. */
    public void stop() {
        cache = null;
        current = null;
        validator = null;
        filters.commit(Filters.Prepared.NONE);
    }
}
