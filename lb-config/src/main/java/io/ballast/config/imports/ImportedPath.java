package io.ballast.config.imports;

import io.ballast.core.ErrorText;
import io.ballast.http.route.regex.ByteText;
import io.ballast.http.route.regex.RegexStart;
import io.ballast.http.route.regex.RoutePattern;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition on the path. Immutable.
 *
 * @param kind how the text is interpreted
 * @param text a prefix without a trailing slash, a path, or an expression for the whole path; empty for any
 *     path
 */
public record ImportedPath(Kind kind, String text) {

    /** How a path is compared. */
    public enum Kind {
        ANY,
        PREFIX,
        REGEX,
        EXACT
    }

    /** Matches every path. */
    public static final ImportedPath ANY = new ImportedPath(Kind.ANY, "");

    private static final Pattern SPECIAL = Pattern.compile("[^A-Za-z0-9_/~-]");
    private static final String ANYTHING = ".*";

    /** Matches paths under a prefix, compared by whole segments; matches all paths if the prefix is {@code /}. */
    public static ImportedPath prefix(String prefix) {
        String trimmed = prefix.replaceAll("/+$", "");
        return trimmed.isEmpty() ? ANY : new ImportedPath(Kind.PREFIX, trimmed);
    }

    /**
     * Matches paths that begin with a text, whether or not a segment ends there: {@code /admin.php} begins with
     * {@code /admin}.
     *
     * @throws UntranslatableException if the text is too long
     */
    public static ImportedPath textPrefix(String text, boolean ignoresCase) throws UntranslatableException {
        return regex(new PathStart(text, ignoresCase).regex());
    }

    /** Matches exactly this path. */
    public static ImportedPath exact(String path) {
        return new ImportedPath(Kind.EXACT, path);
    }

    /**
     * Matches paths that, as a whole, match a regular expression.
     *
     * @throws UntranslatableException if the expression is invalid in RE2 syntax or too costly
     */
    public static ImportedPath regex(String regex) throws UntranslatableException {
        try {
            RoutePattern.compile(regex);
        } catch (IllegalArgumentException e) {
            throw new UntranslatableException(ErrorText.of(e));
        }
        return new ImportedPath(Kind.REGEX, regex);
    }

    /** Returns an expression that matches the literal text. */
    public static String quoted(String text) {
        return SPECIAL.matcher(text).replaceAll(match -> Matcher.quoteReplacement("\\" + match.group()));
    }

    /**
     * Converts an expression that may match anywhere in a text into one that must match the whole text.
     */
    public static String toFullMatchRegex(String regex) {
        if (regex.indexOf('|') >= 0) {
            return ANYTHING + "(?:" + regex + ")" + ANYTHING;
        }
        boolean fromStart = regex.startsWith("^");
        boolean toEnd = regex.endsWith("$") && !regex.endsWith("\\$");
        String body = regex.substring(fromStart ? 1 : 0, regex.length() - (toEnd ? 1 : 0));
        return (fromStart || body.startsWith(ANYTHING) ? "" : ANYTHING)
                + body
                + (toEnd || body.endsWith(ANYTHING) ? "" : ANYTHING);
    }

    /** Rank among the paths of one host; higher ranks are tried first. */
    int rank() {
        return switch (kind) {
            case ANY -> 0;
            case PREFIX -> 2 * text.length();
            case REGEX -> 2 * literalStart() + 1;
            case EXACT -> Integer.MAX_VALUE;
        };
    }

    /** Returns the intersection of both conditions; empty if our format cannot express it. */
    Optional<List<ImportedPath>> and(ImportedPath other) {
        if (kind == Kind.ANY || equals(other)) {
            return Optional.of(List.of(other));
        }
        if (other.kind == Kind.ANY) {
            return Optional.of(List.of(this));
        }
        if (other.kind == Kind.EXACT) {
            return Optional.of(matchesPath(other.text) ? List.of(other) : List.of());
        }
        if (kind == Kind.EXACT) {
            return Optional.of(other.matchesPath(text) ? List.of(this) : List.of());
        }
        if (kind == Kind.PREFIX && other.kind == Kind.PREFIX) {
            return Optional.of(
                    matchesPath(other.text) ? List.of(other) : other.matchesPath(text) ? List.of(this) : List.of());
        }
        Optional<PathStart> start = PathStart.of(this);
        if (start.isPresent()) {
            return start.get().and(other);
        }
        start = PathStart.of(other);
        if (start.isPresent()) {
            return start.get().and(this);
        }
        if (kind == Kind.REGEX && other.kind == Kind.REGEX) {
            return Optional.empty();
        }
        return kind == Kind.REGEX ? andPrefix(other.text) : other.andPrefix(text);
    }

    private boolean matchesPath(String path) {
        return switch (kind) {
            case ANY -> true;
            case PREFIX -> path.equals(text) || path.startsWith(text + "/");
            case REGEX -> matches(path);
            case EXACT -> path.equals(text);
        };
    }

    private boolean matches(String path) {
        byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
        return RoutePattern.compile(text).matches(bytes, 0, bytes.length, new ByteText());
    }

    /** Restricts this expression to the paths under a prefix. */
    private Optional<List<ImportedPath>> andPrefix(String prefix) {
        String start = text.substring(0, literalStart());
        if (!start.isEmpty() && !start.startsWith(prefix + "/") && !start.equals(prefix)) {
            return prefix.startsWith(start + "/") ? Optional.empty() : Optional.of(List.of());
        }
        if (!start.isEmpty()) {
            return Optional.of(List.of(this));
        }
        if (!text.startsWith(ANYTHING)) {
            return Optional.empty();
        }
        String rest = text.substring(ANYTHING.length());
        String below = rest.startsWith("/") ? "/(?:.*/)?" + rest.substring(1) : "/.*" + rest;
        try {
            ImportedPath inside = regex(quoted(prefix) + below);
            return Optional.of(matchesPath(prefix) ? List.of(inside, exact(prefix)) : List.of(inside));
        } catch (UntranslatableException e) {
            return Optional.empty();
        }
    }

    /** Returns the length of the literal path segments at the beginning of every matching path. */
    private int literalStart() {
        return RegexStart.directory(text).length();
    }
}
