package io.ballast.config.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fragments of JSON Schema (draft 2020-12) as plain maps. */
final class JsonSchema {

    /** Matches any value that contains a variable, whose content an editor cannot check. */
    private static final Map<String, Object> VARIABLE = text("\\$\\{");

    private JsonSchema() {}

    /** A text that matches an unanchored regular expression. */
    static Map<String, Object> text(String pattern) {
        return of("type", "string", "pattern", pattern);
    }

    /** A text that matches a regular expression as a whole, or contains a variable. */
    static Map<String, Object> textOrVariable(String pattern) {
        return text("^(" + pattern + ")$|\\$\\{");
    }

    /** Returns a schema that also accepts a text with a variable. */
    static Map<String, Object> orVariable(Map<String, Object> schema) {
        return Map.of("anyOf", List.of(schema, VARIABLE));
    }

    /** Returns a schema that also allows a non-negative integer. */
    static Map<String, Object> orNumber(Map<String, Object> schema) {
        return anyOf(List.of(of("type", "integer", "minimum", 0), schema));
    }

    static Map<String, Object> anyOf(List<Map<String, Object>> schemas) {
        return Map.of("anyOf", schemas);
    }

    static Map<String, Object> reference(String definition) {
        return Map.of("$ref", "#/$defs/" + definition);
    }

    /** Returns a schema with these two entries, in this order. */
    static Map<String, Object> of(String key, Object value, String key2, Object value2) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(key, value);
        map.put(key2, value2);
        return map;
    }
}
