package io.ballast.config.imports.haproxy;

import io.ballast.config.imports.Directive;
import io.ballast.config.imports.ImportReport;
import io.ballast.config.imports.ImportedConditions;
import io.ballast.config.imports.UntranslatableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Evaluates the ACLs of a section and the conditions that use them. Thread safety: confined to one thread.
 */
final class HaproxyAcls {

    private static final int MAX_ALTERNATIVES = 1000;
    private static final Map<String, List<String>> PREDEFINED = Map.of(
            "TRUE", List.of("always_true"),
            "FALSE", List.of("always_false"),
            "METH_GET", List.of("method", "GET", "HEAD"),
            "METH_HEAD", List.of("method", "HEAD"),
            "METH_POST", List.of("method", "POST"),
            "METH_PUT", List.of("method", "PUT"),
            "METH_DELETE", List.of("method", "DELETE"),
            "METH_OPTIONS", List.of("method", "OPTIONS"),
            "LOCALHOST", List.of("src", "127.0.0.0/8", "::1"));

    private final Map<String, List<Directive>> acls = new HashMap<>();
    private final ImportReport report;

    HaproxyAcls(HaproxySection section, ImportReport report) {
        this.report = report;
        section.all()
                .filter(directive -> directive.name().equals("acl"))
                .forEach(acl -> acls.computeIfAbsent(acl.word(1), absent -> new ArrayList<>())
                        .add(acl));
    }

    /**
     * The conditions of a rule: the rule applies if a request matches one of {@code conditions} and none of {@code
     * exceptions}. A rule with empty {@code conditions} never applies.
     */
    record Expanded(List<ImportedConditions> conditions, List<ImportedConditions> exceptions) {}

    /**
     * A condition that is split at one term.
     *
     * @param criteria the criteria of the term; one of them must match
     * @param isNegated whether the rule applies if none of them matches
     * @param rest the other terms
     */
    record Split(List<HaproxyCriterion> criteria, boolean isNegated, Expanded rest) {}

    /**
     * Splits a condition without {@code or} at the term that has only {@code wanted} criteria; empty if there is no such
     * term. Reports the ACL of the term.
     */
    Optional<Split> split(List<String> words, Predicate<HaproxyCriterion> wanted, HaproxyBind bind, List<String> notes)
            throws UntranslatableException {
        boolean unless = !words.isEmpty() && words.get(0).equals("unless");
        List<List<List<String>>> parts = words.isEmpty() ? List.of() : parts(words.subList(1, words.size()));
        if (parts.size() != 1 || (unless && parts.get(0).size() != 1)) {
            return Optional.empty();
        }
        List<List<String>> others = new ArrayList<>(parts.get(0));
        for (List<String> term : parts.get(0)) {
            boolean negated = !term.isEmpty() && term.get(0).equals("!");
            List<String> plain = negated ? term.subList(1, term.size()) : term;
            List<HaproxyCriterion> criteria = criteria(plain);
            if (!criteria.isEmpty() && criteria.stream().allMatch(wanted)) {
                others.remove(term);
                Expanded rest = conjunction(others, bind, notes);
                acls.getOrDefault(plain.get(0), List.of()).forEach(report::addSame);
                return Optional.of(new Split(criteria, negated != unless, rest));
            }
        }
        return Optional.empty();
    }

    /** Returns the criteria of a term; an empty list if one of them is not valid. */
    private List<HaproxyCriterion> criteria(List<String> term) {
        try {
            if (!term.isEmpty() && term.get(0).equals("{")) {
                return List.of(HaproxyCriterion.of(term.subList(1, term.size() - 1)));
            }
            List<HaproxyCriterion> criteria = new ArrayList<>();
            for (Directive acl : term.isEmpty() ? List.<Directive>of() : acls.getOrDefault(term.get(0), List.of())) {
                criteria.add(
                        HaproxyCriterion.of(acl.words().subList(2, acl.words().size())));
            }
            return criteria;
        } catch (UntranslatableException e) {
            return List.of();
        }
    }

    /**
     * Translates a condition for a listener; the result has one entry for each part separated by {@code or}. The
     * condition is {@code if} or {@code unless} and the words after it. Without words, the condition always
     * matches.
     */
    List<Expanded> expand(List<String> words, HaproxyBind bind, List<String> notes) throws UntranslatableException {
        if (words.isEmpty()) {
            return List.of(new Expanded(List.of(ImportedConditions.ALL), List.of()));
        }
        boolean unless = words.get(0).equals("unless");
        if (!unless && !words.get(0).equals("if")) {
            throw new UntranslatableException("");
        }
        List<Expanded> expanded = new ArrayList<>();
        for (List<List<String>> part : parts(words.subList(1, words.size()))) {
            expanded.add(conjunction(part, bind, notes));
        }
        if (!unless) {
            return expanded;
        }
        List<ImportedConditions> except = new ArrayList<>();
        for (Expanded part : expanded) {
            if (!part.exceptions.isEmpty()) {
                throw new UntranslatableException("a double negation is not supported in conditions");
            }
            except.addAll(part.conditions);
        }
        return except.contains(ImportedConditions.ALL)
                ? List.of()
                : List.of(new Expanded(List.of(ImportedConditions.ALL), except));
    }

