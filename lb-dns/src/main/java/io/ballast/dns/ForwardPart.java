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
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.forward.UpstreamTrouble;
import io.ballast.dns.forward.upstream.UpstreamSettings;
import io.ballast.dns.forward.upstream.Upstreams;
import io.ballast.dns.forward.validate.ValidationPool;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.wire.NameHash;
import io.ballast.net.loop.FrontendLoops;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The forwarder of a frontend: on each of its event loops one that asks resolvers, and what these share.
 *
 * <p>Thread safety: prepared, committed and closed by one thread at a time.
 */
final class ForwardPart {

    private final FrontendLoops<AnswerLoop> loops;
    private final ForwardingState state;
    private final List<Upstreams> upstreams = new ArrayList<>();
    private final List<ForwardLoop> asking = new ArrayList<>();
    private final ForwardLoops all;
    private final ValidationPool validations = new ValidationPool();

    /** A configuration that waits for its commit. */
    record Prepared(
            ForwardingState.@Nullable Prepared forwarding,
            @Nullable ElsewhereSource source) {

        /** Names outside the zones are refused. */
        static final Prepared NONE = new Prepared(/* forwarding= */ null, /* source= */ null);
    }

    /** @param lists null where there can be no lists of rules */
    ForwardPart(
            FrontendLoops<AnswerLoop> loops,
            ActiveAnswerConfig active,
            DnsStats stats,
            UpstreamTrouble trouble,
            @Nullable ListSetup lists) {
        this.loops = loops;
        NameHash hash = active.current().answers().hash();
        this.state = new ForwardingState(hash, lists);
        SecureRandom seeds = new SecureRandom();
        int count = loops.all().size();
        for (int i = 0; i < count; i++) {
            AnswerLoop loop = loops.all().get(i);
            Counters.Shard<DnsCounter> shard = stats.newShard();
            Upstreams asked = new Upstreams(loop, loops.transport(), UpstreamSettings.DEFAULT);
            SplittableRandom random = new SplittableRandom(seeds.nextLong());
            Forwarder forwarder = new Forwarder(loop, i, count, asked, trouble, shard, hash, random, validations);
            upstreams.add(asked);
            asking.add(new ForwardLoop(forwarder, new LateAnswers(active, shard, state.places(), loop::now)));
        }
        this.all = new ForwardLoops(asking);
    }

    ForwardingState state() {
        return state;
    }

    /**
     * @param pools has those that are asked
     * @throws IOException if a list of rules cannot be read; the message says which
     */
    Prepared prepare(DnsConfig config, Topology pools) throws IOException {
        if (config.forward().isEmpty()) {
            return Prepared.NONE;
        }
        ForwardingState.Prepared next = state.prepare(config.forward().get(), pools);
        return new Prepared(next, new ForwardedSource(next.forwarding(), all, System::nanoTime));
    }

    /** It does not come into force. */
    void giveUp(Prepared prepared) {
        if (prepared.forwarding() != null) {
            state.giveUp(prepared.forwarding());
        }
    }

    /** It is in force. */
    void commit(Prepared prepared) {
        ForwardingState.Prepared next = prepared.forwarding();
        if (next == null) {
            state.end();
            return;
        }
        DnsForwardConfig config = next.config();
        state.commit(next);
        UpstreamSettings settings = UpstreamSettings.DEFAULT.with(config.timeout(), config.randomCase());
        for (int i = 0; i < upstreams.size(); i++) {
            Upstreams asked = upstreams.get(i);
            loops.all().get(i).eventLoop().execute(() -> asked.settings(settings));
        }
    }

    /** Asks nobody any more. Returns when every event loop has ended that. */
    void close() {
        state.end();
        validations.close();
        for (int i = 0; i < asking.size(); i++) {
            Runnable end = asking.get(i).forwarder()::close;
            loops.all().get(i).eventLoop().submit(end).awaitUninterruptibly();
        }
    }
}
