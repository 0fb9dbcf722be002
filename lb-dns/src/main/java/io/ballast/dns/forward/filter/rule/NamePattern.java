package io.ballast.dns.forward.filter.rule;

import io.ballast.core.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern of AdGuard's syntax: {@code *} stands for any characters including dots, and {@code $denyallow}
 * excludes names. {@code ||} anchors the pattern at the beginning of a label, {@code |} at the beginning of
 * the name; a final {@code ^} or {@code |} anchors it at the end of the name.
 *
 * <p>Immutable. Cost of a match: at most one pass over the name for each {@code *}, and for each label at
 * which a pattern with {@code ||} may begin; allocates nothing.
 */
final class NamePattern implements NameMatcher {

    static final String EXPECTED_FORM = "a pattern of letters, digits, -, _, . and at most " + NamePattern.MAX_WILDCARDS
            + " *, such as ||ads-*.example.com^";

    /** The text of a rule for all names, which must have a condition. It is not a pattern. */
    static final String MATCH_ALL = "*";

    private static final int MAX_WILDCARDS = 8;
    private static final String DENY_ALLOW = "$denyallow=";

    private final boolean isLabelAnchored;
    private final boolean isStartAnchored;
    private final boolean isEndAnchored;
    /**
     * The literal parts between the wildcards. The first or last part is "" if the pattern starts or ends with a
     * wildcard.
     */
    private final String[] parts;
    /** Excluded names, each with all names below it. */
    private final String[] excludedNames;

    private NamePattern(String pattern, List<String> excludedNames) {
        this.isLabelAnchored = pattern.startsWith("||");
        this.isStartAnchored = !isLabelAnchored && pattern.startsWith("|");
        String body = pattern.substring(isLabelAnchored ? 2 : isStartAnchored ? 1 : 0);
        int end = body.length();
        while (end > 0 && (body.charAt(end - 1) == '^' || body.charAt(end - 1) == '|')) {
            end--;
        }
        this.isEndAnchored = end < body.length();
        this.parts = body.substring(0, end).split("\\*", /* limit= */ -1);
        this.excludedNames = excludedNames.toArray(String[]::new);
    }

    /** Returns the rule text for a pattern from which some names are excluded. */
    static String text(String pattern, List<String> excludedNames) {
        return excludedNames.isEmpty() ? pattern : pattern + DENY_ALLOW + String.join("|", excludedNames);
    }

    /**
     * Parses the text of a rule.
     *
     * @throws IllegalArgumentException if the text is not a pattern
     */
    static NamePattern parse(String text) {
        int deny = text.indexOf(DENY_ALLOW);
        List<String> excludedNames = new ArrayList<>();
        if (deny >= 0) {
            for (String name : text.substring(deny + DENY_ALLOW.length()).split("\\|", /* limit= */ -1)) {
                String parsed = RuleName.parse(name);
                Checks.that(parsed != null, "name", name, RuleName.EXPECTED_FORM);
                excludedNames.add(String.valueOf(parsed));
            }
        }
        NamePattern pattern = new NamePattern(deny < 0 ? text : text.substring(0, deny), excludedNames);
        Checks.that(pattern.isWellFormed(), "pattern", text, EXPECTED_FORM);
        return pattern;
    }

    private boolean isWellFormed() {
        boolean hasLetter = false;
        for (String part : parts) {
            for (int i = 0; i < part.length(); i++) {
                char c = part.charAt(i);
                boolean isLetter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
                if (!isLetter && c != '-' && c != '_' && c != '.') {
                    return false;
                }
                hasLetter |= isLetter;
            }
        }
        return hasLetter && parts.length <= 1 + MAX_WILDCARDS;
    }

    @Override
    public boolean matches(String name) {
        return matchesPattern(name) && Arrays.stream(excludedNames).noneMatch(above -> isAtOrBelow(name, above));
    }

    private static boolean isAtOrBelow(String name, String above) {
        int cut = name.length() - above.length();
        return name.endsWith(above) && (cut == 0 || name.charAt(cut - 1) == '.');
    }

    @Override
    public String suffix() {
        String last = parts[parts.length - 1];
        boolean isComplete = parts.length == 1 && (isLabelAnchored || isStartAnchored);
        int dot = last.indexOf('.');
        if (!isEndAnchored || (!isComplete && dot < 0)) {
            return "";
        }
        String name = RuleName.parse(isComplete ? last : last.substring(dot + 1));
        return name == null ? "" : name;
    }

    private boolean matchesPattern(String name) {
        if (isEndAnchored && !name.endsWith(parts[parts.length - 1])) {
            return false;
        }
        if (isStartAnchored) {
            return matchesAt(name, 0);
        }
        if (!isLabelAnchored) {
            return matchesAnywhere(name);
        }
        for (int start = 0; start >= 0; start = name.indexOf('.', start) + 1) {
            if (matchesAt(name, start)) {
                return true;
            }
            if (name.indexOf('.', start) < 0) {
                return false;
            }
        }
        return false;
    }

    /** Returns whether the pattern matches with its first part at index {@code start}. */
    private boolean matchesAt(String name, int start) {
        return name.startsWith(parts[0], start) && matchesRest(name, start + parts[0].length());
    }

    private boolean matchesAnywhere(String name) {
        if (parts.length == 1 && isEndAnchored) {
            return name.endsWith(parts[0]);
        }
        int start = name.indexOf(parts[0]);
        return start >= 0 && matchesRest(name, start + parts[0].length());
    }

    /**
     * Returns whether all parts of the pattern after the first one occur in {@code name}, in order, at or after
     * index {@code from}. Each part is matched at its earliest occurrence.
     */
    private boolean matchesRest(String name, int from) {
        int at = from;
        int last = parts.length - 1;
        for (int i = 1; i <= last; i++) {
            if (i == last && isEndAnchored) {
                return name.length() - parts[i].length() >= at;
            }
            int found = name.indexOf(parts[i], at);
            if (found < 0) {
                return false;
            }
            at = found + parts[i].length();
        }
        return !isEndAnchored || at == name.length();
    }
}
