package io.ballast.filter;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code settings} of a filter in the configuration: strings, lists and nested settings by name. All scalars are
 * strings, as written in the file; the methods of this class convert them. Immutable.
 *
 * <p>Every method throws {@link IllegalArgumentException} if the value is invalid. The message names the setting and
 * what was expected, but not the value, which may be a secret.
 */
public final class FilterSettings {

    /** No settings. */
    public static final FilterSettings EMPTY = new FilterSettings("settings", Map.of());

    private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}");

    private final String path;
    private final Map<String, Object> values;

    private FilterSettings(String path, Map<String, Object> values) {
        this.path = path;
        this.values = values;
    }

    /**
     * Creates settings, for example in a test of a filter.
     *
     * @param values texts, lists and maps of them; other scalars become texts
     * @throws IllegalArgumentException if a value is of another type, or null
     */
    public static FilterSettings of(Map<String, ?> values) {
        return new FilterSettings("settings", copy("settings", values));
    }

    private static Map<String, Object> copy(String path, Map<?, ?> values) {
        Map<String, Object> copy = new LinkedHashMap<>();
        values.forEach((name, value) -> copy.put(String.valueOf(name), copy(path + "." + name, value)));
        return Collections.unmodifiableMap(copy);
    }

    private static Object copy(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            return copy(path, map);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(item -> copy(path, item)).toList();
        }
        if (value instanceof CharSequence || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw new IllegalArgumentException(path + ": unknown type (expected: a text, a list or a map)");
    }

    /** The names of all settings, in the order of the file. */
    public Set<String> names() {
        return values.keySet();
    }

    /**
     * Requires that only these settings are set, so that a misspelt name is an error.
     *
     * @throws IllegalArgumentException if a setting has another name
     */
    public FilterSettings requireOnly(String... known) {
        for (String name : values.keySet()) {
            if (!List.of(known).contains(name)) {
                throw new IllegalArgumentException(
                        path + ": unknown name '" + name + "' (expected: " + String.join(", ", known) + ")");
            }
        }
        return this;
    }

    /** Returns a text; empty if it is not set. */
    public Optional<String> text(String name) {
        return find(name).map(value -> expect(value, String.class, name, "a text"));
    }

    /** Returns a text that must be set. */
    public String requireText(String name) {
        return text(name).orElseThrow(() -> problem(name, "no value", "a text"));
    }

    /** Returns a whole number of at most 18 digits; empty if it is not set. */
    public OptionalLong number(String name) {
        return parse(name, "a whole number", FilterSettings::parseNumber)
                .map(OptionalLong::of)
                .orElse(OptionalLong.empty());
    }

    /** Returns {@code true} or {@code false}; empty if it is not set. */
    public Optional<Boolean> flag(String name) {
        return parse(name, "true or false", FilterSettings::parseFlag);
    }

    private static Optional<Long> parseNumber(String text) {
        return NUMBER.matcher(text).matches() ? Optional.of(Long.valueOf(text)) : Optional.empty();
    }

    private static Optional<Boolean> parseFlag(String text) {
        return switch (text) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** Returns a duration such as {@code 250ms}, {@code 10s}, {@code 5m} or {@code 1h}; empty if it is not set. */
    public Optional<Duration> duration(String name) {
        return parse(name, "a duration such as 250ms, 10s, 5m or 1h", FilterSettings::parseDuration);
    }

    private static Optional<Duration> parseDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }

    /**
     * Returns a list of texts; a single text is a list with one element. The list is empty if the setting is not set.
     */
    public List<String> texts(String name) {
        Object value = find(name).orElse(List.of());
        List<?> items = value instanceof List<?> list ? list : List.of(value);
        return items.stream()
                .map(item -> expect(item, String.class, name, "a list of texts"))
                .toList();
    }

    /** Returns nested settings; empty settings if they are not set. */
    public FilterSettings section(String name) {
        Object value = find(name).orElse(Map.of());
        if (!(value instanceof Map<?, ?> map)) {
            throw problem(name, "invalid value", "a mapping");
        }
        return new FilterSettings(path + "." + name, copy(path + "." + name, map));
    }

    private Optional<Object> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    private <T> Optional<T> parse(String name, String expected, Function<String, Optional<T>> parser) {
        return text(name)
                .map(text -> parser.apply(text)
                        .orElseThrow(() -> problem(name, "a text of " + text.length() + " characters", expected)));
    }

    private <T> T expect(Object value, Class<T> type, String name, String expected) {
        if (!type.isInstance(value)) {
            throw problem(name, "invalid value", expected);
        }
        return type.cast(value);
    }

    private IllegalArgumentException problem(String name, String found, String expected) {
        return new IllegalArgumentException(path + "." + name + ": " + found + " (expected: " + expected + ")");
    }

    /** All values: texts, lists and maps of them, in the order of the file. Immutable. */
    public Map<String, Object> asMap() {
        return values;
    }
}
