package io.ballast.dns.answer.forwarded;

import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AliasChain;
import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.NonLocalResolver;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ForwardSettings;
import io.ballast.dns.forward.ForwarderSnapshot;
import io.ballast.dns.forward.OptionPolicy;
import io.ballast.dns.forward.SubnetPolicy;
import io.ballast.dns.forward.Upstream;
import io.ballast.dns.forward.cache.AnswerCache;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.CacheReader;
import io.ballast.dns.forward.filter.ActiveRules;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.filter.ClientPolicy;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.Rewritten;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.querylog.Decision;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.EdnsSubnet;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.RecordType;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers queries for names outside the zones, including the targets of aliases in the zones. Answers come
 * from the cache if possible. Otherwise the query is passed to an event loop that queries resolvers.
 *
 * <p>A query passes several stages: client policy, rewrites, special-use names, filter, cache, resolvers.
 * Each stage answers the query and returns true, or returns false to pass it to the next stage. Every answer
 * goes through {@link #answered}, with the {@link ForwardedOutcome} of its stage.
 *
 * <p>Thread safety: confined to one thread. Cost: a cache hit costs a lookup and a copy, without allocation;
 * other answers allocate a few objects.
 */
final class ForwardedResolver implements NonLocalResolver {

    private final ForwarderSnapshot forwarding;
    private final ForwardLoops loops;
    private final Counters.Shard<DnsCounter> counters;
    private final LongSupplier nanoTime;
    private final CidrSet ecsTrusted;
    private final @Nullable CacheReader cacheReader;
    /**
     * Settings for queries whose EDNS options are forwarded. The answers are not cached, because they may be valid for
     * one client only.
     */
    private final ForwardSettings uncachedSettings;

    private @Nullable ForwardedResponse response;
    private @Nullable Query responding;

    private final Decision decision = new Decision();

    // State of the current query:
    private long high;
    private long low;
    private ForwardedOutcome outcome = ForwardedOutcome.MISS;
    private int responseLength;
    private ClientPolicy policy = ClientPolicy.NO_FILTER;
    private final RuleContext context = new RuleContext();
    /** The client subnet to send to resolvers, if the upstream uses subnets. */
    private final QuerySubnet subnet = new QuerySubnet();

    private @Nullable AliasChain rewriteChain;
    /** The alias chain from the query name to the current name; null if both names are the same. */
    private @Nullable AliasChain chain;

    private QueryName name = new QueryName(new NameHash(0, 0));

    ForwardedResolver(
            ForwarderSnapshot forwarding,
            ForwardLoops loops,
            Counters.Shard<DnsCounter> counters,
            LongSupplier nanoTime,
            CidrSet ecsTrusted) {
        this.forwarding = forwarding;
        this.loops = loops;
        this.counters = counters;
        this.nanoTime = nanoTime;
        this.ecsTrusted = ecsTrusted;
        this.uncachedSettings = forwarding.settings().withoutCache();
        this.cacheReader = forwarding.settings().cache() == null
                ? null
                : forwarding.settings().cache().reader();
    }

    @Override
    public AnswerResult answer(
            Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral) {
        setAddress(client);
        ForwardedResponse to = begin(query);
        counters.increment(DnsCounter.FORWARD_QUERIES);
        return clientPolicy(to, out)
                ? AnswerResult.RESPONSE
                : runStages(query, client, to, out, limit, transport, deferral);
    }

    @Override
    public int responseLength() {
        return responseLength;
    }

    @Override
    public boolean resolvesAliasTargets(Client client) {
        setAddress(client);
        return forwarding.clients().contains(high, low);
    }

    @Override
    public AnswerResult answerAliasTarget(
            AliasChain aliases,
            Query query,
            Client client,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        ForwardedResponse to = begin(query);
        counters.increment(DnsCounter.FORWARD_QUERIES);
        follow(aliases, to);
        return runStages(query, client, to, out, limit, transport, deferral);
    }

    private void setAddress(Client client) {
        high = IpAddress.high(client.bytes(), client.length());
        low = IpAddress.low(client.bytes(), client.length());
    }

    private ForwardedResponse begin(Query query) {
        chain = null;
        name = query.name();
        ForwardedResponse to = response(query);
        to.setAliases(null);
        return to;
    }

    private AnswerResult runStages(
            Query query,
            Client client,
            ForwardedResponse to,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        boolean isAnswered =
                rewrite(query, to, out, limit) || answerSpecialName(to, out, limit) || filter(query, to, out, limit);
        return isAnswered ? AnswerResult.RESPONSE : cacheOrUpstream(query, client, to, out, limit, transport, deferral);
    }

    /** The outcome of the last query. */
    ForwardedOutcome outcome() {
        return outcome;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    /**
     * Records that a processing stage, such as a rewrite or the filter, has written the response. Always
     * returns true, because the query is answered.
     */
    private boolean answered(ForwardedOutcome how, int length) {
        return answered(how, /* by= */ null, /* detail= */ 0, length);
    }

    private boolean answered(ForwardedOutcome how, @Nullable Object by, long detail, int length) {
        recordOutcome(how, by, detail);
        responseLength = length;
        return true;
    }

    private void recordOutcome(ForwardedOutcome how, @Nullable Object by, long detail) {
        outcome = how;
        decision.forwarded(how.logOutcome(), by, detail);
    }

    private boolean clientPolicy(ForwardedResponse to, byte[] out) {
        if (forwarding.clients().contains(high, low)) {
            return false;
        }
        counters.increment(DnsCounter.FORWARD_PROHIBITED);
        return answered(ForwardedOutcome.REFUSED, to.fail(out, Rcode.REFUSED, EdnsError.PROHIBITED));
    }

    private boolean rewrite(Query query, ForwardedResponse to, byte[] out, int limit) {
        NameFilter filter = forwarding.filter();
        Rewritten rewritten = filter == null ? null : filter.rewritten(name);
        if (filter == null || rewritten == null) {
            return false;
        }
        counters.increment(DnsCounter.FORWARD_REWRITTEN);
        if (!rewritten.isAlias()) {
            return answered(
                    ForwardedOutcome.REWRITTEN, to.writeSynthetic(rewritten.choice(), EdnsError.FORGED, out, limit));
        }
        AliasChain behind = currentChain(query);
        behind.alias(rewritten.target(), rewritten.ttlSeconds());
        if (query.type() == RecordType.CNAME) {
            return answered(ForwardedOutcome.REWRITTEN, to.aliases(behind, out, limit));
        }
        follow(behind, to);
        return false;
    }

    /** Answers special-use names locally, unless a forwarding route exists for the name. */
    private boolean answerSpecialName(ForwardedResponse to, byte[] out, int limit) {
        AnswerChoice choice = forwarding.specialNames().find(name);
        if (choice == null || forwarding.routes().hasRouteFor(name, high, low)) {
            return false;
        }
        counters.increment(DnsCounter.FORWARD_REWRITTEN);
        return answered(ForwardedOutcome.REWRITTEN, to.local(choice, out, limit));
    }

    /** Returns the alias chain of the current query, to which rewrite rules add aliases. */
    private AliasChain currentChain(Query query) {
        AliasChain present = chain;
        if (present != null) {
            return present;
        }
        AliasChain made = rewriteChain;
        if (made == null) {
            made = new AliasChain(query.name().newWithSameHash());
            rewriteChain = made;
        }
        made.begin(query.name(), query.questionEnd());
        return made;
    }

    /** Continues the query with the target of the alias chain. */
    private void follow(AliasChain aliases, ForwardedResponse to) {
        chain = aliases;
        name = aliases.target();
        to.setAliases(aliases);
    }

    /** Determines the client subnet to send to resolvers. */
    private void selectSubnet(Query query, Upstream upstream) {
        SubnetPolicy subnets = upstream.subnet();
        if (subnets != null) {
            EdnsSubnet clientSubnet = query.edns().subnet();
            subnets.selectSubnet(
                    clientSubnet, clientSubnet.isPresent() && ecsTrusted.contains(high, low), high, low, subnet);
        }
    }

    private @Nullable CacheEntry find(CacheReader answers, Query query, int flags, Upstream upstream, long now) {
        return upstream.subnet() == null
                ? answers.find(name, query.type(), flags, upstream.group(), now)
                : answers.find(name, query.type(), flags, upstream.group(), subnet, now);
    }

    private Question question(Query query, int flags, Upstream upstream) {
        Question question = Question.of(name, query.type(), flags, upstream.group());
        return upstream.subnet() == null ? question : question.withSubnet(subnet.toSubnet());
    }

    private void scope(ForwardedResponse to, CacheEntry found, Upstream upstream) {
        if (upstream.subnet() != null) {
            to.scope(found, subnet.isFromClientOption());
        }
    }

    private int flags(Query query) {
        return forwarding.settings().flags(query.edns().isDnssecOk(), query.isCheckingDisabled());
    }

    private boolean filter(Query query, ForwardedResponse to, byte[] out, int limit) {
        NameFilter filter = forwarding.filter();
        if (filter == null) {
            return false;
        }
        policy = filter.groups().policyFor(high, low);
        context.setQuery(query.type(), high, low, policy.group());
        ActiveRules rules = filter.rules();
        if (chain != null && FilterVerdict.isAllowed(filter.evaluate(rules, query.name(), policy, context))) {
            policy = policy.withoutFilter();
        }
        long verdict = filter.evaluate(rules, name, policy, context);
        if (FilterVerdict.isAlias(verdict)) {
            return alias(query, filter, rules, verdict, to, out, limit);
        }
        return applyVerdict(filter, rules, verdict, to, out, limit);
    }

    /**
     * Answers with the alias that a rule defines. The alias target may be blocked, but is not rewritten again.
     */
    private boolean alias(
            Query query,
            NameFilter filter,
            ActiveRules rules,
            long verdict,
            ForwardedResponse to,
            byte[] out,
            int limit) {
        byte[] target = rules.table().target(verdict);
        if (name.suffixEquals(0, target)) {
            return false;
        }
        counters.increment(DnsCounter.FORWARD_REWRITTEN);
        AliasChain behind = currentChain(query);
        behind.alias(target, filter.ttlSeconds());
        if (query.type() == RecordType.CNAME) {
            return answered(ForwardedOutcome.REWRITTEN, to.aliases(behind, out, limit));
        }
        follow(behind, to);
        long ofTarget = filter.evaluate(rules, name, policy, context);
        return !FilterVerdict.isAlias(ofTarget) && applyVerdict(filter, rules, ofTarget, to, out, limit);
    }

    private boolean applyVerdict(
            NameFilter filter, ActiveRules rules, long verdict, ForwardedResponse to, byte[] out, int limit) {
        if (FilterVerdict.isBlocked(verdict)) {
            counters.increment(DnsCounter.FORWARD_BLOCKED);
            return answerBlocked(to, filter.chooseAndCountAnswer(rules, verdict, policy), rules, verdict, out, limit);
        }
        if (FilterVerdict.isAllowed(verdict)) {
            policy = policy.withoutFilter();
        }
        return false;
    }

    private boolean answerBlocked(
            ForwardedResponse to, AnswerChoice choice, ActiveRules by, long verdict, byte[] out, int limit) {
        return answered(
                ForwardedOutcome.BLOCKED, by, verdict, to.writeSynthetic(choice, EdnsError.BLOCKED, out, limit));
    }

    private boolean blockedAnswer(ForwardedResponse to, NameFilter filter, long verdict, byte[] out, int limit) {
        counters.increment(
                FilterVerdict.isRebinding(verdict) ? DnsCounter.FORWARD_REBINDING : DnsCounter.FORWARD_BLOCKED);
        return answerBlocked(to, filter.blockedAnswer(verdict, policy), filter.rules(), verdict, out, limit);
    }

    private AnswerResult cacheOrUpstream(
            Query query,
            Client client,
            ForwardedResponse to,
            byte[] out,
            int limit,
            Transport transport,
            Deferral deferral) {
        Upstream upstream = forwarding.routes().find(name, high, low);
        selectSubnet(query, upstream);
        int flags = flags(query);
        OptionPolicy forwarded = upstream.options();
        byte[] options = forwarded == null ? null : forwarded.select(query);
        if (options != null) {
            Question personal = question(query, flags, upstream).withOptions(options);
            return upstream(query, personal, upstream, uncachedSettings, client, to, out, transport, deferral);
        }
        if (cacheReader != null && cache(cacheReader, query, flags, upstream, to, out, limit)) {
            return AnswerResult.RESPONSE;
        }
        Question question = question(query, flags, upstream);
        return upstream(query, question, upstream, forwarding.settings(), client, to, out, transport, deferral);
    }

    private boolean cache(
            CacheReader answers,
            Query query,
            int flags,
            Upstream upstream,
            ForwardedResponse to,
            byte[] out,
            int limit) {
        long now = nanoTime.getAsLong();
        CacheEntry found = find(answers, query, flags, upstream, now);
        if (found == null) {
            return false;
        }
        NameFilter filter = forwarding.filter();
        if (filter != null) {
            if (!found.isFilteredBy(filter.rules().ruleSetId())) {
                return false;
            }
            long verdict = found.verdict(policy.view());
            if (FilterVerdict.isBlocked(verdict)) {
                return blockedAnswer(to, filter, verdict, out, limit);
            }
        }
        if (found.isFresh(now)) {
            if (forwarding.settings().prefetches() && found.isNearExpiry(now) && !found.isRefreshPostponed()) {
                refresh(found, query, flags, upstream, now);
            }
            counters.increment(DnsCounter.FORWARD_HITS);
            boolean isForged = chain != null && chain.isForged();
            if (isForged) {
                query.opt().error(EdnsError.FORGED);
            }
            if (found.isFailure()) {
                counters.increment(DnsCounter.FORWARD_SERVFAIL);
                query.opt().error(EdnsError.CACHED_ERROR);
            }
            scope(to, found, upstream);
            ForwardedOutcome how = isForged ? ForwardedOutcome.REWRITTEN : ForwardedOutcome.HIT;
            return answered(how, to.writeFresh(found, out, limit, now));
        }
        // The last refresh timed out, so serve stale data without waiting for another refresh.
        if (found.isRefreshPostponed()) {
            if (found.isRefreshDue(now)) {
                refresh(found, query, flags, upstream, now);
            }
            scope(to, found, upstream);
            return answered(ForwardedOutcome.STALE, to.writeStale(found, out, limit));
        }
        return false;
    }

    private void refresh(CacheEntry found, Query query, int flags, Upstream upstream, long now) {
        Question question = question(query, flags, upstream);
        AnswerCache cache = forwarding.settings().cache();
        if (cache != null && cache.claimRefresh(question, found, now + ForwardSettings.RECHECK_NANOS)) {
            counters.increment(DnsCounter.FORWARD_REFRESHES);
            loops.loopFor(question).forwarder().refresh(question, upstream, forwarding.settings());
        }
    }

    private AnswerResult upstream(
            Query query,
            Question question,
            Upstream upstream,
            ForwardSettings settings,
            Client client,
            ForwardedResponse to,
            byte[] out,
            Transport transport,
            Deferral deferral) {
        if (!forwarding.permits().tryAcquire(high, low)) {
            counters.increment(DnsCounter.FORWARD_OVERLOADED);
            // A name in our zones is never answered with REFUSED, even if the query for its alias target is refused.
            int rcode = chain != null && chain.startsInZone() ? Rcode.SERVFAIL : Rcode.REFUSED;
            answered(ForwardedOutcome.REFUSED, to.fail(out, rcode, EdnsError.OTHER));
            return AnswerResult.RESPONSE;
        }
        counters.increment(DnsCounter.FORWARD_MISSES);
        ResolverLoop loop = loops.loopFor(question);
        DeferredQuery waiting = new DeferredQuery(
                loop.replies(),
                forwarding.filter(),
                policy,
                chain == null ? null : chain.copy(),
                upstream.subnet() != null && subnet.isFromClientOption(),
                query.message(),
                query.length(),
                client,
                transport,
                deferral.defer());
        loop.forwarder().resolve(question, upstream, settings, waiting);
        recordOutcome(ForwardedOutcome.MISS, /* by= */ null, /* detail= */ 0);
        return AnswerResult.DEFERRED;
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
