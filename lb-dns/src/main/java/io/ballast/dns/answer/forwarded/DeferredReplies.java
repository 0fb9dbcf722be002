package io.ballast.dns.answer.forwarded;

import io.ballast.core.backend.Backend;
import io.ballast.core.net.IpAddress;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AliasChain;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.QueryPermits;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.protect.QueryGuard;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.querylog.QueryRecorder;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Response;
import io.ballast.dns.wire.Wire;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the responses to deferred queries, on the event loop that queries the resolvers.
 *
 * <p>Thread safety: confined to that event loop.
 */
public final class DeferredReplies {

    private static final int CODE_MASK = 0x0f;

    private final ActiveAnswerConfig active;
    private final Counters.Shard<DnsCounter> counters;
    private final QueryPermits permits;
    private final LongSupplier nanoTime;
    private final ReplyBatcher batcher;
    private final Query query;
    private final ForwardedResponse response;
    private final @Nullable QueryRecorder recorder;
    private final Decision decision = new Decision();
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
    private AnswerSettings settings;
    private QueryGuard guard;
    private ForwardedOutcome outcome = ForwardedOutcome.MISS;

    /**
     * @param counters this loop's shard
     * @param nanoTime the loop's clock
     * @param eventLoop the event loop that confines this object
     * @param recorder this loop's query log recorder; null if nothing is logged
     */
    public DeferredReplies(
            ActiveAnswerConfig active,
            Counters.Shard<DnsCounter> counters,
            QueryPermits places,
            LongSupplier nanoTime,
            Executor eventLoop,
            @Nullable QueryRecorder recorder) {
        this.active = active;
        this.counters = counters;
        this.permits = places;
        this.nanoTime = nanoTime;
        this.batcher = new ReplyBatcher(eventLoop);
        this.recorder = recorder;
        this.query = new Query(active.current().answers().hash());
        this.response = new ForwardedResponse(query, counters);
        this.settings = active.current().settings();
        this.guard = settings.protection().createGuard(counters);
    }

    void sendAnswer(DeferredQuery asked, CacheEntry answer, @Nullable Backend by) {
        begin(asked);
        if (sendIfBlocked(asked, answer)) {
            return;
        }
        if (answer.isFailure()) {
            counters.increment(DnsCounter.FORWARD_SERVFAIL);
        }
        response.scope(answer, asked.isSubnetForwarded());
        int length = response.writeFresh(answer, out, limit(asked), nanoTime.getAsLong());
        send(asked, ForwardedOutcome.MISS, by, /* detail= */ 0, length);
    }

    void sendStaleAnswer(DeferredQuery asked, CacheEntry answer) {
        begin(asked);
        if (sendIfBlocked(asked, answer)) {
            return;
        }
        response.scope(answer, asked.isSubnetForwarded());
        int length = response.writeStale(answer, out, limit(asked));
        send(asked, ForwardedOutcome.STALE, /* by= */ null, /* detail= */ 0, length);
    }

    /**
     * If the resolver's answer is blocked for the client, sends the filter's answer instead. Returns whether the
     * answer is blocked.
     */
    private boolean sendIfBlocked(DeferredQuery asked, CacheEntry answer) {
        NameFilter filter = asked.filter();
        long verdict = answer.verdict(asked.policy().view());
        if (filter == null || !FilterVerdict.isBlocked(verdict)) {
            return false;
        }
        counters.increment(
                FilterVerdict.isRebinding(verdict) ? DnsCounter.FORWARD_REBINDING : DnsCounter.FORWARD_BLOCKED);
        AnswerChoice instead = filter.blockedAnswer(verdict, asked.policy());
        int length = response.instead(instead, EdnsError.BLOCKED, out, limit(asked));
        send(asked, ForwardedOutcome.BLOCKED, filter.rules(), verdict, length);
        return true;
    }

    void sendFailure(DeferredQuery asked) {
        begin(asked);
        fail(asked);
    }

    private void fail(DeferredQuery asked) {
        counters.increment(DnsCounter.FORWARD_FAILED);
        int length = response.fail(out, Rcode.SERVFAIL, EdnsError.NO_REACHABLE_AUTHORITY);
        send(asked, ForwardedOutcome.FAILED, /* by= */ null, /* detail= */ 0, length);
    }

    /** Parses the query again. Parsing cannot fail, because it succeeded when the query arrived. */
    private void begin(DeferredQuery asked) {
        AnswerSettings now = active.current().settings();
        if (now != settings) {
            if (now.protection() != settings.protection()) {
                guard = now.protection().createGuard(counters);
            }
            settings = now;
        }
        query.parse(asked.message(), asked.message().length);
        settings.describe(query.opt(), asked.transport());
        guard.renewCookie(query, asked.sender().bytes(), asked.sender().length());
        AliasChain chain = asked.chain();
        response.setAliases(chain);
        if (chain != null) {
            query.opt().scope(chain.scope());
            if (chain.isForged()) {
                query.opt().error(EdnsError.FORGED);
            }
        }
    }

    private int limit(DeferredQuery asked) {
        return asked.transport().limit(query);
    }

    /** The outcome of the last query. */
    ForwardedOutcome outcome() {
        return outcome;
    }

    /** Sends the response. This method is called at the end of every deferred query. */
    private void send(DeferredQuery asked, ForwardedOutcome how, @Nullable Object by, long detail, int length) {
        outcome = how;
        counters.increment(DnsCounter.ofRcode(out[3] & CODE_MASK));
        if ((out[2] & Response.TRUNCATED) != 0) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        Client client = asked.sender();
        permits.release(
                IpAddress.high(client.bytes(), client.length()), IpAddress.low(client.bytes(), client.length()));
        batcher.send(asked.path(), out, length);
        if (recorder != null) {
            decision.forwarded(how.logOutcome(), by, detail);
            recorder.recordDeferredAnswer(
                    client.arrivedNanos(),
                    query,
                    client.bytes(),
                    client.length(),
                    client.port(),
                    asked.transport().protocol(),
                    decision,
                    out,
                    length);
        }
    }
}
