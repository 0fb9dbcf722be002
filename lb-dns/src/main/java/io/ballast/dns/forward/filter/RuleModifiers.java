package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.FilterRule.Subject;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What stands behind the dollar sign of a rule, as AdGuard Home has it: {@code $important}, {@code $badfilter}, {@code $denyallow=a|b}
 * (names, each with all below it, that the rule does not apply to), and {@code $dnsrewrite=} with an address, NXDOMAIN or NOERROR (no
 * records).
 *
 * @param denyAllow as it is written; empty if it is not there
 * @param rewrite likewise
 */
record RuleModifiers(boolean isImportant, boolean isCancelling, String denyAllow, String rewrite) {

    private static final String KNOWN =
            "no modifiers but $important, $badfilter, $denyallow=NAME|NAME and $dnsrewrite=ANSWER";
    private static final String DENY_ALLOW = "denyallow=";
    private static final String REWRITE = "dnsrewrite=";
    private static final String REWRITES =
            "$dnsrewrite= with an address, NXDOMAIN or NOERROR, in a rule that blocks names; aliases belong in `rewrites`";

    /** @throws IllegalArgumentException with what was expected */
    static RuleModifiers parse(@Nullable String modifiers) {
        boolean isImportant = false;
        boolean isCancelling = false;
        String denyAllow = "";
        String rewrite = "";
        for (String modifier : modifiers == null ? new String[0] : modifiers.split(",", -1)) {
            if (modifier.equals("important")) {
                isImportant = true;
            } else if (modifier.equals("badfilter")) {
                isCancelling = true;
            } else if (modifier.startsWith(DENY_ALLOW) && modifier.length() > DENY_ALLOW.length()) {
                denyAllow = modifier.substring(DENY_ALLOW.length());
            } else if (modifier.startsWith(REWRITE) && modifier.length() > REWRITE.length()) {
                rewrite = modifier.substring(REWRITE.length());
            } else {
                throw new IllegalArgumentException(KNOWN);
            }
        }
        return new RuleModifiers(isImportant, isCancelling, denyAllow, rewrite);
    }

    /**
     * The rule that a plain one becomes.
     *
     * @param body of the rule as it is written, without its modifiers
     * @throws IllegalArgumentException with what was expected
     */
    FilterRule apply(FilterRule plain, String body) {
        boolean isOfNames = plain.subject() != Subject.EXPRESSION && plain.subject() != Subject.NETWORK;
        if (isCancelling && (!isOfNames || plain.subject() == Subject.PATTERN)) {
            throw new IllegalArgumentException("$badfilter for names only");
        }
        FilterRule rule = new FilterRule(
                plain.line(),
                plain.subject(),
                plain.text(),
                plain.isAllowed(),
                isImportant,
                isCancelling,
                plain.answer(),
                plain.address());
        if (!denyAllow.isEmpty()) {
            if (!isOfNames || isCancelling || !rewrite.isEmpty()) {
                throw new IllegalArgumentException("$denyallow for names only, without $badfilter and $dnsrewrite");
            }
            return rule.on(Subject.PATTERN, denying(plain, body));
        }
        return rewrite.isEmpty() ? rule : rewriting(rule);
    }

    private String denying(FilterRule plain, String body) {
        String pattern =
                switch (plain.subject()) {
                    case NAME -> "|" + plain.text() + "^";
                    case TREE -> "||" + plain.text() + "^";
                    case BELOW -> "*." + plain.text() + "^";
                    default -> body.toLowerCase(Locale.ROOT);
                };
        String text = NamePattern.text(
                pattern, List.of(denyAllow.toLowerCase(Locale.ROOT).split("\\|", -1)));
        NamePattern unused = NamePattern.parse(text);
        return text;
    }

    private FilterRule rewriting(FilterRule rule) {
        boolean isOfName =
                rule.subject() == Subject.NAME || rule.subject() == Subject.TREE || rule.subject() == Subject.BELOW;
        if (!isOfName || rule.isAllowed() || isCancelling) {
            throw new IllegalArgumentException(REWRITES);
        }
        String[] parts = rewrite.split(";", -1);
        String said = parts.length == 3 && !parts[2].isEmpty() ? parts[2] : parts[0];
        boolean isNamed = parts.length == 3 && !parts[2].isEmpty();
        if (parts.length != 1 && parts.length != 3) {
            throw new IllegalArgumentException(REWRITES);
        }
        if (!isNamed && said.equalsIgnoreCase("NXDOMAIN")) {
            return rule.answering(BlockAnswer.NXDOMAIN, /* with= */ null);
        }
        if (!isNamed && said.equalsIgnoreCase("NOERROR")) {
            return rule.answering(BlockAnswer.NODATA, /* with= */ null);
        }
        try {
            IpAddress address = IpAddress.parse(said);
            String type = address.isIpv4() ? "A" : "AAAA";
            boolean fits = !isNamed || (parts[0].equalsIgnoreCase("NOERROR") && parts[1].equalsIgnoreCase(type));
            if (fits) {
                return rule.answering(BlockAnswer.ADDRESS, address);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(REWRITES, e);
        }
        throw new IllegalArgumentException(REWRITES);
    }
}
