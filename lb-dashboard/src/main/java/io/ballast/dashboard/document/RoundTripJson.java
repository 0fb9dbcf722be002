package io.ballast.dashboard.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.ballast.core.Checks;
import io.ballast.core.net.IpAddress;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.source.DnsServices.RoundTrip;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads round-trip time reports: an array of objects with exactly the fields {@code client}, {@code pool} and {@code
 * rtt_ms}.
 */
public final class RoundTripJson {

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final String EXPECTED = "a list of objects with client, pool and rtt_ms";
    private static final double MAX_MILLIS = 60_000;
    private static final int MAX_REPORTS = 256;

    private RoundTripJson() {}

    /**
     * Returns all reports, or throws if one of them is invalid.
     *
     * @param pools names of the existing pools
     * @throws IllegalArgumentException if the body is malformed or a value is out of range
     * @throws HttpProblem 404 for an unknown pool
     */
    public static List<RoundTrip> read(byte[] body, Set<String> pools) {
        List<RoundTrip> reports = new ArrayList<>();
        try (JsonParser parser = FACTORY.createParser(body)) {
            expect(parser.nextToken() == JsonToken.START_ARRAY);
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                reports.add(report(fields(parser), pools));
                Checks.that(reports.size() <= MAX_REPORTS, "body", "more reports", "at most " + MAX_REPORTS);
            }
            expect(parser.nextToken() == null);
        } catch (IOException e) {
            throw new IllegalArgumentException("body: not JSON (expected: " + EXPECTED + ")", e);
        }
        return reports;
    }

    private static Map<String, String> fields(JsonParser parser) throws IOException {
        expect(parser.currentToken() == JsonToken.START_OBJECT);
        Map<String, String> fields = new HashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            boolean number = name.equals("rtt_ms");
            expect(number ? value.isNumeric() : value == JsonToken.VALUE_STRING);
            fields.put(name, parser.getText());
        }
        return fields;
    }

    private static RoundTrip report(Map<String, String> fields, Set<String> pools) {
        expect(fields.keySet().equals(Set.of("client", "pool", "rtt_ms")));
        String pool = fields.getOrDefault("pool", "");
        if (!pools.contains(pool)) {
            throw HttpProblem.notFound("there is no pool " + pool);
        }
        double millis = Double.parseDouble(fields.getOrDefault("rtt_ms", ""));
        Checks.that(millis > 0 && millis <= MAX_MILLIS, "rtt_ms", millis, "above 0, up to 60000");
        Duration time = Duration.ofNanos(Math.max(1, (long) (millis * 1e6)));
        return new RoundTrip(IpAddress.parse(fields.getOrDefault("client", "")), pool, time);
    }

    private static void expect(boolean holds) {
        if (!holds) {
            throw new IllegalArgumentException("body: unexpected JSON (expected: " + EXPECTED + ")");
        }
    }
}
