package io.ballast.dashboard.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON document for lookups. A missing field or a wrong type fails the test. */
public record JsonTree(Object value) {

    public static JsonTree of(String json) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            JsonTree tree = new JsonTree(read(parser));
            if (parser.nextToken() != null) {
                throw new AssertionError("unexpected text after the document");
            }
            return tree;
        }
    }

    public JsonTree at(String name) {
        if (!(value instanceof Map<?, ?> fields) || !fields.containsKey(name)) {
            throw new AssertionError("no field " + name + " in " + value);
        }
        return new JsonTree(fields.get(name));
    }

    public JsonTree at(int index) {
        return items().get(index);
    }

    public List<JsonTree> items() {
        if (value instanceof List<?> list) {
            return list.stream().<JsonTree>map(JsonTree::new).toList();
        }
        throw new AssertionError("not an array: " + value);
    }

    public List<String> names() {
        if (value instanceof Map<?, ?> fields) {
            return fields.keySet().stream().map(String::valueOf).toList();
        }
        throw new AssertionError("not an object: " + value);
    }

    public String text() {
        return (String) value;
    }

    public double number() {
        return (Double) value;
    }

    /** Returns whether the value is null, which is represented as the text {@code null}. */
    public boolean isNull() {
        return value.equals("null");
    }

    public boolean flag() {
        return (Boolean) value;
    }

    private static Object read(JsonParser parser) throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Object> fields = new LinkedHashMap<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                parser.nextToken();
                fields.put(name, read(parser));
            }
            return fields;
        }
        if (token == JsonToken.START_ARRAY) {
            List<Object> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(read(parser));
            }
            return items;
        }
        if (token.isNumeric()) {
            return parser.getDoubleValue();
        }
        if (token.isBoolean()) {
            return parser.getBooleanValue();
        }
        return token == JsonToken.VALUE_NULL ? "null" : parser.getText();
    }
}
