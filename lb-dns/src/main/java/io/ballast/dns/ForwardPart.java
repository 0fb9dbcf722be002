package io.ballast.dns;

import io.ballast.core.net.CidrSet;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.forwarded.ForwardedSource;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.follow.AliasResolver;
import io.ballast.dns.follow.ForwarderResolver;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.UpstreamFailureListener;
import io.ballast.dns.forward.upstream.UpstreamCounter;
import io.ballast.dns.forward.upstream.UpstreamSettings;
import io.ballast.dns.forward.upstream.UpstreamTls;
import io.ballast.dns.forward.validate.ValidationPool;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.querylog.QueryLog;
import io.ballast.dns.querylog.QueryRecorder;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.wire.NameHash;
import io.ballast.net.loop.FrontendLoops;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The forwarder of a frontend: the upstream clients of each event loop, and state that outlives them. The
 * clients exist only while forwarding is configured.
 *
 * <p>Thread safety: prepared, committed and closed by one thread at a time.
 */
final class ForwardPart {

    private final FrontendLoops<AnswerLoop> loops;
    private final ActiveAnswerConfig active;
    private final DnsStats stats;
    private final UpstreamFailureListener failure;
    private final UpstreamTls tls;
    private final QueryLog log;
    private final ForwardingState state;
    /** Counters, one shard for each loop; created when forwarding is first configured, and never replaced. */
    private final List<Counters.Shard<DnsCounter>> shards = new ArrayList<>();

    /**
     * Query log recorders for deferred replies; created when forwarding is first configured, and never replaced.
     */
    private final List<QueryRecorder> recorders = new ArrayList<>();

    private final Counters<UpstreamCounter> events;
    private final ValidationPool validations = new ValidationPool();
    private final AliasResolver aliasResolver;
    private final ForwarderResolver forwarderResolver;

    private @Nullable ResolverLoops resolverLoops;
    /** The previous upstream clients, which answer queries that were pending when forwarding was removed. */
    private @Nullable ResolverLoops retired;

    /** A prepared configuration that has not been committed. */
    record Prepared(
            ForwardingState.@Nullable Prepared forwarding,
            @Nullable ResolverLoops resolverLoops,
            @Nullable ForwardedSource source) {

        /** No forwarding: names outside the zones are refused. */
        static final Prepared NONE =
                new Prepared(/* forwarding= */ null, /* resolverLoops= */ null, /* source= */ null);
    }

    /**
     * @param tls TLS settings for upstream resolvers
     * @param log query log for deferred replies
     * @param followed alias targets, which this forwarder resolves once forwarding is configured
     * @param lists setup of rule lists; null if there are none
     */
    ForwardPart(
            FrontendLoops<AnswerLoop> loops,
            ActiveAnswerConfig active,
            DnsStats stats,
            UpstreamFailureListener failure,
            UpstreamTls tls,
            QueryLog log,
            AliasResolver followed,
            @Nullable ListSetup lists) {
        this.loops = loops;
        this.events = new Counters<>(UpstreamCounter.class, loops.all().size());
        this.active = active;
        this.stats = stats;
        this.failure = failure;
        this.tls = tls;
        this.log = log;
        NameHash hash = active.current().answers().hash();
        this.state = new ForwardingState(hash, lists);
        this.aliasResolver = followed;
        this.forwarderResolver = new ForwarderResolver(hash, followed.executor());
        followed.start(forwarderResolver, this::schedule, stats.newShard());
    }

    /** Runs a task on an event loop after a delay. */
    private void schedule(Runnable task, long delayNanos) {
        try {
            loops.all().get(0).eventLoop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Drop the task: the event loop rejects it because the process is ending.
        }
    }

    ForwardingState state() {
        return state;
    }

    /** Returns the upstream event counts so far. May be called from any thread. */
    Map<UpstreamCounter, Long> upstreamEvents() {
        Map<UpstreamCounter, Long> sums = new EnumMap<>(UpstreamCounter.class);
        for (UpstreamCounter counter : UpstreamCounter.values()) {
            sums.put(counter, events.sum(counter));
        }
        return sums;
    }

    /** Returns whether upstream clients, and therefore their buffers, exist. */
    boolean hasUpstreamClients() {
        return resolverLoops != null;
    }

    /**
     * @param pools topology with the pools of upstream resolvers
     * @throws IOException if a rule list cannot be read; the message names the list
     */
    Prepared prepare(DnsConfig config, Topology pools) throws IOException {
        if (config.forward().isEmpty()) {
            return Prepared.NONE;
        }
        ForwardingState.Prepared next = state.prepare(config.forward().get(), pools);
        ResolverLoops those = resolverLoops == null ? newLoops() : resolverLoops;
        return new Prepared(
                next,
                those,
                new ForwardedSource(next.forwarding(), those.all(), System::nanoTime, CidrSet.of(config.ecsTrusted())));
    }

    private ResolverLoops newLoops() {
        while (shards.size() < loops.all().size()) {
            shards.add(stats.newShard());
            recorders.add(log.recorder());
        }
        return new ResolverLoops(loops, active, shards, recorders, events, failure, state.permits(), validations);
    }

    /** Discards a prepared configuration. */
    void abandon(Prepared prepared) {
        if (prepared.forwarding() != null) {
            state.abandon(prepared.forwarding());
        }
    }

    /** Activates a prepared configuration. The previous configuration answers no query that arrives later. */
    void commit(Prepared prepared) {
        ForwardingState.Prepared next = prepared.forwarding();
        ResolverLoops those = prepared.resolverLoops();
        if (next == null || those == null) {
            state.stop();
            forwarderResolver.source(null);
            retire();
            return;
        }
        DnsForwardConfig config = next.config();
        state.commit(next);
        resolverLoops = those;
        those.settings(UpstreamSettings.DEFAULT
                .with(config.timeout(), config.randomCase(), config.outstanding())
                .with(tls));
        forwarderResolver.source(prepared.source());
        aliasResolver.retry();
    }

    private void retire() {
        if (resolverLoops == null) {
            return;
        }
        if (retired != null) {
            retired.close(); // closes the previously retired clients, so that at most one retired set exists
        }
        resolverLoops.retire();
        retired = resolverLoops;
        resolverLoops = null;
    }

    /** Stops all upstream queries. Returns when every event loop has stopped. */
    void close() {
        aliasResolver.close();
        state.stop();
        validations.close();
        for (ResolverLoops each : new @Nullable ResolverLoops[] {resolverLoops, retired}) {
            if (each != null) {
                each.close();
            }
        }
    }
}
