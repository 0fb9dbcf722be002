package io.ballast.config.yaml;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A value in a file, with its position and the path of keys from the root. Immutable. */
public sealed interface Node {

    SourcePosition place();

    /** The path of keys from the root to this node, such as {@code listeners[0].bind}; empty for the root. */
    String path();

    /** Describes the node for messages, for example as a quoted text or as {@code a list}. */
    String describe();

    /**
     * One value as raw text, with variables replaced.
     *
     * @param isNull whether there is no value: {@code key:}, {@code ~} or {@code null}, not quoted
     */
    record Scalar(SourcePosition place, String path, String text, boolean isNull) implements Node {

        private static final int LONGEST_QUOTE = 80;

        /** User and password of a URL, which no message may show. */
        private static final Pattern PASSWORD = Pattern.compile("(?<=//)[^/]*(?=@)");

        @Override
        public String describe() {
            if (isNull) {
                return "no value";
            }
            String shown = PASSWORD.matcher(text).replaceAll("…");
            int length = shown.codePointCount(0, shown.length());
            return length <= LONGEST_QUOTE
                    ? "'" + shown + "'"
                    : "'" + shown.substring(0, shown.offsetByCodePoints(0, LONGEST_QUOTE)) + "…'";
        }
    }

    /** A list. */
    record Sequence(SourcePosition place, String path, List<Node> items) implements Node {
        public Sequence {
            items = List.copyOf(items);
        }

        @Override
        public String describe() {
            return items.isEmpty() ? "an empty list" : "a list";
        }
    }

    /**
     * A mapping, in the order of the file.
     *
     * @param name the key of the mapping; empty at the root and in lists
     */
    record Mapping(SourcePosition place, String path, String name, Map<String, Entry> entries) implements Node {
        public Mapping {
            entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
        }

        /** Returns the node of the key, if there is one. */
        public Optional<Entry> entry(String key) {
            return Optional.ofNullable(entries.get(key));
        }

        @Override
        public String describe() {
            return "a mapping";
        }
    }

    /** The position of a key, and its value. */
    record Entry(SourcePosition keyPlace, Node value) {}

    /** Placeholder for an invalid node, whose error has been reported; readers ignore it. */
    record Invalid(SourcePosition place, String path) implements Node {
        @Override
        public String describe() {
            return "an invalid value";
        }
    }
}
