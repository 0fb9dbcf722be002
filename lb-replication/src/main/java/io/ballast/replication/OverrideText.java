package io.ballast.replication;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.ballast.core.backend.OverrideTerms;
import io.ballast.core.backend.StateOverride;
import io.ballast.core.backend.WeightOverride;
import io.ballast.core.health.ActiveMaintenance;
import io.ballast.core.health.ActiveStateOverride;
import io.ballast.core.health.ActiveWeightOverride;
import io.ballast.core.health.OverrideSnapshot;
import io.ballast.dashboard.json.JsonObject;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Converts operators' overrides to facts: the key names the kind and the subject, such as {@code
 * override/state/web/10.0.0.1:80}, and the value is a JSON object. Stateless.
 */
final class OverrideText {

    static final String PREFIX = "override/";

    private static final String STATE = PREFIX + "state/";
    private static final String WEIGHT = PREFIX + "weight/";
    private static final String MAINTENANCE = PREFIX + "maintenance/";
    private static final JsonFactory JSON = new JsonFactory();

    private OverrideText() {}

    /** The pool of a key, or the pool and the address of the backend, separated by a slash. */
    static String subject(String key) {
        return key.substring(key.indexOf('/', PREFIX.length()) + 1);
    }

    /** Returns the facts of all overrides: values by key. */
    static Map<String, String> encode(OverrideSnapshot overrides) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (ActiveStateOverride each : overrides.stateOverrides()) {
            facts.put(
                    STATE + each.pool() + "/" + each.address(),
                    object(each.pool(), each.override().terms(), json -> {
                        json.writeStringField("backend", each.address());
                        json.writeStringField("is", each.override().kind().label());
                        write(json, "deadline", each.override().deadline());
                    }));
        }
        for (ActiveWeightOverride each : overrides.weights()) {
            facts.put(
                    WEIGHT + each.pool() + "/" + each.address(),
                    object(each.pool(), each.override().terms(), json -> {
                        json.writeStringField("backend", each.address());
                        json.writeNumberField("weight", each.override().weight());
                    }));
        }
        for (ActiveMaintenance each : overrides.pools()) {
            facts.put(MAINTENANCE + each.pool(), object(each.pool(), each.terms(), json -> {}));
        }
        return facts;
    }

    private interface Fields {
        void write(JsonGenerator json) throws IOException;
    }

    private static String object(String pool, OverrideTerms terms, Fields more) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("pool", pool);
            more.write(json);
            json.writeStringField("who", terms.author());
            json.writeStringField("why", terms.reason());
            json.writeStringField("since", terms.since().toString());
            write(json, "until", terms.until());
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, String name, Optional<Instant> time) throws IOException {
        if (time.isPresent()) {
            json.writeStringField(name, time.get().toString());
        }
    }

    /** Returns the overrides of the facts; omits facts that this version cannot read. */
    static OverrideSnapshot decode(Map<String, String> facts) {
        List<ActiveStateOverride> states = new ArrayList<>();
        List<ActiveWeightOverride> weights = new ArrayList<>();
        List<ActiveMaintenance> pools = new ArrayList<>();
        facts.forEach((key, value) -> {
            try {
                Map<String, Object> fields = JsonObject.read(value.getBytes(StandardCharsets.UTF_8));
                if (key.startsWith(STATE)) {
                    states.add(state(fields));
                } else if (key.startsWith(WEIGHT)) {
                    weights.add(weight(fields));
                } else if (key.startsWith(MAINTENANCE)) {
                    pools.add(new ActiveMaintenance(text(fields, "pool"), terms(fields)));
                }
            } catch (IOException | IllegalArgumentException | DateTimeParseException e) {
                // Another version wrote this fact. The override stays in effect on the nodes that understand it.
                return;
            }
        });
        return new OverrideSnapshot(states, weights, pools);
    }

    /** Whether this version can read a fact. */
    static boolean isReadable(String key, String value) {
        return !decode(Map.of(key, value)).isEmpty();
    }

    private static ActiveStateOverride state(Map<String, Object> fields) {
        String label = text(fields, "is");
        StateOverride.Kind kind = Stream.of(StateOverride.Kind.values())
                .filter(each -> each.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(label));
        return new ActiveStateOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new StateOverride(kind, terms(fields), time(fields, "deadline")));
    }

    private static ActiveWeightOverride weight(Map<String, Object> fields) {
        return new ActiveWeightOverride(
                text(fields, "pool"),
                text(fields, "backend"),
                new WeightOverride(Integer.parseInt(text(fields, "weight")), terms(fields)));
    }

    private static OverrideTerms terms(Map<String, Object> fields) {
        return new OverrideTerms(
                text(fields, "who"), text(fields, "why"), Instant.parse(text(fields, "since")), time(fields, "until"));
    }

    private static Optional<Instant> time(Map<String, Object> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Objects::toString).map(Instant::parse);
    }

    private static String text(Map<String, Object> fields, String name) {
        return Objects.toString(fields.get(name), "");
    }
}
