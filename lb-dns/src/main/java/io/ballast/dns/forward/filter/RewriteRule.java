package io.ballast.dns.forward.filter;

import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.RuleName;
import java.util.List;
import java.util.Objects;

/**
 * A rewrite rule: a configured answer that takes precedence over lists and upstreams.
 *
 * @param name a name, or {@code *.} and a name for all names below it; stored in lower case without its last dot
 * @param action the kind of answer
 * @param addresses the IPv4 and IPv6 addresses in the answer, in any order; used only with {@link Action#ADDRESSES}
 * @param target the alias target; empty unless the action is {@link Action#ALIAS}
 */
public record RewriteRule(String name, Action action, List<IpAddress> addresses, String target) {

    private static final String WILDCARD_PREFIX = "*.";

    /** The answer for a rewritten name. */
    public enum Action {
        /**
         * Answers with the addresses of the rule. A query for an address family without addresses gets no
         * records.
         */
        ADDRESSES,
        /** Answers with a CNAME record followed by the records of its target. */
        ALIAS,
        /** The name does not exist. */
        NXDOMAIN,
        /** The name has no records. */
        NODATA,
        /** The response code REFUSED. */
        REFUSED,
        /** No rewrite; used for an exception to a wildcard. */
        UNCHANGED
    }

    public RewriteRule {
        boolean isWildcard = name.startsWith(WILDCARD_PREFIX);
        String parsed = RuleName.parse(isWildcard ? name.substring(WILDCARD_PREFIX.length()) : name);
        Checks.that(parsed != null, "name", name, "a domain name, or *. followed by a domain name");
        name = (isWildcard ? WILDCARD_PREFIX : "") + parsed;
        addresses = List.copyOf(addresses);
        Checks.that(
                addresses.isEmpty() == (action != Action.ADDRESSES),
                "addresses",
                addresses,
                "addresses if and only if the action is ADDRESSES");
        String parsedTarget = target.isEmpty() ? "" : RuleName.parse(target);
        Checks.that(
                parsedTarget != null && parsedTarget.isEmpty() == (action != Action.ALIAS),
                "target",
                target,
                "a name if and only if the action is ALIAS");
        target = Objects.requireNonNullElse(parsedTarget, "");
    }

    /** Returns a rule that answers with addresses. */
    public static RewriteRule ofAddresses(String name, List<IpAddress> addresses) {
        return new RewriteRule(name, Action.ADDRESSES, addresses, /* target= */ "");
    }

    /** Returns a rule that answers with an alias of another name. */
    public static RewriteRule alias(String name, String target) {
        return new RewriteRule(name, Action.ALIAS, List.of(), target);
    }

    /** Returns a rule with an action that needs neither addresses nor a target. */
    public static RewriteRule of(String name, Action action) {
        return new RewriteRule(name, action, List.of(), /* target= */ "");
    }

    boolean isWildcard() {
        return name.startsWith(WILDCARD_PREFIX);
    }

    /** The name without the wildcard. */
    String baseName() {
        return isWildcard() ? name.substring(WILDCARD_PREFIX.length()) : name;
    }
}
