package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.ImportedForwarding;
import io.ballast.config.imports.ImportedHeaderEdits;
import io.ballast.config.imports.Options;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts {@code http-request}, {@code http-response} and {@code http-after-response} rules that change
 * headers.
 */
final class HaproxyHeaders {

    /** Whether the condition of a rule holds for all, none or some of the requests of a listener. */
    enum Scope {
        ALWAYS,
        NEVER,
        SOMETIMES
    }

    private HaproxyHeaders() {}

    /** Returns whether the rule changes headers. */
    static boolean isHeaderRule(Directive rule) {
        return switch (rule.word(1)) {
            case "set-header", "add-header", "del-header" -> true;
            default -> false;
        };
    }

    /** Returns whether the rule changes responses. */
    static boolean isResponseRule(Directive rule) {
        return rule.name().equals("http-response") || rule.name().equals("http-after-response");
    }

    /** Returns whether a rule changes a forwarding header, which {@link HaproxyForwarding} converts. */
    static boolean isForwarding(Directive rule) {
        return rule.name().equals("http-request")
                && isHeaderRule(rule)
                && ImportedForwarding.Header.named(rule.word(2)).isPresent();
    }

    /**
     * Writes a rule to the options of a listener or a pool. {@code known} is {@code NONE} for a pool, because
     * several listeners may use it.
     */
    static void write(Directive rule, Scope scope, Options options, HaproxyBind.Variables known, ImportReport report) {
        ImportedHeaderEdits edits = new ImportedHeaderEdits(options, isResponseRule(rule) ? "response" : "request");
        String header = rule.word(2);
        try {
            switch (scope) {
                case NEVER -> report.addSame(rule);
                case SOMETIMES ->
                    throw new UntranslatableException(
                            "conditions are not supported for this rule; use 'headers' of a route");
                case ALWAYS -> {
                    edit(rule, edits, header, known);
                    report.addTranslated(
                            rule,
                            rule.name().equals("http-response")
                                    ? List.of("also applies to Ballast's own responses")
                                    : List.of());
                }
            }
        } catch (UntranslatableException e) {
            if (rule.word(1).equals("set-header") && !isResponseRule(rule)) {
                edits.removeUntranslated(header);
                report.addUnsupported(rule, "the header is removed from requests; " + e.nearest());
            } else {
                report.addUnsupported(rule, e.nearest());
            }
        }
    }

    private static void edit(Directive rule, ImportedHeaderEdits edits, String header, HaproxyBind.Variables known)
            throws UntranslatableException {
        switch (rule.word(1)) {
            case "del-header" -> {
                if (rule.word(3).equals("-m") && !rule.word(4).equals("str")) {
                    throw new UntranslatableException("a header can be removed only by its exact name");
                }
                edits.remove(header);
            }
            case "set-header" -> {
                if (header.equalsIgnoreCase("host")) {
                    throw new UntranslatableException("pools.NAME.host");
                }
                edits.set(header, HaproxyFormat.header(rule.word(3), known));
            }
            default -> edits.add(header, HaproxyFormat.header(rule.word(3), known));
        }
    }

    /** Returns whether a rule applies to all, some or none of the requests of a listener. */
    static Scope scope(Directive rule, HaproxyAcls acls, HaproxyBind bind) throws UntranslatableException {
        List<HaproxyAcls.Expanded> when = acls.expand(condition(rule), bind, new ArrayList<>());
        if (when.stream().allMatch(part -> part.conditions().isEmpty())) {
            return Scope.NEVER;
        }
        boolean always = when.stream()
                .anyMatch(part -> part.conditions().contains(ImportedConditions.ALL)
                        && part.exceptions().isEmpty());
        return always ? Scope.ALWAYS : Scope.SOMETIMES;
    }

    /** Returns the scope of a rule; {@code SOMETIMES} if our format cannot express its condition. */
    static Scope scopeOf(Directive rule, HaproxyAcls acls, HaproxyBind bind) {
        try {
            return scope(rule, acls, bind);
        } catch (UntranslatableException e) {
            return Scope.SOMETIMES;
        }
    }

    /** Returns the words of the rule's condition, starting with {@code if} or {@code unless}. */
    static List<String> condition(Directive rule) {
        for (int i = 1; i < rule.words().size(); i++) {
            if (rule.word(i).equals("if") || rule.word(i).equals("unless")) {
                return rule.words().subList(i, rule.words().size());
            }
        }
        return List.of();
    }
}
