package io.ballast.dns;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.ForwardLoop;
import io.ballast.dns.answer.ForwardLoops;
import io.ballast.dns.answer.LateAnswers;
import io.ballast.dns.forward.Forwarder;
import io.ballast.dns.forward.Places;
import io.ballast.dns.forward.UpstreamTrouble;
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
 * What asks resolvers on each event loop of a frontend, from when forwarding is configured until it is not. It has buffers but no
 * socket before it is asked.
 *
 * <p>Thread safety: made and ended by one thread at a time; the rest as {@link ForwardLoops} says.
 */
final class AskingLoops {

    private final FrontendLoops<AnswerLoop> loops;
    private final List<Upstreams> upstreams = new ArrayList<>();
    private final List<ForwardLoop> asking = new ArrayList<>();
    private final ForwardLoops all;

    /**
     * @param shards of the counters, one for each loop
     * @param recorders of the query log, likewise
     * @param events likewise
     */
    AskingLoops(
            FrontendLoops<AnswerLoop> loops,
            ActiveAnswerConfig active,
            List<Counters.Shard<DnsCounter>> shards,
            List<QueryRecorder> recorders,
            Counters<UpstreamCounter> events,
            UpstreamTrouble trouble,
            Places places,
            ValidationPool validations) {
        this.loops = loops;
        SecureRandom seeds = new SecureRandom();
        int count = loops.all().size();
        for (int i = 0; i < count; i++) {
            AnswerLoop loop = loops.all().get(i);
            Counters.Shard<DnsCounter> shard = shards.get(i);
            Upstreams asked = new Upstreams(loop, loops.transport(), UpstreamSettings.DEFAULT, events.shard(i));
            SplittableRandom random = new SplittableRandom(seeds.nextLong());
            Forwarder forwarder = new Forwarder(
                    loop,
                    i,
                    count,
                    asked,
                    trouble,
                    shard,
                    active.current().answers().hash(),
                    random,
                    validations);
            upstreams.add(asked);
            LateAnswers late = new LateAnswers(active, shard, places, loop::now, loop.eventLoop(), recorders.get(i));
            asking.add(new ForwardLoop(forwarder, late));
        }
        this.all = new ForwardLoops(asking);
    }

    ForwardLoops all() {
        return all;
    }

    /** New questions are asked by these. */
    void settings(UpstreamSettings settings) {
        for (int i = 0; i < upstreams.size(); i++) {
            Upstreams asked = upstreams.get(i);
            loops.all().get(i).eventLoop().execute(() -> asked.settings(settings));
        }
    }

    /** Who waits is still answered; then the sockets are closed. Returns at once. */
    void retire() {
        for (int i = 0; i < asking.size(); i++) {
            loops.all().get(i).eventLoop().execute(asking.get(i).forwarder()::retire);
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
