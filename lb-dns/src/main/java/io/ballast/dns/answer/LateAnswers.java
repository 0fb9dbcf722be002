package io.ballast.dns.answer;

import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.Places;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.protect.QueryGuard;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Makes the responses to queries that had to wait, on the event loop that asks for them.
 *
 * <p>Thread safety: confined to that event loop.
 */
public final class LateAnswers {

    private static final int CODE_MASK = 0x0f;

    private final ActiveAnswerConfig active;
    private final Counters.Shard<DnsCounter> counters;
    private final Places places;
    private final LongSupplier nanoTime;
    private final SentTogether together;
    private final Query query;
    private final ForwardedResponse response;
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private AnswerSettings settings;
    private QueryGuard guard;

    /**
     * @param counters this loop's shard
     * @param nanoTime the loop's clock
     * @param eventLoop on which this is used
     */
    public LateAnswers(
            ActiveAnswerConfig active,
            Counters.Shard<DnsCounter> counters,
            Places places,
            LongSupplier nanoTime,
            Executor eventLoop) {
        this.active = active;
        this.counters = counters;
        this.places = places;
        this.nanoTime = nanoTime;
        this.together = new SentTogether(eventLoop);
        this.query = new Query(active.current().answers().hash());
        this.response = new ForwardedResponse(query, counters);
        this.settings = active.current().settings();
        this.guard = settings.protection().guard(counters);
    }

    void answered(DeferredQuery asked, KeptAnswer answer) {
        begin(asked);
        if (isBlocked(asked, answer)) {
            return;
        }
        send(asked, response.fresh(answer, out, limit(asked), nanoTime.getAsLong()));
    }

    void stale(DeferredQuery asked, KeptAnswer answer) {
        begin(asked);
        if (isBlocked(asked, answer)) {
            return;
        }
        send(asked, response.stale(answer, out, limit(asked)));
    }

    /** Says something else where an answer leads to what is blocked for who asks. */
    private boolean isBlocked(DeferredQuery asked, KeptAnswer answer) {
        NameFilter filter = asked.filter();
        if (filter == null || !FilterVerdict.isBlocked(answer.verdict())) {
            return false;
        }
        counters.increment(DnsCounter.FORWARD_BLOCKED);
        send(asked, response.instead(filter.blockedAnswer(answer.verdict()), EdnsError.BLOCKED, out, limit(asked)));
        return true;
    }

    void failed(DeferredQuery asked) {
        begin(asked);
        counters.increment(DnsCounter.FORWARD_FAILED);
        send(asked, response.fail(out, Rcode.SERVFAIL, EdnsError.NO_REACHABLE_AUTHORITY));
    }

    /** It was understood when it came, so it is now. */
    private void begin(DeferredQuery asked) {
        AnswerSettings now = active.current().settings();
        if (now != settings) {
            if (now.protection() != settings.protection()) {
                guard = now.protection().guard(counters);
            }
            settings = now;
        }
        query.parse(asked.message(), asked.message().length);
        settings.describe(query.opt(), asked.transport());
        guard.renewCookie(query, asked.client().octets(), asked.client().length());
    }

    private int limit(DeferredQuery asked) {
        return asked.transport().limit(query);
    }

    private void send(DeferredQuery asked, int length) {
        counters.increment(DnsCounter.ofRcode(out[3] & CODE_MASK));
        if ((out[2] & Response.TRUNCATED) != 0) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        places.giveBack();
        together.send(asked.path(), out, length);
    }
}
