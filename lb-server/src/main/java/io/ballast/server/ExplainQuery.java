package io.ballast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks a running balancer why a service answers what it answers. */
final class ExplainQuery {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final String PATH = "/api/v1/dns/explain";

    private ExplainQuery() {}

    /** @throws IOException if there is no answer, or a refusal; the message says which */
    static Map<String, Object> ask(URI api, String name, String type, Optional<IpAddress> client) throws IOException {
        String query = "?name=" + encoded(name) + "&type=" + encoded(type)
                + client.map(address -> "&from=" + encoded(address.toString())).orElse("");
        HttpRequest request = HttpRequest.newBuilder(api.resolve(PATH + query))
                .timeout(TIMEOUT)
                .build();
        HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
        try {
            HttpResponse<InputStream> response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (JsonParser parser = new JsonFactory().createParser(response.body())) {
                parser.nextToken();
                Map<String, Object> body = object(parser);
                if (response.statusCode() != 200) {
                    throw new IOException(api + ": " + body.getOrDefault("detail", response.statusCode()));
                }
                return body;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException(api + ": interrupted").initCause(e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("not the API of a dashboard (expected: a JSON object)");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            object.put(field, value(parser));
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
                    items.add(value(parser));
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
