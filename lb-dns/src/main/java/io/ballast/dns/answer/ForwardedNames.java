package io.ballast.dns.answer;

import io.ballast.core.net.IpAddress;
import io.ballast.core.stats.Counters;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ForwardSettings;
import io.ballast.dns.forward.Forwarding;
import io.ballast.dns.forward.Upstream;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.CacheReader;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.filter.FilterTable;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries for names outside the zones from what is kept, and hands the others over to the event loops that ask resolvers.
 *
 * <p>A query passes stages, each of which answers it or leaves it to the next: client policy, rewrites, filter, cache, resolvers.
 * Every answer goes through {@link #done}, with the {@link ForwardedOutcome} of the stage that gave it.
 *
 * <p>Thread safety: confined to one thread. Cost: what is kept costs a look-up and a copy, without allocation; everything else a
 * few objects.
 */
final class ForwardedNames implements NamesElsewhere {

    /** Instead of a length: the stage leaves the query to the next one. */
    private static final int NEXT = -2;

    private final Forwarding forwarding;
    private final ForwardLoops loops;
    private final Counters.Shard<DnsCounter> counters;
    private final LongSupplier nanoTime;
    private final @Nullable CacheReader kept;
    private @Nullable ForwardedResponse response;
    private @Nullable Query responding;

    private final Decision decision = new Decision();

    // Of the query in hand.
    private long high;
    private long low;
    private ForwardedOutcome outcome = ForwardedOutcome.MISS;
    /** By which what the answer leads to is judged; null if it may lead anywhere. */
    private @Nullable NameFilter judge;

    ForwardedNames(
            Forwarding forwarding, ForwardLoops loops, Counters.Shard<DnsCounter> counters, LongSupplier nanoTime) {
        this.forwarding = forwarding;
        this.loops = loops;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.kept = forwarding.settings().cache() == null
                ? null
                : forwarding.settings().cache().reader();
    }

    @Override
    public int answer(Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral) {
        ForwardedResponse to = response(query);
        high = IpAddress.high(client.octets(), client.length());
        low = IpAddress.low(client.octets(), client.length());
        int length = clientPolicy(to, out);
        if (length == NEXT) {
            length = rewrite(query, to, out, limit);
        }
        if (length == NEXT) {
            length = filter(query, to, out, limit);
        }
        if (length == NEXT) {
            length = cacheOrUpstream(query, client, to, out, limit, transport, deferral);
        }
        return length;
    }

    /** What became of the query that was answered last. */
    ForwardedOutcome outcome() {
        return outcome;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    /** The one place where every query ends on this thread. */
    private int done(ForwardedOutcome how, int length) {
        return done(how, /* by= */ null, /* detail= */ 0, length);
    }

    private int done(ForwardedOutcome how, @Nullable Object by, long detail, int length) {
        outcome = how;
        decision.forwarded(how.logged(), by, detail);
        return length;
    }

    private int clientPolicy(ForwardedResponse to, byte[] out) {
        if (forwarding.clients().contains(high, low)) {
            return NEXT;
        }
        counters.increment(DnsCounter.FORWARD_PROHIBITED);
        return done(ForwardedOutcome.REFUSED, to.fail(out, Rcode.REFUSED, EdnsError.PROHIBITED));
    }

    private int rewrite(Query query, ForwardedResponse to, byte[] out, int limit) {
        NameFilter filter = forwarding.filter();
        AnswerChoice rewritten = filter == null ? null : filter.rewritten(query.name());
        if (rewritten == null) {
            return NEXT;
        }
        counters.increment(DnsCounter.FORWARD_REWRITTEN);
        return done(ForwardedOutcome.REWRITTEN, to.instead(rewritten, EdnsError.FORGED, out, limit));
    }

    private int filter(Query query, ForwardedResponse to, byte[] out, int limit) {
        NameFilter filter = forwarding.filter();
        judge = null;
        if (filter == null || filter.isExempt(high, low)) {
            return NEXT;
        }
        FilterTable table = filter.table();
        long verdict = table.judge(query.name());
        if (FilterVerdict.isBlocked(verdict)) {
            return blocked(to, filter.blocked(table, verdict), table, verdict, out, limit);
        }
        judge = FilterVerdict.isAllowed(verdict) ? null : filter; // what is allowed may lead anywhere
        return NEXT;
    }

    private int blocked(
            ForwardedResponse to, AnswerChoice instead, FilterTable by, long verdict, byte[] out, int limit) {
        counters.increment(DnsCounter.FORWARD_BLOCKED);
        return done(ForwardedOutcome.BLOCKED, by, verdict, to.instead(instead, EdnsError.BLOCKED, out, limit));
    }

    private int cacheOrUpstream(
            Query query,
            Client client,
            ForwardedResponse to,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        Upstream upstream = forwarding.routes().find(query.name(), high, low);
        int flags = (query.edns().isDnssecOk() ? Question.DNSSEC_OK : 0)
                | (query.isCheckingDisabled() ? Question.CHECKING_DISABLED : 0);
        int length = kept == null ? NEXT : cache(kept, query, flags, upstream, to, out, limit);
        return length == NEXT ? upstream(query, flags, upstream, client, to, out, transport, deferral) : length;
    }

    private int cache(
            CacheReader answers,
            Query query,
            int flags,
            Upstream upstream,
            ForwardedResponse to,
            byte[] out,
            int limit) {
        long now = nanoTime.getAsLong();
        KeptAnswer found = answers.find(query.name(), query.type(), flags, upstream.group(), now);
        if (found == null) {
            return NEXT;
        }
        if (judge != null && FilterVerdict.isBlocked(found.verdict())) {
            return blocked(to, judge.blockedAnswer(found.verdict()), judge.table(), found.verdict(), out, limit);
        }
        if (found.isFresh(now)) {
            if (forwarding.settings().prefetches() && found.isNearEnd(now) && !found.isPostponed()) {
                refresh(found, query, flags, upstream, now);
            }
            counters.increment(DnsCounter.FORWARD_HITS);
            if (found.isFailure()) {
                query.opt().error(EdnsError.CACHED_ERROR);
            }
            return done(ForwardedOutcome.HIT, to.fresh(found, out, limit, now));
        }
        // Nobody waits again soon for what has just not come in time.
        if (found.isPostponed()) {
            if (found.isRefreshDue(now)) {
                refresh(found, query, flags, upstream, now);
            }
            return done(ForwardedOutcome.STALE, to.stale(found, out, limit));
        }
        return NEXT;
    }

    private void refresh(KeptAnswer found, Query query, int flags, Upstream upstream, long now) {
        Question question = Question.of(query.name(), query.type(), flags, upstream.group());
        AnswerCache cache = forwarding.settings().cache();
        if (cache != null && cache.claimRefresh(question, found, now + ForwardSettings.RECHECK_NANOS)) {
            counters.increment(DnsCounter.FORWARD_REFRESHES);
            loops.of(question).forwarder().refresh(question, upstream, forwarding.settings());
        }
    }

    private int upstream(
            Query query,
            int flags,
            Upstream upstream,
            Client client,
            ForwardedResponse to,
            byte[] out,
            Transport transport,
            Deferral deferral) {
        if (!forwarding.places().take()) {
            counters.increment(DnsCounter.FORWARD_OVERLOADED);
            return done(ForwardedOutcome.REFUSED, to.fail(out, Rcode.REFUSED, EdnsError.OTHER));
        }
        counters.increment(DnsCounter.FORWARD_MISSES);
        Question question = Question.of(query.name(), query.type(), flags, upstream.group());
        ForwardLoop loop = loops.of(question);
        DeferredQuery waiting = new DeferredQuery(
                loop.late(),
                judge,
                query.message(),
                query.length(),
                client,
                transport,
                nanoTime.getAsLong(),
                deferral.defer());
        loop.forwarder().ask(question, upstream, forwarding.settings(), waiting);
        return done(ForwardedOutcome.MISS, Answerer.DEFERRED);
    }

    private ForwardedResponse response(Query query) {
        ForwardedResponse present = response;
        if (present == null || responding != query) {
            present = new ForwardedResponse(query, counters);
            response = present;
            responding = query;
        }
        return present;
    }
}
