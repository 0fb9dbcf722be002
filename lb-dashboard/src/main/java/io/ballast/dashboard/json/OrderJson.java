package io.ballast.dashboard.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.ballast.core.backend.Order;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Orders of operators: the field {@code order}, and the bodies of the requests that give them. */
public final class OrderJson {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private OrderJson() {}

    /** Writes the field; null without an order. */
    static void field(JsonWriter json, Optional<Order> order) {
        order.ifPresentOrElse(
                present -> json.object("order", () -> {
                    json.field("is", present.kind().label());
                    json.field("who", present.who());
                    json.field("why", present.why());
                    json.field("since", present.since().toString());
                    present.until()
                            .map(Instant::toString)
                            .ifPresentOrElse(until -> json.field("until", until), () -> json.nullField("until"));
                }),
                () -> json.nullField("order"));
    }

    /**
     * Reads an object whose values are texts, true or false.
     *
     * @return the values by name, as text
     * @throws IllegalArgumentException with what is wrong
     */
    public static Map<String, String> read(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(body)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT);
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                expect(value == JsonToken.VALUE_STRING || value.isBoolean());
                fields.put(name, parser.getText());
            }
            expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null);
        } catch (IOException e) {
            throw new IllegalArgumentException("body: not JSON (expected: an object)", e);
        }
        return fields;
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("body: something else (expected: an object of texts, true or false)");
        }
    }
}
