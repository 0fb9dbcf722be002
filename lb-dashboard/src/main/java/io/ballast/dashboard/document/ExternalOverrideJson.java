package io.ballast.dashboard.document;

import io.ballast.core.Checks;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.dashboard.json.JsonWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The JSON form of external overrides. The API, the state file and other nodes use the same fields, so their names and
 * meanings must not change.
 */
public final class ExternalOverrideJson {

    private static final String POOL = "pool";
    private static final String BACKEND = "backend";
    private static final String SOURCE = "source";
    private static final String STATE = "state";
    private static final String WEIGHT = "weight";
    private static final String REASON = "reason";
    private static final String SINCE = "since";
    private static final String RENEWED = "renewed";
    private static final String EXPIRES = "expires";

    private ExternalOverrideJson() {}

    /** Writes an override as an object. */
    public static void write(JsonWriter json, ExternalOverride override) {
        json.object(() -> {
            json.field(POOL, override.pool());
            json.field(BACKEND, override.address());
            fields(json, override);
        });
    }

    /** Writes the fields of an override without its pool and backend into the open object. */
    static void fields(JsonWriter json, ExternalOverride override) {
        json.field(SOURCE, override.source());
        override.state().ifPresentOrElse(state -> json.field(STATE, state.label()), () -> json.nullField(STATE));
        if (override.weight().isPresent()) {
            json.field(WEIGHT, override.weight().getAsInt());
        } else {
            json.nullField(WEIGHT);
        }
        json.field(REASON, override.reason());
        json.field(SINCE, override.since().toString());
        json.field(RENEWED, override.renewed().toString());
        json.field(EXPIRES, override.expires().toString());
    }

    /** Writes the remaining time of an override into the open object. */
    static void remaining(JsonWriter json, ExternalOverride override, Instant now) {
        json.field(
                "remaining_seconds",
                Math.max(0, Duration.between(now, override.expires()).toSeconds()));
    }

    /**
     * Reads an override that {@link #write} has written.
     *
     * @param fields the values by name; numbers as text
     * @throws IllegalArgumentException if a field is missing or invalid
     */
    public static ExternalOverride read(Map<?, ?> fields) {
        return new ExternalOverride(
                text(fields, POOL),
                text(fields, BACKEND),
                text(fields, SOURCE),
                optional(fields, STATE).map(ExternalOverride.State::of),
                optional(fields, WEIGHT)
                        .map(weight -> OptionalInt.of(Integer.parseInt(weight)))
                        .orElse(OptionalInt.empty()),
                optional(fields, REASON).orElse(""),
                time(fields, SINCE),
                time(fields, RENEWED),
                time(fields, EXPIRES));
    }

    private static Instant time(Map<?, ?> fields, String name) {
        try {
            return Instant.parse(text(fields, name));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(name + ": " + text(fields, name) + " (expected: a time)", e);
        }
    }

    private static String text(Map<?, ?> fields, String name) {
        Optional<String> text = optional(fields, name);
        Checks.that(text.isPresent(), name, "missing", "a value");
        return text.orElseThrow();
    }

    private static Optional<String> optional(Map<?, ?> fields, String name) {
        return Optional.ofNullable(fields.get(name)).map(Objects::toString);
    }
}
