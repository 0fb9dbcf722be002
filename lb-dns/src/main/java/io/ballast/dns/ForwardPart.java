package io.ballast.dns;

import io.ballast.core.config.DnsConfig;
import io.ballast.core.config.DnsForwardConfig;
import io.ballast.core.pool.Topology;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ElsewhereSource;
import io.ballast.dns.answer.ForwardLoop;
import io.ballast.dns.answer.ForwardLoops;
import io.ballast.dns.answer.ForwardedSource;
import io.ballast.dns.answer.LateAnswers;
import io.ballast.dns.forward.Forwarder;
import io.ballast.dns.forward.Forwarding;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.UpstreamTrouble;
import io.ballast.dns.forward.upstream.UpstreamSettings;
import io.ballast.dns.forward.upstream.Upstreams;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.net.loop.FrontendLoops;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The forwarder of a frontend: on each of its event loops one that asks resolvers, and what these share.
 *
 * <p>Thread safety: prepared, committed and closed by one thread at a time.
 */
final class ForwardPart {

    private final FrontendLoops<AnswerLoop> loops;
    private final ActiveAnswerConfig active;
    private final ForwardingState state = new ForwardingState();
    private final List<Upstreams> upstreams = new ArrayList<>();
    private final List<ForwardLoop> asking = new ArrayList<>();
    private final ForwardLoops all;

    /** A configuration that waits for its commit. */
    record Prepared(
            Optional<DnsForwardConfig> config,
            @Nullable Forwarding forwarding,
            @Nullable ElsewhereSource source) {}

    ForwardPart(FrontendLoops<AnswerLoop> loops, ActiveAnswerConfig active, DnsStats stats, UpstreamTrouble trouble) {
        this.loops = loops;
        this.active = active;
        SecureRandom seeds = new SecureRandom();
        int count = loops.all().size();
        for (int i = 0; i < count; i++) {
            AnswerLoop loop = loops.all().get(i);
            Counters.Shard<DnsCounter> shard = stats.newShard();
            Upstreams asked = new Upstreams(loop, loops.transport(), UpstreamSettings.DEFAULT);
            SplittableRandom random = new SplittableRandom(seeds.nextLong());
            Forwarder forwarder = new Forwarder(loop, i, count, asked, trouble, shard, random);
            upstreams.add(asked);
            asking.add(new ForwardLoop(forwarder, new LateAnswers(active, shard, state.places(), loop::now)));
        }
        this.all = new ForwardLoops(asking);
    }

    ForwardingState state() {
        return state;
    }

    /** @param pools has those that are asked */
    Prepared prepare(DnsConfig config, Topology pools) {
        if (config.forward().isEmpty()) {
            return new Prepared(config.forward(), /* forwarding= */ null, /* source= */ null);
        }
        Forwarding next = state.prepare(
                config.forward().get(), pools, active.current().answers().hash());
        return new Prepared(config.forward(), next, new ForwardedSource(next, all, System::nanoTime));
    }

    /** It is in force. */
    void commit(Prepared prepared) {
        Forwarding next = prepared.forwarding();
        if (next == null) {
            state.end();
            return;
        }
        DnsForwardConfig config = prepared.config().orElseThrow();
        state.commit(config, next);
        UpstreamSettings settings = UpstreamSettings.DEFAULT.with(config.timeout(), config.randomCase());
        for (int i = 0; i < upstreams.size(); i++) {
            Upstreams asked = upstreams.get(i);
            loops.all().get(i).eventLoop().execute(() -> asked.settings(settings));
        }
    }

    /** Asks nobody any more. Returns when every event loop has ended that. */
    void close() {
        for (int i = 0; i < asking.size(); i++) {
            Runnable end = asking.get(i).forwarder()::close;
            loops.all().get(i).eventLoop().submit(end).awaitUninterruptibly();
        }
    }
}
