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

    void sendAnswer(DeferredQuery deferred, CacheEntry answer, @Nullable Backend by) {
        begin(deferred);
        if (sendIfBlocked(deferred, answer)) {
            return;
        }
        if (answer.isFailure()) {
            counters.increment(DnsCounter.FORWARD_SERVFAIL);
        }
        response.scope(answer, deferred.isSubnetForwarded());
        int length = response.writeFresh(answer, out, limit(deferred), nanoTime.getAsLong());
        send(deferred, ForwardedOutcome.MISS, by, /* detail= */ 0, length);
    }

    void sendStaleAnswer(DeferredQuery deferred, CacheEntry answer) {
        begin(deferred);
        if (sendIfBlocked(deferred, answer)) {
            return;
        }
        response.scope(answer, deferred.isSubnetForwarded());
        int length = response.writeStale(answer, out, limit(deferred));
        send(deferred, ForwardedOutcome.STALE, /* by= */ null, /* detail= */ 0, length);
    }

    /**
     * If the resolver's answer is blocked for the client, sends the filter's answer instead. Returns whether the
     * answer is blocked.
     */
    private boolean sendIfBlocked(DeferredQuery deferred, CacheEntry answer) {
        NameFilter filter = deferred.filter();
        long verdict = answer.verdict(deferred.policy().view());
        if (filter == null || !FilterVerdict.isBlocked(verdict)) {
            return false;
        }
        counters.increment(
                FilterVerdict.isRebinding(verdict) ? DnsCounter.FORWARD_REBINDING : DnsCounter.FORWARD_BLOCKED);
        AnswerChoice blockedAnswer = filter.blockedAnswer(verdict, deferred.policy());
        int length = response.writeSynthetic(blockedAnswer, EdnsError.BLOCKED, out, limit(deferred));
        send(deferred, ForwardedOutcome.BLOCKED, filter.rules(), verdict, length);
        return true;
    }

    void sendFailure(DeferredQuery deferred) {
        begin(deferred);
        fail(deferred);
    }

    private void fail(DeferredQuery deferred) {
        counters.increment(DnsCounter.FORWARD_FAILED);
        int length = response.fail(out, Rcode.SERVFAIL, EdnsError.NO_REACHABLE_AUTHORITY);
        send(deferred, ForwardedOutcome.FAILED, /* by= */ null, /* detail= */ 0, length);
    }

    /** Parses the query again. Parsing cannot fail, because it succeeded when the query arrived. */
    private void begin(DeferredQuery deferred) {
        AnswerSettings now = active.current().settings();
        if (now != settings) {
            if (now.protection() != settings.protection()) {
                guard = now.protection().createGuard(counters);
            }
            settings = now;
        }
        query.parse(deferred.message(), deferred.message().length);
        settings.describe(query.opt(), deferred.transport());
        guard.renewCookie(query, deferred.sender().bytes(), deferred.sender().length());
        AliasChain chain = deferred.chain();
        response.setAliases(chain);
        if (chain != null) {
            query.opt().scope(chain.scope());
            if (chain.isForged()) {
                query.opt().error(EdnsError.FORGED);
            }
        }
    }

    private int limit(DeferredQuery deferred) {
        return deferred.transport().limit(query);
    }

    /** The outcome of the last query. */
    ForwardedOutcome outcome() {
        return outcome;
    }

    /** Sends the response. This method is called at the end of every deferred query. */
    private void send(DeferredQuery deferred, ForwardedOutcome how, @Nullable Object by, long detail, int length) {
        outcome = how;
        counters.increment(DnsCounter.ofRcode(out[3] & CODE_MASK));
        if ((out[2] & Response.TRUNCATED) != 0) {
            counters.increment(DnsCounter.TRUNCATED);
        }
        Client client = deferred.sender();
        permits.release(
                IpAddress.high(client.bytes(), client.length()), IpAddress.low(client.bytes(), client.length()));
        batcher.send(deferred.path(), out, length);
        if (recorder != null) {
            decision.forwarded(how.logOutcome(), by, detail);
            recorder.recordDeferredAnswer(
                    client.arrivedNanos(),
                    query,
                    client.bytes(),
                    client.length(),
                    client.port(),
                    deferred.transport().protocol(),
                    decision,
                    out,
                    length);
        }
    }
}
