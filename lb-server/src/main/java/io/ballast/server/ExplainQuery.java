package io.ballast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.net.Cidr;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
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
    private static final String EXPECTED = " (expected: the dashboard of a running balancer)";
    private static final String PATH = "/api/v1/dns/explain";

    private ExplainQuery() {}

    /**
     * Asks for an explanation.
     *
     * @throws IOException if there is no answer, or a refusal; the message names the API and says which
     */
    static Map<String, Object> ask(URI api, String name, String type, Optional<Cidr> client) throws IOException {
        Checks.that(isWeb(api), "--api", api, "the URL of a dashboard such as http://127.0.0.1:8001");
        String query = "?name=" + encoded(name) + "&type=" + encoded(type)
                + client.map(network -> "&from=" + encoded(network.toString())).orElse("");
        HttpRequest request = HttpRequest.newBuilder(api.resolve(PATH + query))
                .timeout(TIMEOUT)
                .build();
        HttpClient http = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return explanation(api, response);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException(api + ": interrupted").initCause(e);
        } catch (ConnectException e) {
            throw new IOException(api + ": cannot be reached" + (isUnknown(e) ? ", no such host" : "") + EXPECTED, e);
        } catch (HttpTimeoutException e) {
            throw new IOException(api + ": no answer within " + DurationText.of(TIMEOUT) + EXPECTED, e);
        }
    }

    private static boolean isWeb(URI api) {
        return api.getHost() != null && ("http".equals(api.getScheme()) || "https".equals(api.getScheme()));
    }

    /** The client library tells connection failures by the kinds of their causes only. */
    private static boolean isUnknown(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    private static Map<String, Object> explanation(URI api, HttpResponse<byte[]> response) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(response.body())) {
            parser.nextToken();
            Map<String, Object> body = object(parser);
            if (response.statusCode() != 200) {
                throw new IOException(api + ": " + body.getOrDefault("detail", response.statusCode()));
            }
            return body;
        } catch (JsonProcessingException e) {
            throw new IOException(api + ": status " + response.statusCode() + " without JSON" + EXPECTED, e);
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static Map<String, Object> object(JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw new JsonParseException(parser, "not an object");
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
