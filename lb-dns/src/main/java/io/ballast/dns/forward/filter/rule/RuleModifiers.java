package io.ballast.dns.forward.filter.rule;

import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The modifiers of a rule after its dollar sign, as in AdGuard Home: {@code $important}, {@code $badfilter},
 * {@code $denyallow=a|b} (excluded names, each with all names below it), {@code $client} ({@link RuleClients}),
 * {@code $dnstype} ({@link RuleTypes}) and {@code $dnsrewrite} ({@link RewriteModifier}).
 *
 * @param denyAllow the value of {@code $denyallow}; empty if the rule does not have it
 * @param rewrite the value of {@code $dnsrewrite}; empty if the rule does not have it
 */
record RuleModifiers(
        boolean isImportant, boolean isCancelling, String denyAllow, RuleCondition condition, String rewrite) {

    private static final String EXPECTED_FORM =
            "no modifiers but $important, $badfilter, $denyallow=NAME|NAME, $client=CLIENT|CLIENT,"
                    + " $dnstype=TYPE|TYPE and $dnsrewrite=ANSWER, each once";
    private static final String DENY_ALLOW = "denyallow=";
    private static final String CLIENT = "client=";
    private static final String TYPE = "dnstype=";
    private static final String REWRITE = "dnsrewrite=";

    /**
     * Parses the modifiers after the dollar sign.
     *
     * @param isGroup predicate that returns whether a client group with a given name exists
     * @throws IllegalArgumentException if a modifier is invalid; the message describes the expected form
     */
    static RuleModifiers parse(@Nullable String modifiers, Predicate<String> isGroup) {
        boolean isImportant = false;
        boolean isCancelling = false;
        String denyAllow = "";
        String rewrite = "";
        RuleClients clients = null;
        RuleTypes types = null;
        for (String modifier : modifiers == null ? List.<String>of() : ModifierText.split(modifiers, ',')) {
            if (modifier.equals("important")) {
                isImportant = true;
            } else if (modifier.equals("badfilter")) {
                isCancelling = true;
            } else if (modifier.startsWith(DENY_ALLOW)
                    && modifier.length() > DENY_ALLOW.length()
                    && denyAllow.isEmpty()) {
                denyAllow = modifier.substring(DENY_ALLOW.length());
            } else if (modifier.startsWith(REWRITE) && modifier.length() > REWRITE.length() && rewrite.isEmpty()) {
                rewrite = modifier.substring(REWRITE.length());
            } else if (modifier.startsWith(CLIENT) && clients == null) {
                clients = RuleClients.parse(modifier.substring(CLIENT.length()), isGroup);
            } else if (modifier.startsWith(TYPE) && types == null) {
                types = RuleTypes.parse(modifier.substring(TYPE.length()));
            } else {
                throw new IllegalArgumentException(EXPECTED_FORM);
            }
        }
        return new RuleModifiers(isImportant, isCancelling, denyAllow, new RuleCondition(clients, types), rewrite);
    }

    /**
     * Returns a copy of the rule with these modifiers.
     *
     * @throws IllegalArgumentException if the modifiers do not fit the rule; the message says what is allowed
     */
    FilterRule apply(FilterRule plain) {
        boolean isNameRule = plain.subject().isName();
        if (isCancelling && !isNameRule) {
            throw new IllegalArgumentException("$badfilter for names only");
        }
        if (isCancelling && !condition.isNone()) {
            throw new IllegalArgumentException("$badfilter without $client and $dnstype");
        }
        if (plain.subject() == Subject.NETWORK && !condition.isNone()) {
            throw new IllegalArgumentException("$client and $dnstype for names only");
        }
        FilterRule rule = plain.withModifiers(isImportant, isCancelling, condition);
        if (!rewrite.isEmpty()) {
            if (plain.isAllowed() || isCancelling || plain.subject() == Subject.NETWORK) {
                throw new IllegalArgumentException(RewriteModifier.EXPECTED_FORM);
            }
            rule = RewriteModifier.apply(rewrite, rule);
        }
        if (!denyAllow.isEmpty()) {
            return applyDenyAllow(rule);
        }
        return isNameRule && (!condition.isNone() || !rule.target().isEmpty()) ? rule.asPattern() : rule;
    }

    private FilterRule applyDenyAllow(FilterRule rule) {
        boolean isNameRule = rule.subject().isName() || rule.subject() == Subject.PATTERN;
        if (!isNameRule || isCancelling || rule.text().equals(NamePattern.MATCH_ALL)) {
            throw new IllegalArgumentException("$denyallow for names only, without $badfilter");
        }
        String text = NamePattern.text(
                rule.asPattern().text(),
                List.of(denyAllow.toLowerCase(Locale.ROOT).split("\\|", -1)));
        NamePattern unused = NamePattern.parse(text);
        return rule.withSubject(Subject.PATTERN, text);
    }
}
