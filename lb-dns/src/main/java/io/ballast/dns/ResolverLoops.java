package io.ballast.dns;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.forwarded.DeferredReplies;
import io.ballast.dns.answer.forwarded.ForwardLoops;
import io.ballast.dns.answer.forwarded.ResolverLoop;
import io.ballast.dns.forward.Forwarder;
import io.ballast.dns.forward.QueryPermits;
import io.ballast.dns.forward.UpstreamFailureListener;
import io.ballast.dns.forward.upstream.UpstreamCounter;
import io.ballast.dns.forward.upstream.UpstreamSettings;
import io.ballast.dns.forward.upstream.Upstreams;
import io.ballast.dns.forward.validate.ValidationPool;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.querylog.QueryRecorder;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.net.loop.FrontendLoops;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The forwarders and upstream connections of each event loop of a frontend. This object exists while
 * forwarding is configured. It holds buffers, but opens no socket before the first query.
 *
 * <p>Thread safety: created and closed by one thread at a time; otherwise like {@link ForwardLoops}.
 */
final class ResolverLoops {

    private final FrontendLoops<AnswerLoop> loops;
    private final List<Upstreams> upstreams = new ArrayList<>();
    private final List<ResolverLoop> resolverLoops = new ArrayList<>();
    private final ForwardLoops all;

    /**
     * @param shards counters, one shard for each loop
     * @param recorders query log recorders, one for each loop
     * @param events upstream counters, one shard for each loop
     */
    ResolverLoops(
            FrontendLoops<AnswerLoop> loops,
            ActiveAnswerConfig active,
            List<Counters.Shard<DnsCounter>> shards,
            List<QueryRecorder> recorders,
            Counters<UpstreamCounter> events,
            UpstreamFailureListener failure,
            QueryPermits places,
            ValidationPool validations) {
        this.loops = loops;
        SecureRandom seeds = new SecureRandom();
        int count = loops.all().size();
        for (int i = 0; i < count; i++) {
            AnswerLoop loop = loops.all().get(i);
            Counters.Shard<DnsCounter> shard = shards.get(i);
            Upstreams resolvers = new Upstreams(loop, loops.transport(), UpstreamSettings.DEFAULT, events.shard(i));
            SplittableRandom random = new SplittableRandom(seeds.nextLong());
            Forwarder forwarder = new Forwarder(
                    loop,
                    i,
                    count,
                    resolvers,
                    failure,
                    shard,
                    active.current().answers().hash(),
                    random,
                    validations);
            upstreams.add(resolvers);
            DeferredReplies late =
                    new DeferredReplies(active, shard, places, loop::now, loop.eventLoop(), recorders.get(i));
            resolverLoops.add(new ResolverLoop(forwarder, late));
        }
        this.all = new ForwardLoops(resolverLoops);
    }

    ForwardLoops all() {
        return all;
    }

    /** Changes the settings for new upstream queries. Takes effect on each event loop asynchronously. */
    void settings(UpstreamSettings settings) {
        for (int i = 0; i < upstreams.size(); i++) {
            Upstreams resolvers = upstreams.get(i);
            loops.all().get(i).eventLoop().execute(() -> resolvers.settings(settings));
        }
    }

    /** Answers the pending queries, then closes the sockets. Returns immediately. */
    void retire() {
        for (int i = 0; i < resolverLoops.size(); i++) {
            loops.all().get(i).eventLoop().execute(resolverLoops.get(i).forwarder()::retire);
        }
    }

    /** Stops all upstream queries. Returns when every event loop has stopped. */
    void close() {
        for (int i = 0; i < resolverLoops.size(); i++) {
            Runnable end = resolverLoops.get(i).forwarder()::close;
            loops.all().get(i).eventLoop().submit(end).awaitUninterruptibly();
        }
    }
}
