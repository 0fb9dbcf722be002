package io.ballast.dashboard.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a JSON object as maps, lists, booleans and, for everything else, text. Null values are omitted. */
public final class JsonObject {

    private JsonObject() {}

    /**
     * Returns the object's fields in their order.
     *
     * @throws com.fasterxml.jackson.core.JsonProcessingException if the text is not JSON, or not an object
     */
    public static Map<String, Object> read(byte[] text) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(text)) {
            parser.nextToken();
            return object(parser);
        }
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new JsonParseException(parser, "not a JSON object");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                object.put(field, value(parser));
            }
        }
        return object;
    }

    private static Object value(JsonParser parser) throws IOException {
        switch (parser.currentToken()) {
            case START_OBJECT -> {
                return object(parser);
            }
            case START_ARRAY -> {
                List<Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (parser.currentToken() != JsonToken.VALUE_NULL) {
                        items.add(value(parser));
                    }
                }
                return items;
            }
            case VALUE_TRUE, VALUE_FALSE -> {
                return parser.getBooleanValue();
            }
            default -> {
                return parser.getText();
            }
        }
    }
}
