package io.ballast.replication;

import io.ballast.core.Checks;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.HttpCaches;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The command of an operator to remove entries from the caches of one kind. Immutable.
 *
 * @param parameters the parameters of the API that select the entries; at most {@value #MAX_TEXT} characters each
 * @param who the operator; empty if unknown
 */
public record CacheFlush(Kind kind, Map<String, String> parameters, String who) {

    private static final int MAX_TEXT = 4096;

    /** The kinds of caches. */
    public enum Kind {
        HTTP("http"),
        DNS("dns");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        static Kind of(String label) {
            for (Kind each : values()) {
                if (each.label.equals(label)) {
                    return each;
                }
            }
            throw new IllegalArgumentException("cache: " + label + " (expected: http or dns)");
        }
    }

    public CacheFlush {
        parameters = Map.copyOf(parameters);
        parameters.forEach((name, value) ->
                Checks.that(value.length() <= MAX_TEXT, name, value.length() + " characters", "at most " + MAX_TEXT));
    }

    /** The flush of a forwarder's cache; see {@code DnsServices}. */
    public static CacheFlush ofDns(Optional<String> name, boolean below, Optional<String> type) {
        Map<String, String> parameters = new HashMap<>();
        name.ifPresent(value -> parameters.put("name", value));
        type.ifPresent(value -> parameters.put("type", value));
        parameters.put("below", Boolean.toString(below));
        return new CacheFlush(Kind.DNS, parameters, /* who= */ "");
    }

    static CacheFlush ofHttp(HttpCaches.Selection selection, String who) {
        Map<String, String> parameters = new HashMap<>();
        selection.policy().ifPresent(value -> parameters.put("policy", value));
        selection.url().ifPresent(value -> parameters.put("url", value));
        selection.tag().ifPresent(value -> parameters.put("tag", value));
        return new CacheFlush(Kind.HTTP, parameters, who);
    }

    /** Returns the selection of the responses to remove, for caches of HTTP responses. */
    public HttpCaches.Selection selection() {
        return new HttpCaches.Selection(parameter("policy"), parameter("url"), parameter("tag"));
    }

    public Optional<String> parameter(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    String encode() {
        ByteBuf json = JsonWriter.write(writer -> writer.object(() -> {
            writer.field("cache", kind.label);
            parameters.forEach(writer::field);
            writer.field("who", who);
        }));
        try {
            return json.toString(StandardCharsets.UTF_8);
        } finally {
            json.release();
        }
    }

    /** Returns the command; empty if another version of Ballast wrote it in an unknown form. */
    static Optional<CacheFlush> decode(String text) {
        try {
            Map<String, Object> fields = JsonObject.read(text.getBytes(StandardCharsets.UTF_8));
            Kind kind = Kind.of(Objects.toString(fields.remove("cache"), ""));
            String who = Objects.toString(fields.remove("who"), "");
            Map<String, String> parameters = new HashMap<>();
            fields.forEach((name, value) -> parameters.put(name, value.toString()));
            return Optional.of(new CacheFlush(kind, parameters, who));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
