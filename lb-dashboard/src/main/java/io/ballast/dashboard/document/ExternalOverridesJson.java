package io.ballast.dashboard.document;

import io.ballast.core.backend.Backend;
import io.ballast.core.backend.ExternalOverride;
import io.ballast.core.backend.ExternalOverrideSet;
import io.ballast.dashboard.json.JsonWriter;
import io.netty.buffer.ByteBuf;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Creates the documents of the API about external overrides. The caller owns returned buffers. */
public final class ExternalOverridesJson {

    private ExternalOverridesJson() {}

    /**
     * Returns a page of a list of overrides.
     *
     * @param total the number of overrides on all pages
     * @param backends finds the backend of an override; empty if it was removed meanwhile
     */
    public static ByteBuf page(
            List<ExternalOverride> overrides,
            int total,
            Function<ExternalOverride, Optional<Backend>> backends,
            Instant now) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("total", total);
            json.array(
                    "overrides",
                    () -> overrides.forEach(each -> json.object(() -> {
                        json.field("pool", each.pool());
                        json.field("backend", each.address());
                        fields(json, each, backends.apply(each), now);
                    })));
        }));
    }

    /**
     * Returns the overrides of one backend.
     *
     * @param source the only source to show; empty for all sources
     */
    public static ByteBuf ofBackend(Backend backend, Optional<String> source, Instant now) {
        return JsonWriter.write(json -> json.object(() -> {
            json.field("pool", backend.pool());
            json.field("backend", backend.address().toString());
            field(json, backend, source, now);
        }));
    }

    /** Writes the field {@code overrides} of a backend. */
    static void field(JsonWriter json, Backend backend, Instant now) {
        field(json, backend, /* source= */ Optional.empty(), now);
    }

    private static void field(JsonWriter json, Backend backend, Optional<String> source, Instant now) {
        json.array(
                "overrides",
                () -> backend.externalOverrides().all().stream()
                        .filter(each -> source.isEmpty() || source.get().equals(each.source()))
                        .forEach(each -> json.object(() -> fields(json, each, Optional.of(backend), now))));
    }

    private static void fields(JsonWriter json, ExternalOverride each, Optional<Backend> backend, Instant now) {
        ExternalOverrideJson.fields(json, each);
        ExternalOverrideJson.remaining(json, each, now);
        json.field("decides_state", backend.filter(of -> decidesState(of, each)).isPresent());
        json.field(
                "decides_weight", backend.filter(of -> decidesWeight(of, each)).isPresent());
    }

    private static boolean decidesState(Backend backend, ExternalOverride each) {
        ExternalOverrideSet all = backend.externalOverrides();
        return backend.stateOverride().isEmpty() && all.decidingState().equals(Optional.of(each));
    }

    private static boolean decidesWeight(Backend backend, ExternalOverride each) {
        ExternalOverrideSet all = backend.externalOverrides();
        return backend.weightOverride().isEmpty() && all.decidingWeight().equals(Optional.of(each));
    }
}
