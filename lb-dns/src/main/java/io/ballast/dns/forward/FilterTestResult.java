package io.ballast.dns.forward;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.forward.filter.ActiveRules;
import io.ballast.dns.forward.filter.AnswerChoice;
import io.ballast.dns.forward.filter.ClientPolicy;
import io.ballast.dns.forward.filter.FilterVerdict;
import io.ballast.dns.forward.filter.NameFilter;
import io.ballast.dns.forward.filter.Rewritten;
import io.ballast.dns.forward.filter.RuleOrigin;
import io.ballast.dns.forward.filter.rule.RuleContext;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of testing a query for a name outside the zones. The test does not cover names and addresses in the
 * resolver's answer.
 *
 * @param outcome the outcome that the query would have
 * @param rule the deciding rule of a list, if any
 * @param answer the answer of the filter, if any
 * @param pool the pool of resolvers, if the query is forwarded
 * @param subnet the client subnet in the forwarded query, if any
 * @param group the client group whose lists were used, if any
 */
public record FilterTestResult(
        Outcome outcome,
        Optional<RuleOrigin> rule,
        Optional<String> answer,
        Optional<String> pool,
        Optional<String> subnet,
        Optional<String> group) {

    /** The outcome of a query. */
    public enum Outcome {
        /** The client is not allowed to use the forwarder. */
        PROHIBITED,
        /** A rewrite rule answers the query, or the name is a special-use name. */
        REWRITTEN,
        /** A list blocks the query. */
        BLOCKED,
        /** A list allows the query, which is forwarded. */
        ALLOWED,
        /** The query is forwarded. */
        FORWARDED
    }

    /**
     * Determines the outcome that a query for a name would have.
     *
     * @param hash hash function of the forwarder
     * @param type record type of the query
     * @throws IllegalArgumentException if the name is invalid
     */
    public static FilterTestResult of(
            ForwarderSnapshot forwarding, NameHash hash, String name, int type, IpAddress client) {
        if (!forwarding.clients().contains(client)) {
            return new FilterTestResult(
                    Outcome.PROHIBITED,
                    Optional.empty(),
                    Optional.of("refused"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        QueryName queryName = new QueryName(hash);
        byte[] wire = ForwardRoutes.wire(name);
        queryName.read(wire, 0, wire.length);
        queryName.hash();
        Upstream upstream = forwarding.routes().find(queryName, client.high(), client.low());
        SubnetPolicy subnets = upstream.subnet();
        Optional<String> subnet = Optional.ofNullable(subnets).map(subnetPolicy -> subnetPolicy.describe(client));
        NameFilter filter = forwarding.filter();
        AnswerChoice special = forwarding.specialNames().find(queryName);
        boolean isRewritten = filter != null && filter.rewritten(queryName) != null;
        if (special != null
                && !isRewritten
                && !forwarding.routes().hasRouteFor(queryName, client.high(), client.low())) {
            return new FilterTestResult(
                    Outcome.REWRITTEN,
                    Optional.empty(),
                    Optional.of(text(special)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        if (filter == null) {
            return forwarded(Outcome.FORWARDED, Optional.empty(), upstream, subnet, Optional.empty());
        }
        ClientPolicy policy = filter.groups().policyFor(client.high(), client.low());
        Optional<String> group = Optional.of(policy.group());
        Rewritten rewritten = filter.rewritten(queryName);
        if (rewritten != null) {
            return new FilterTestResult(
                    Outcome.REWRITTEN,
                    Optional.empty(),
                    Optional.of(text(rewritten)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
        ActiveRules rules = filter.rules();
        RuleContext context = new RuleContext().setQuery(type, client.high(), client.low(), policy.group());
        long verdict = filter.evaluate(rules, queryName, policy, context);
        if (FilterVerdict.isAlias(verdict)) {
            return new FilterTestResult(
                    Outcome.REWRITTEN,
                    Optional.of(rules.origin(verdict)),
                    Optional.of("as " + rules.table().targetText(verdict)),
                    Optional.empty(),
                    Optional.empty(),
                    group);
        }
        if (FilterVerdict.isBlocked(verdict)) {
            return new FilterTestResult(
                    Outcome.BLOCKED,
                    Optional.of(rules.origin(verdict)),
                    Optional.of(text(filter.chooseAnswer(rules, verdict, policy))),
                    Optional.empty(),
                    Optional.empty(),
                    group);
        }
        return verdict == FilterVerdict.NONE
                ? forwarded(Outcome.FORWARDED, Optional.empty(), upstream, subnet, group)
                : forwarded(Outcome.ALLOWED, Optional.of(rules.origin(verdict)), upstream, subnet, group);
    }

    private static FilterTestResult forwarded(
            Outcome outcome,
            Optional<RuleOrigin> rule,
            Upstream upstream,
            Optional<String> subnet,
            Optional<String> group) {
        return new FilterTestResult(
                outcome, rule, Optional.empty(), Optional.of(upstream.pool().name()), subnet, group);
    }

    private static String text(Rewritten rewritten) {
        return rewritten.isAlias() ? "as " + rewritten.targetText() : text(rewritten.choice());
    }

    private static String text(AnswerChoice choice) {
        List<String> addresses =
                choice.addresses().stream().map(IpAddress::toString).toList();
        return choice.answer() == Answer.ADDRESSES
                ? String.join(", ", addresses)
                : choice.answer().name().toLowerCase(Locale.ROOT);
    }
}
