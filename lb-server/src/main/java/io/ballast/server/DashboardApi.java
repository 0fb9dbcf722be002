package io.ballast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The API of a running balancer's dashboard, as commands ask it. */
record DashboardApi(URI url) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String EXPECTED = " (expected: the dashboard of a running balancer)";

    DashboardApi {
        Checks.that(isWeb(url), "--api", url, "the URL of a dashboard such as http://127.0.0.1:8001");
    }

    /** What it answered: an object of JSON. */
    record Answer(int status, Map<String, Object> body) {}

    private static boolean isWeb(URI api) {
        return api.getHost() != null && ("http".equals(api.getScheme()) || "https".equals(api.getScheme()));
    }

    /**
     * Asks it.
     *
     * @param path with the query
     * @throws IOException if there is no answer, or none of a dashboard; the message names the API and says which
     */
    Answer ask(String method, String path, Duration timeout) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(url.resolve(path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(timeout)
                .build();
        HttpClient http =
                HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build();
        try {
            return answer(http.send(request, HttpResponse.BodyHandlers.ofByteArray()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException(url + ": interrupted").initCause(e);
        } catch (ConnectException e) {
            throw new IOException(url + ": cannot be reached" + (isUnknown(e) ? ", no such host" : "") + EXPECTED, e);
        } catch (HttpTimeoutException e) {
            throw new IOException(url + ": no answer within " + DurationText.of(timeout) + EXPECTED, e);
        }
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

    private Answer answer(HttpResponse<byte[]> response) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(response.body())) {
            parser.nextToken();
            return new Answer(response.statusCode(), object(parser));
        } catch (JsonProcessingException e) {
            throw new IOException(url + ": status " + response.statusCode() + " without JSON" + EXPECTED, e);
        }
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
