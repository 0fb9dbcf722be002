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
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries for names outside the zones from what is kept, and hands the others over to the event loops that ask resolvers.
 *
 * <p>Thread safety: confined to one thread. Cost: what is kept costs a look-up and a copy, without allocation; everything else a
 * few objects.
 */
final class ForwardedNames implements NamesElsewhere {

    private final Forwarding forwarding;
    private final ForwardLoops loops;
    private final Counters.Shard<DnsCounter> counters;
    private final LongSupplier nanoTime;
    private final @Nullable CacheReader kept;
    private @Nullable ForwardedResponse response;
    private @Nullable Query responding;

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
        long high = IpAddress.high(client.octets(), client.length());
        long low = IpAddress.low(client.octets(), client.length());
        if (!forwarding.clients().contains(high, low)) {
            counters.increment(DnsCounter.FORWARD_PROHIBITED);
            return to.fail(out, Rcode.REFUSED, EdnsError.PROHIBITED);
        }
        NameFilter filter = forwarding.filter();
        if (filter != null) {
            AnswerChoice rewritten = filter.rewritten(query.name());
            if (rewritten != null) {
                counters.increment(DnsCounter.FORWARD_REWRITTEN);
                return to.instead(rewritten, EdnsError.FORGED, out, limit);
            }
            FilterTable table = filter.table();
            long verdict = filter.isExempt(high, low) ? FilterVerdict.NONE : table.judge(query.name());
            if (FilterVerdict.isBlocked(verdict)) {
                counters.increment(DnsCounter.FORWARD_BLOCKED);
                return to.instead(filter.blocked(table, verdict), EdnsError.BLOCKED, out, limit);
            }
            if (FilterVerdict.isAllowed(verdict) || filter.isExempt(high, low)) {
                filter = null; // wherever the answer leads
            }
        }
        Upstream upstream = forwarding.routes().find(query.name(), high, low);
        int flags = forwarding.settings().flags(query.edns().isDnssecOk(), query.isCheckingDisabled());
        long now = nanoTime.getAsLong();
        KeptAnswer found = kept == null ? null : kept.find(query.name(), query.type(), flags, upstream.group(), now);
        if (found != null && filter != null && FilterVerdict.isBlocked(found.verdict())) {
            counters.increment(DnsCounter.FORWARD_BLOCKED);
            return to.instead(filter.blockedAnswer(found.verdict()), EdnsError.BLOCKED, out, limit);
        }
        if (found != null && found.isFresh(now)) {
            if (forwarding.settings().prefetches() && found.isNearEnd(now) && !found.isPostponed()) {
                refresh(found, query, flags, upstream, now);
            }
            counters.increment(DnsCounter.FORWARD_HITS);
            if (found.isFailure()) {
                query.opt().error(EdnsError.CACHED_ERROR);
            }
            return to.fresh(found, out, limit, now);
        }
        // Nobody waits again soon for what has just not come in time.
        if (found != null && found.isPostponed()) {
            if (found.isRefreshDue(now)) {
                refresh(found, query, flags, upstream, now);
            }
            return to.stale(found, out, limit);
        }
        return defer(query, flags, upstream, filter, client, to, out, transport, deferral);
    }

    private void refresh(KeptAnswer found, Query query, int flags, Upstream upstream, long now) {
        Question question = Question.of(query.name(), query.type(), flags, upstream.group());
        AnswerCache cache = forwarding.settings().cache();
        if (cache != null && cache.claimRefresh(question, found, now + ForwardSettings.RECHECK_NANOS)) {
            counters.increment(DnsCounter.FORWARD_REFRESHES);
            loops.of(question).forwarder().refresh(question, upstream, forwarding.settings());
        }
    }

    private int defer(
            Query query,
            int flags,
            Upstream upstream,
            @Nullable NameFilter filter,
            Client client,
            ForwardedResponse to,
            byte[] out,
            Transport transport,
            Deferral deferral) {
        if (!forwarding.places().take()) {
            counters.increment(DnsCounter.FORWARD_OVERLOADED);
            return to.fail(out, Rcode.REFUSED, EdnsError.OTHER);
        }
        counters.increment(DnsCounter.FORWARD_MISSES);
        Question question = Question.of(query.name(), query.type(), flags, upstream.group());
        ForwardLoop loop = loops.of(question);
        DeferredQuery waiting = new DeferredQuery(
                loop.late(), filter, query.message(), query.length(), client, transport, deferral.defer());
        loop.forwarder().ask(question, upstream, forwarding.settings(), waiting);
        return Answerer.DEFERRED;
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
