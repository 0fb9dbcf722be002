package io.ballast.policy.cache.rule;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The request headers that select one of several responses for a URL (RFC 9111 section 4.1).
 *
 * @param names the names in lower case, sorted
 */
public record VaryRule(List<String> names) {

    /** One response serves all requests. */
    public static final VaryRule NONE = new VaryRule(List.of());
    /** Each request may get a different response, or there are too many headers. No stored response can be reused. */
    public static final VaryRule ANYTHING = new VaryRule(List.of("*"));

    /** The maximum number of names. */
    public static final int MAX_NAMES = 16;

    /** The headers whose elements are case-insensitive. */
    private static final List<String> CASELESS = List.of("accept-encoding", "accept-language");
    /**
     * The header in which the order of elements has no meaning. In {@code Accept-Language}, the order can matter,
     * because applications often use the first language.
     */
    private static final String UNORDERED = "accept-encoding";
    /** The headers that are lists, so that blanks around commas have no meaning. */
    private static final List<String> LISTS = List.of("accept", "accept-charset", "accept-encoding", "accept-language");

    public VaryRule {
        names = List.copyOf(names);
    }

    /** Parses the lines of a {@code Vary} field. */
    static VaryRule parse(List<String> lines) {
        if (lines.isEmpty()) {
            return NONE;
        }
        TreeSet<String> names = new TreeSet<>();
        for (String line : lines) {
            for (String name : ListElements.of(line)) {
                if ("*".equals(name) || names.size() > MAX_NAMES) {
                    return ANYTHING;
                }
                names.add(name.toLowerCase(Locale.ROOT));
            }
        }
        return names.size() > MAX_NAMES ? ANYTHING : new VaryRule(List.copyOf(names));
    }

    /** Whether one of the headers is in a set of names in lower case with hyphens. */
    public boolean namesAny(Set<String> headers) {
        return names.stream().anyMatch(name -> headers.contains(name.replace('_', '-')));
    }

    /** Whether no stored response may be reused. */
    public boolean matchesNothing() {
        return equals(ANYTHING);
    }

    /**
     * Returns a text that is equal for two requests if the same response serves both. A missing header differs from an
     * empty one.
     *
     * @param values returns the values of all lines of a request header by its name in lower case
     */
    public String select(Function<String, List<String>> values) {
        if (names.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            List<String> lines = values.apply(name);
            text.append(lines.isEmpty() ? '-' : '+')
                    .append(normalized(name, lines))
                    .append('\n');
        }
        return text.toString();
    }

    /** Joins all lines. In lists, removes blanks around commas. */
    private static String normalized(String name, List<String> lines) {
        if (!LISTS.contains(name)) {
            return String.join(",", lines);
        }
        List<String> elements = new ArrayList<>();
        lines.forEach(line -> elements.addAll(ListElements.of(line)));
        Stream<String> parts = elements.stream();
        if (CASELESS.contains(name)) {
            parts = parts.map(element -> element.toLowerCase(Locale.ROOT).replace(" ", ""));
        }
        return (UNORDERED.equals(name) ? parts.sorted() : parts).collect(Collectors.joining(","));
    }
}
