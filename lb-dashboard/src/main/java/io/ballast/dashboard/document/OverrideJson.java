package io.ballast.dashboard.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.dashboard.json.JsonWriter;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes operators' overrides as the field {@code order}, and reads the request bodies that set overrides.
 */
public final class OverrideJson {

    private static final String WEIGHT = "weight";
    private static final List<String> FLAGS = List.of("confirm", "backup");
    private static final double MAX_NUMBER = 1e9;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private OverrideJson() {}

    /** Writes the field {@code order}; its value is null without an override. */
    static void field(JsonWriter json, Optional<StateOverride> order) {
        order.ifPresentOrElse(
                present -> json.object("order", () -> {
                    json.field("is", present.kind().label());
                    terms(json, present.terms());
                    time(json, "deadline", present.deadline());
                }),
                () -> json.nullField("order"));
    }

    /** Writes the field {@code weight_order}; its value is null without a weight override. */
    static void weightField(JsonWriter json, Optional<WeightOverride> order) {
        order.ifPresentOrElse(
                present -> json.object("weight_order", () -> {
                    json.field(WEIGHT, present.weight());
                    terms(json, present.terms());
                }),
                () -> json.nullField("weight_order"));
    }

    /** Writes the field {@code maintenance} of a pool; its value is null if the pool is not in maintenance. */
    static void maintenanceField(JsonWriter json, Optional<OverrideTerms> maintenance) {
        maintenance.ifPresentOrElse(
                terms -> json.object("maintenance", () -> terms(json, terms)), () -> json.nullField("maintenance"));
    }

    static void terms(JsonWriter json, OverrideTerms terms) {
        json.field("who", terms.author());
        json.field("why", terms.reason());
        json.field("since", terms.since().toString());
        time(json, "until", terms.until());
    }

    private static void time(JsonWriter json, String name, Optional<Instant> time) {
        time.map(Instant::toString).ifPresentOrElse(text -> json.field(name, text), () -> json.nullField(name));
    }

    /**
     * Reads a JSON object whose values are strings. {@code confirm} and {@code backup} may also be booleans, and
     * {@code weight} an integer.
     *
     * @return the values by name, as text
     * @throws IllegalArgumentException if the body is not such an object
     */
    public static Map<String, String> read(byte[] body) {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(body)) {
            expect(parser.nextToken() == JsonToken.START_OBJECT, "body");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                boolean isWeight = name.equals(WEIGHT) && value.isNumeric();
                boolean isFlag = FLAGS.contains(name) && value.isBoolean();
                expect(value == JsonToken.VALUE_STRING || isFlag || isWeight, name);
                fields.put(name, isWeight ? integer(parser.getDoubleValue()) : parser.getText());
            }
            expect(parser.currentToken() == JsonToken.END_OBJECT && parser.nextToken() == null, "body");
        } catch (IOException e) {
            throw new IllegalArgumentException("body: not JSON (expected: an object)", e);
        }
        return fields;
    }

    /** Returns the number as an integer; {@code 5.0} is accepted too. */
    private static String integer(double number) {
        expect(number == Math.rint(number) && Math.abs(number) <= MAX_NUMBER, WEIGHT);
        return String.valueOf((long) number);
    }

    private static void expect(boolean holds, String place) {
        if (!holds) {
            throw new IllegalArgumentException(
                    place + ": unexpected JSON (expected: an object whose values are strings;" + " true or false for "
                            + String.join(" and ", FLAGS) + "; an integer for " + WEIGHT + ")");
        }
    }
}
