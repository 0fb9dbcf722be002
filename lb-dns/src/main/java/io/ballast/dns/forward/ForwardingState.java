package io.ballast.dns.forward;

import io.ballast.core.config.DnsCacheConfig;
import io.ballast.core.config.DnsForwardConfig;
import io.ballast.core.net.CidrSet;
import io.ballast.core.pool.Topology;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.wire.NameHash;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a forwarder has through all its configurations: what it keeps, who waits, and the numbers of the groups that are asked.
 *
 * <p>Thread safety: configurations are prepared and committed one after the other, by any threads; the rest may be called by any.
 */
public final class ForwardingState {

    private final UpstreamGroups groups = new UpstreamGroups();
    private final Places places = new Places(DnsForwardConfig.DEFAULT_OUTSTANDING);
    private volatile @Nullable AnswerCache cache;

    /** Places for queries that wait. */
    public Places places() {
        return places;
    }

    /** What is kept; empty while nothing is. */
    public Optional<AnswerCache> cache() {
        return Optional.ofNullable(cache);
    }

    /**
     * Compiles a configuration. Nothing changes until it is committed.
     *
     * @param pools has the pools that it names
     * @param hash of the names of queries
     */
    public Forwarding prepare(DnsForwardConfig config, Topology pools, NameHash hash) {
        ForwardRoutes routes = ForwardRoutes.of(
                config,
                upstream -> new Upstream(groups.number(upstream), pools.pool(upstream.pool()), upstream.protocol()),
                hash);
        AnswerCache kept = config.cache().map(this::cacheFor).orElse(null);
        return new Forwarding(CidrSet.of(config.clients()), routes, ForwardSettings.of(config, kept), places);
    }

    private AnswerCache cacheFor(DnsCacheConfig config) {
        AnswerCache present = cache;
        return present == null ? new AnswerCache(config.sizeBytes(), config.stale()) : present;
    }

    /** The configuration is in force. */
    public void commit(DnsForwardConfig config, Forwarding prepared) {
        places.limit(config.outstanding());
        AnswerCache next = prepared.settings().cache();
        cache = next;
        if (next != null) {
            next.resize(config.cache().orElseThrow().sizeBytes());
            next.keepStale(config.cache().orElseThrow().stale());
        }
    }

    /** Nothing is forwarded any more. */
    public void end() {
        cache = null;
    }
}
