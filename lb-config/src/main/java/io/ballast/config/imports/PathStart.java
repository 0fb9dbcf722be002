package io.ballast.config.imports;

import io.ballast.http.route.regex.RegexStart;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A prefix of paths that need not end at a segment: {@code /admin} also matches {@code /admin.php}. Immutable.
 *
 * @param text the prefix
 * @param ignoresCase whether case is ignored
 */
record PathStart(String text, boolean ignoresCase) {

    private static final String IGNORING_CASE = "(?i)";
    private static final String ANYTHING = ".*";
    private static final Pattern SYNTAX = Pattern.compile("(\\(\\?i\\))?((?:[A-Za-z0-9_/~-]|\\\\[^A-Za-z0-9])+)\\.\\*");
    private static final Pattern FIRST = Pattern.compile("(?:\\\\([^A-Za-z0-9])|([A-Za-z0-9_/~-]))(?![*+?{]).*");
    private static final Pattern GROUP_WITHOUT_ALTERNATIVES =
            Pattern.compile("\\(\\?i?:((?:[^()|]|\\([^()]*\\))*)\\).*");

    /** Returns the regular expression that matches these paths. */
    String regex() {
        return (ignoresCase ? IGNORING_CASE : "") + ImportedPath.quoted(text) + ANYTHING;
    }

    /**
     * Returns the prefix of a condition that only requires that the path starts with a text; empty for other
     * conditions.
     */
    static Optional<PathStart> of(ImportedPath condition) {
        Matcher matcher = SYNTAX.matcher(condition.text());
        if (condition.kind() != ImportedPath.Kind.REGEX || !matcher.matches()) {
            return Optional.empty();
        }
        String text = String.valueOf(matcher.group(2)).replaceAll("\\\\(.)", "$1");
        return Optional.of(new PathStart(text, matcher.group(1) != null));
    }

    /**
     * Returns the paths that begin with the prefix and match the condition; empty if Ballast's configuration
     * format cannot express them.
     */
    Optional<List<ImportedPath>> and(ImportedPath other) {
        if (other.kind() == ImportedPath.Kind.PREFIX) {
            return andPrefix(other);
        }
        return of(other).map(start -> and(start, other)).orElseGet(() -> andRegex(other));
    }

    private Optional<List<ImportedPath>> andPrefix(ImportedPath prefix) {
        String directory = prefix.text() + "/";
        if (begins(prefix.text(), text)) {
            return Optional.of(List.of(prefix));
        }
        if (!text.startsWith(directory)) {
            return begins(text, directory) ? Optional.empty() : Optional.of(List.of());
        }
        return ignoresCase ? Optional.empty() : toPath(regex());
    }

    private Optional<List<ImportedPath>> and(PathStart start, ImportedPath other) {
        if (covers(start)) {
            return Optional.of(List.of(other));
        }
        if (start.covers(this)) {
            return toPath(regex());
        }
        boolean ignoring = ignoresCase || start.ignoresCase;
        int both = Math.min(text.length(), start.text.length());
        boolean apart = !text.regionMatches(ignoring, 0, start.text, 0, both);
        return apart ? Optional.of(List.of()) : Optional.empty();
    }

    private Optional<List<ImportedPath>> andRegex(ImportedPath expression) {
        String directory = RegexStart.directory(expression.text());
        if (!directory.isEmpty() && begins(directory + "/", text)) {
            return Optional.of(List.of(expression));
        }
        if (!directory.isEmpty()) {
            return begins(text, directory + "/") ? Optional.empty() : Optional.of(List.of());
        }
        if (ignoresCase || !expression.text().startsWith(ANYTHING)) {
            return Optional.empty();
        }
        // The text that the expression requires after ".*" must not begin inside the prefix.
        String end = expression.text().substring(ANYTHING.length());
        Matcher group = GROUP_WITHOUT_ALTERNATIVES.matcher(end);
        Matcher first = FIRST.matcher(group.matches() ? String.valueOf(group.group(1)) : end);
        boolean isApart = first.matches()
                && !lower(text).contains(lower(first.group(1) == null ? first.group(2) : first.group(1)));
        return isApart ? toPath(ImportedPath.quoted(text) + ANYTHING + end) : Optional.empty();
    }

    private static String lower(@Nullable String text) {
        return String.valueOf(text).toLowerCase(Locale.ROOT);
    }

    private boolean covers(PathStart longer) {
        return (ignoresCase || !longer.ignoresCase) && begins(longer.text, text);
    }

    private boolean begins(String path, String start) {
        return path.regionMatches(ignoresCase, 0, start, 0, start.length());
    }

    private static Optional<List<ImportedPath>> toPath(String regex) {
        try {
            return Optional.of(List.of(ImportedPath.regex(regex)));
        } catch (UntranslatableException e) {
            return Optional.empty();
        }
    }
}
