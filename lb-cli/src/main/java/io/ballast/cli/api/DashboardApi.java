package io.ballast.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ballast.cli.terminal.TerminalText;
import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.core.Checks;
import io.ballast.core.DurationText;
import io.ballast.core.ErrorText;
import io.ballast.core.config.HostPort;
import io.ballast.dashboard.config.DashboardConfig;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.net.fetch.TrustedAuthorities;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;

/** The API of a running balancer's dashboard, as used by commands. */
public record DashboardApi(URI url, Optional<String> token, Optional<Path> ca) {

    private static final int ACCEPTED = 202;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final String EXPECTED = " (expected: the dashboard of a running balancer)";

    public DashboardApi {
        Checks.that(isHttpUrl(url), "--api", url, "the URL of a dashboard such as http://127.0.0.1:8001");
    }

    /**
     * Returns the API at the URL in the options. If the options contain no URL, reads the address from the
     * configuration of the node: from its file, or from the active version of its cluster if there is one. If the file
     * is the default file and does not exist, returns the API at the default address.
     *
     * @throws ConfigException if the file cannot be used
     * @throws IOException if the file does not enable a dashboard
     */
    public static DashboardApi of(ApiOptions options, Path file) throws ConfigException, IOException {
        if (options.api().isPresent()) {
            return of(options, options.api().get());
        }
        if (file.equals(Path.of(DashboardOptions.CONFIG)) && !Files.exists(file)) {
            return of(options, URI.create("http://" + DashboardConfig.DEFAULT_BIND));
        }
        BallastConfig config =
                ConfigLoader.ofProcess().loadInUse(file, damaged -> {}).config();
        if (!config.dashboard().enabled()) {
            throw new IOException(file + ": the dashboard is not enabled (expected: the key dashboard)");
        }
        DashboardConfig dashboard = config.dashboard();
        String scheme = dashboard.tls().isPresent() ? "https://" : "http://";
        return of(options, URI.create(scheme + connectAddress(dashboard.bind())));
    }

    /** The client for a URL, with the token and the certificates of the options. */
    public static DashboardApi of(ApiOptions options, URI url) throws IOException {
        return new DashboardApi(url, options.token(), options.ca());
    }

    /** Returns the address to connect to: the loopback address if the dashboard listens on all addresses. */
    private static HostPort connectAddress(HostPort bind) {
        boolean any = bind.host().equals("0.0.0.0") || bind.host().matches("[0:]+");
        return any ? new HostPort("127.0.0.1", bind.port()) : bind;
    }

    /**
     * A response from the API.
     *
     * @param body a JSON object whose strings are safe for a terminal ({@link TerminalText})
     */
    record Answer(int status, Map<String, Object> body) {

        private static final int OK = 200;

        boolean isOk() {
            return status == OK;
        }

        /** Returns whether the change applies to the balancer, but the cluster has not committed it yet. */
        boolean isPending() {
            return status == ACCEPTED;
        }

        /** Returns the reason why the API refused a request. */
        String detail() {
            return body.getOrDefault("detail", "status " + status).toString();
        }
    }

    private static boolean isHttpUrl(URI api) {
        return api.getHost() != null && ("http".equals(api.getScheme()) || "https".equals(api.getScheme()));
    }

    /**
     * Sends a request to the API.
     *
     * @throws IOException if there is no response, or it is not from a dashboard; the message names the API and
     *     the reason
     */
    Answer send(ApiRequest request) throws IOException {
        return send(createClient(), request);
    }

    /**
     * Sends a request to the API, and returns the document in its response.
     *
     * @param connection from {@link #createClient}
     * @throws RefusedException if the status of the response is not 200
     * @throws IOException for the same reasons as {@link #send}
     */
    public ApiObject fetch(HttpClient connection, ApiRequest request) throws IOException {
        return accept(send(connection, request), Answer::isOk);
    }

    /**
     * Sends a request to the API, and returns the document in its response, whatever the status of the response.
     *
     * @param field a field that such a document has, but not the response to a refused request
     * @throws RefusedException if the response does not have the field
     * @throws IOException for the same reasons as {@link #send}
     */
    public ApiObject fetch(ApiRequest request, String field) throws IOException {
        return accept(send(request), answer -> answer.body().get(field) != null);
    }

    private ApiObject accept(Answer answer, Predicate<Answer> condition) throws RefusedException {
        if (!condition.test(answer)) {
            throw new RefusedException(url, answer);
        }
        return new ApiObject(answer.body());
    }

    /** Returns an HTTP client for repeated requests. */
    public HttpClient createClient() throws IOException {
        HttpClient.Builder http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT);
        if (ca.isPresent()) {
            http.sslContext(createSslContext(ca.get()));
        }
        return http.build();
    }

    private Answer send(HttpClient connection, ApiRequest request) throws IOException {
        return parseAnswer(receive(connection, request));
    }

    private HttpResponse<byte[]> receive(HttpClient connection, ApiRequest request) throws IOException {
        HttpRequest.Builder sent = HttpRequest.newBuilder(url.resolve(request.target()))
                .method(
                        request.method(),
                        request.body().length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(request.body()))
                .timeout(request.timeout());
        if (request.body().length > 0) {
            sent.header("Content-Type", "application/json");
        }
        token.ifPresent(secret -> sent.header("Authorization", "Bearer " + secret));
        try {
            return connection.send(sent.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException) new InterruptedIOException(url + ": interrupted").initCause(e);
        } catch (SSLException e) {
            throw new IOException(url + ": " + message(e) + " (expected: a trusted certificate, see --ca)", e);
        } catch (ConnectException e) {
            throw new IOException(
                    url + ": cannot be reached" + (isUnknownHost(e) ? ", no such host" : "") + EXPECTED, e);
        } catch (HttpTimeoutException e) {
            throw new IOException(url + ": no answer within " + DurationText.of(request.timeout()) + EXPECTED, e);
        } catch (IOException e) {
            throw new IOException(url + ": " + message(e) + EXPECTED, e);
        }
    }

    /** Sanitizes the message, because it may quote received data. */
    private static String message(IOException failure) {
        return TerminalText.sanitize(ErrorText.of(failure));
    }

    private static SSLContext createSslContext(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return TrustedAuthorities.sslContext(
                    CertificateFactory.getInstance("X.509").generateCertificates(in));
        } catch (GeneralSecurityException e) {
            throw new IOException(file + ": " + ErrorText.of(e) + " (expected: PEM certificates)", e);
        }
    }

    /**
     * Returns whether the request failed because the host is unknown, judging by the types of the causes of {@code
     * failure}.
     */
    private static boolean isUnknownHost(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException) {
                return true;
            }
        }
        return false;
    }

    private Answer parseAnswer(HttpResponse<byte[]> response) throws IOException {
        try {
            return new Answer(response.statusCode(), TerminalText.sanitizeObject(JsonObject.read(response.body())));
        } catch (JsonProcessingException e) {
            throw new IOException(url + ": status " + response.statusCode() + " without JSON" + EXPECTED, e);
        }
    }
}