    /** Splits the words at {@code or} into terms. A negated term starts with a separate word {@code !}. */
    private static List<List<List<String>>> parts(List<String> words) {
        List<List<List<String>>> parts = new ArrayList<>();
        List<List<String>> part = new ArrayList<>();
        List<String> term = new ArrayList<>();
        boolean inBraces = false;
        for (String word : words) {
            String rest = word;
            if (!inBraces && rest.startsWith("!")) {
                term.add("!");
                rest = rest.substring(1);
            }
            if (!inBraces && (rest.equals("or") || rest.equals("||"))) {
                parts.add(part);
                part = new ArrayList<>();
            } else if (rest.equals("{")) {
                inBraces = true;
                term.add(rest);
            } else if (!rest.isEmpty()) {
                term.add(rest);
                inBraces &= !rest.equals("}");
                if (!inBraces) {
                    part.add(term);
                    term = new ArrayList<>();
                }
            }
        }
        parts.add(part);
        return parts;
    }

    private Expanded conjunction(List<List<String>> terms, HaproxyBind bind, List<String> notes)
            throws UntranslatableException {
        List<ImportedConditions> all = List.of(ImportedConditions.ALL);
        List<ImportedConditions> except = new ArrayList<>();
        for (List<String> term : terms) {
            boolean negated = term.get(0).equals("!");
            List<ImportedConditions> one = alternatives(negated ? term.subList(1, term.size()) : term, bind, notes);
            if (negated) {
                except.addAll(one);
            } else {
                all = product(all, one);
            }
        }
        return new Expanded(except.contains(ImportedConditions.ALL) ? List.of() : all, except);
    }

    private static List<ImportedConditions> product(List<ImportedConditions> some, List<ImportedConditions> others)
            throws UntranslatableException {
        if (some.size() * others.size() > MAX_ALTERNATIVES) {
            throw new UntranslatableException("the condition has too many alternatives");
        }
        List<ImportedConditions> product = new ArrayList<>();
        for (ImportedConditions one : some) {
            for (ImportedConditions other : others) {
                Optional<List<ImportedConditions>> both = one.and(other);
                product.addAll(both.orElseThrow(
                        () -> new UntranslatableException("a route can have only one condition of each kind")));
            }
        }
        return product;
    }

    /**
     * Returns the alternative conditions for one term: an empty list if the term never matches, a single
     * match-all condition if it always matches.
     */
    private List<ImportedConditions> alternatives(List<String> term, HaproxyBind bind, List<String> notes)
            throws UntranslatableException {
        if (term.isEmpty()) {
            throw new UntranslatableException("the condition is empty");
        }
        if (term.get(0).equals("{")) {
            return alternatives(HaproxyCriterion.of(term.subList(1, term.size() - 1)), bind, notes);
        }
        List<Directive> named = acls.get(term.get(0));
        if (named == null) {
            List<String> predefined = PREDEFINED.get(term.get(0));
            if (predefined == null) {
                throw new UntranslatableException("acl " + term.get(0) + " is not defined in the file");
            }
            return alternatives(HaproxyCriterion.of(predefined), bind, notes);
        }
        List<ImportedConditions> all = new ArrayList<>();
        for (Directive acl : named) {
            List<String> differences = new ArrayList<>();
            try {
                all.addAll(alternatives(
                        HaproxyCriterion.of(acl.words().subList(2, acl.words().size())), bind, differences));
            } catch (UntranslatableException e) {
                report.addUnsupported(acl, e.nearest());
                throw new UntranslatableException("the condition cannot be converted; see line " + acl.line());
            }
            report.addTranslated(acl, differences);
        }
        return all;
    }

    private static List<ImportedConditions> alternatives(
            HaproxyCriterion criterion, HaproxyBind bind, List<String> notes) throws UntranslatableException {
        if (criterion.isConstant()) {
            if (!criterion.hasKnownResult()) {
                throw new UntranslatableException(
                        "unsupported comparison (supported: ssl_fc, and dst_port with port numbers)");
            }
            if (bind.address().isEmpty() && !criterion.sample().startsWith("always_")) {
                throw new UntranslatableException(
                        "the result of the condition differs between the listeners of this section");
            }
            return criterion.holds(bind) ? List.of(ImportedConditions.ALL) : List.of();
        }
        return criterion.alternatives(notes);
    }
}
