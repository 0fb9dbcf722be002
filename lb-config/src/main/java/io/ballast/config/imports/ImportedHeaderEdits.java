package io.ballast.config.imports;

import io.ballast.config.keys.common.HeaderNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The header rules of one direction, under construction, for a listener, a route or a pool. Header names are
 * compared without regard to case. Thread safety: confined to one thread.
 */
public final class ImportedHeaderEdits {

    private final Options options;
    private final String path;

    /**
     * Creates an editor for the header rules in {@code options}; {@code direction} is {@code request} or {@code
     * response}.
     */
    public ImportedHeaderEdits(Options options, String direction) {
        this.options = options;
        this.path = "headers." + direction;
    }

    /**
     * Sets a header to one value, and discards earlier edits that set or remove it.
     *
     * @throws UntranslatableException if rules must not change this header
     */
    public void set(String name, String value) throws UntranslatableException {
        check(name);
        removeName("remove", name);
        removeValue("set", name);
        options.putIn(path + ".set", name, value);
    }

    /**
     * Adds a value to a header and keeps existing values.
     *
     * @throws UntranslatableException if rules must not change this header, or if an earlier rule already adds a
     *     different value for it
     */
    public void add(String name, String value) throws UntranslatableException {
        check(name);
        Optional<Object> before = value("add", name);
        if (before.isPresent() && !before.get().equals(value)) {
            throw new UntranslatableException(
                    "a rule can add only one value per header name; use one header with a comma-separated list");
        }
        removeValue("add", name);
        options.putIn(path + ".add", name, value);
    }

    /**
     * Removes a header.
     *
     * @throws UntranslatableException if rules must not change this header
     */
    public void remove(String name) throws UntranslatableException {
        check(name);
        removeValue("set", name);
        removeName("remove", name);
        options.addTo(path + ".remove", name);
    }

    /**
     * Removes a header that the imported file sets to a value that our format cannot express. Backends trust this
     * header, so a value from the client must not reach them. Does nothing if rules must not change the header.
     */
    public void removeUntranslated(String name) {
        if (HeaderNames.refusal(name).isEmpty() && value("set", name).isEmpty()) {
            removeName("remove", name);
            options.addTo(path + ".remove", name);
        }
    }

    private static void check(String name) throws UntranslatableException {
        Optional<String> refusal = HeaderNames.refusal(name);
        if (refusal.isPresent()) {
            throw new UntranslatableException(refusal.get());
        }
    }

    private Optional<Object> value(String kind, String name) {
        return entries(kind).entrySet().stream()
                .filter(entry -> entry.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    private void removeValue(String kind, String name) {
        Map<String, Object> entries = entries(kind);
        if (entries.keySet().removeIf(each -> each.equalsIgnoreCase(name))) {
            options.put(path + "." + kind, entries);
        }
    }

    private void removeName(String kind, String name) {
        options.get(path + "." + kind).ifPresent(names -> {
            List<Object> kept = new ArrayList<>((List<?>) names);
            if (kept.removeIf(each -> each.toString().equalsIgnoreCase(name))) {
                options.put(path + "." + kind, kept);
            }
        });
    }

    private Map<String, Object> entries(String kind) {
        Map<String, Object> entries = new LinkedHashMap<>();
        if (options.get(path + "." + kind).orElse(Map.of()) instanceof Map<?, ?> map) {
            map.forEach((name, value) -> entries.put(name.toString(), value));
        }
        return entries;
    }
}
