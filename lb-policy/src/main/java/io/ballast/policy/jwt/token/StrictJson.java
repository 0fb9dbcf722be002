package io.ballast.policy.jwt.token;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON objects (RFC 8259) strictly, so that every reader sees the same contents: an object has no duplicate
 * names, the text is valid UTF-8, and no text follows the object. Objects and lists nest at most {@value #MAX_DEPTH}
 * levels. Null values are omitted.
 */
public final class StrictJson {

    static final int MAX_DEPTH = 16;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private StrictJson() {}

    /**
     * Returns the members of the object: texts, numbers, booleans, lists and maps.
     *
     * @throws IOException if the text is not such an object
     */
    public static Map<String, Object> object(byte[] text) throws IOException {
        String decoded = StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(text))
                .toString();
        return object(decoded);
    }

    /** Returns the members of the object in a text; see {@link #object(byte[])}. */
    public static Map<String, Object> object(String text) throws IOException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new JsonParseException(parser, "expected an object");
            }
            Map<String, Object> members = members(parser);
            if (parser.nextToken() != null) {
                throw new JsonParseException(parser, "expected the end of the text");
            }
            return members;
        }
    }

    private static Map<String, Object> members(JsonParser parser) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                members.put(name, value(parser));
            }
        }
        return members;
    }

    private static Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> members(parser);
            case START_ARRAY -> list(parser);
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_STRING -> parser.getText();
            default -> throw new JsonParseException(parser, "unexpected " + parser.currentToken());
        };
    }

    private static List<Object> list(JsonParser parser) throws IOException {
        List<Object> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            if (parser.currentToken() != JsonToken.VALUE_NULL) {
                items.add(value(parser));
            }
        }
        return items;
    }
}
