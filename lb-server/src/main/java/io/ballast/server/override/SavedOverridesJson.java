package io.ballast.server.override;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.ballast.core.ErrorText;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.ActiveMaintenance;
import io.ballast.core.health.ActiveStateOverride;
import io.ballast.core.health.ActiveWeightOverride;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.dashboard.document.ExternalOverrideJson;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.dashboard.json.JsonWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes the content of {@link OverrideFile} as JSON. */
final class SavedOverridesJson {

    private static final String ORDERS = "orders";
    private static final String WEIGHTS = "weights";
    private static final String POOLS = "pools_under_maintenance";
    private static final String EXTERNAL = "overrides";

    private SavedOverridesJson() {}

    /**
     * Reads the content. Omits invalid overrides.
     *
     * @param invalid receives the reason for each omitted override
     * @throws IOException if the content is not in this format
     */
    static SavedOverrides read(byte[] content, Consumer<String> invalid) throws IOException {
        Map<String, Object> kept = JsonObject.read(content);
        return new SavedOverrides(
                new OverrideSnapshot(
                        parseList(kept.get(ORDERS), SavedOverridesJson::parseStateOverride, invalid),
                        parseList(
                                kept.getOrDefault(WEIGHTS, List.of()),
                                SavedOverridesJson::parseWeightOverride,
                                invalid),
                        parseList(kept.getOrDefault(POOLS, List.of()), SavedOverridesJson::parseMaintenance, invalid)),
                parseList(kept.getOrDefault(EXTERNAL, List.of()), ExternalOverrideJson::read, invalid));
    }

    private static <T> List<T> parseList(@Nullable Object list, Function<Map<?, ?>, T> reader, Consumer<String> invalid)
            throws IOException {
        if (!(list instanceof List<?> entries)) {
            throw new IOException("the file does not contain a list of overrides");
        }
        List<T> orders = new ArrayList<>();
        for (Object entry : entries) {
            try {
                orders.add(reader.apply(entry instanceof Map<?, ?> fields ? fields : Map.of()));
            } catch (IllegalArgumentException | DateTimeParseException e) {
                invalid.accept(ErrorText.reason(e));
            }
        }
        return orders;
    }

    private static ActiveStateOverride parseStateOverride(Map<?, ?> fields) {
        String is = text(fields, "is");
        StateOverride.Kind kind = Stream.of(StateOverride.Kind.values())
                .filter(each -> each.label().equals(is))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is: " + is + " (expected: drain, down or up)"));
        return new ActiveStateOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new StateOverride(kind, parseTerms(fields), time(fields, "deadline")));
    }

    private static ActiveWeightOverride parseWeightOverride(Map<?, ?> fields) {
        return new ActiveWeightOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new WeightOverride(Integer.parseInt(text(fields, "weight")), parseTerms(fields)));
    }

    private static ActiveMaintenance parseMaintenance(Map<?, ?> fields) {
        return new ActiveMaintenance(text(fields, "pool"), parseTerms(fields));
    }

    private static OverrideTerms parseTerms(Map<?, ?> fields) {
        return new OverrideTerms(
                text(fields, "who"), text(fields, "why"), Instant.parse(text(fields, "since")), time(fields, "until"));
    }

    private static Optional<Instant> time(Map<?, ?> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Objects::toString).map(Instant::parse);
    }

    private static String text(Map<?, ?> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }

    static byte[] write(SavedOverrides saved) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes, JsonEncoding.UTF8)) {
            json.setPrettyPrinter(new DefaultPrettyPrinter());
            json.writeStartObject();
            json.writeArrayFieldStart(ORDERS);
            for (ActiveStateOverride each : saved.operators().stateOverrides()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                json.writeStringField("backend", each.address());
                json.writeStringField("is", each.override().kind().label());
                write(json, each.override().terms());
                write(json, "deadline", each.override().deadline());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart(WEIGHTS);
            for (ActiveWeightOverride each : saved.operators().weights()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                json.writeStringField("backend", each.address());
                json.writeNumberField("weight", each.override().weight());
                write(json, each.override().terms());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart(POOLS);
            for (ActiveMaintenance each : saved.operators().pools()) {
                json.writeStartObject();
                json.writeStringField("pool", each.pool());
                write(json, each.terms());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart(EXTERNAL);
            JsonWriter writer = new JsonWriter(json);
            saved.external().forEach(each -> ExternalOverrideJson.write(writer, each));
            json.writeEndArray();
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, OverrideTerms terms) throws IOException {
        json.writeStringField("who", terms.author());
        json.writeStringField("why", terms.reason());
        json.writeStringField("since", terms.since().toString());
        write(json, "until", terms.until());
    }

    private static void write(JsonGenerator json, String name, Optional<Instant> time) throws IOException {
        if (time.isPresent()) {
            json.writeStringField(name, time.get().toString());
        }
    }
}
