package io.ballast.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.config.BallastConfig;
import io.ballast.server.config.ConfigException;
import io.ballast.server.config.ConfigLoader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The API of a running balancer's dashboard, as commands ask it. */
record DashboardApi(URI url) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String EXPECTED = " (expected: the dashboard of a running balancer)";

    DashboardApi {
        Checks.that(isWeb(url), "--api", url, "the URL of a dashboard such as http://127.0.0.1:8001");
    }

    /**
     * The one at {@code api}, or else the one that a configuration file asks for.
     *
     * @throws ConfigException if the file cannot be used
     * @throws IOException if it asks for none
     */
    static DashboardApi of(@Nullable URI api, Path file) throws ConfigException, IOException {
        if (api != null) {
            return new DashboardApi(api);
        }
        BallastConfig config = ConfigLoader.ofProcess().load(file).config();
        if (!config.dashboard().enabled()) {
            throw new IOException(file + ": dashboard: it is not enabled (expected: a dashboard)");
        }
        return new DashboardApi(URI.create("http://" + config.dashboard().bind()));
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
        try {
            return new Answer(response.statusCode(), JsonObject.read(response.body()));
        } catch (JsonProcessingException e) {
            throw new IOException(url + ": status " + response.statusCode() + " without JSON" + EXPECTED, e);
        }
    }
}
