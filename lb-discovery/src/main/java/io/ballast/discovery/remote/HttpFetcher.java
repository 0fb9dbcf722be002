package io.ballast.discovery.remote;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.ballast.core.DurationText;
import io.ballast.core.control.Background;
import io.ballast.net.fetch.BoundedBody;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 client for one server, with a deadline for the whole response and a limit on its length.
 * Redirects are not followed, so that tokens are not sent to other servers.
 *
 * <p>Thread safety: may be called from any thread; an interrupt ends a call and its connection. The client
 * need not be closed: its threads end after ten idle seconds, and garbage collection frees the other
 * resources of Java's client.
 */
public final class HttpFetcher {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The maximum length of a response, in bytes. */
    private static final int MAX_BYTES = 32 << 20;

    private static final int MAX_REFUSAL_BYTES = 64 << 10;
    private static final int THREADS = 2;
    private static final int OK = 200;

    private final HttpClient client;

    /** Processes a response. */
    @FunctionalInterface
    public interface AnswerReader<T> {
        T read(HttpHeaders headers, byte[] body) throws IOException;
    }

    /** The response to a streaming request: its lines, or the body of an error response. */
    private static final class Opened {
        final @Nullable LineStream lines;
        final byte[] refusal;

        Opened(@Nullable LineStream lines, byte[] refusal) {
            this.lines = lines;
            this.refusal = refusal;
        }
    }

    /**
     * @param name name of the client's threads
     * @param tls settings to verify servers; null for Java's trusted certificates
     */
    public HttpFetcher(String name, @Nullable SSLContext tls) {
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(Background.of(name, THREADS));
        this.client = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /**
     * Sends a request and reads the whole response.
     *
     * @param deadline deadline of the whole exchange
     * @throws HttpStatusException for a status other than 200
     * @throws IOException if there is no complete response, or {@code reader} rejects it
     */
    public <T> T get(URI uri, Map<String, String> headers, Duration deadline, AnswerReader<T> reader)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = send(uri, headers, deadline, info -> new BoundedBody(MAX_BYTES));
        if (answer.statusCode() != OK) {
            throw new HttpStatusException(answer.statusCode(), answer.body());
        }
        try {
            return reader.read(answer.headers(), answer.body());
        } catch (JsonProcessingException e) {
            throw invalidJson(e);
        }
    }

    /**
     * Sends a request and returns a body that can be read line by line. The caller closes it.
     *
     * @param deadline deadline for the beginning of the response
     * @throws HttpStatusException for a status other than 200
     */
    public LineStream lines(URI uri, Map<String, String> headers, Duration deadline)
            throws IOException, InterruptedException {
        HttpResponse<Opened> answer = send(
                uri,
                headers,
                deadline,
                info -> info.statusCode() == OK
                        ? BodySubscribers.mapping(new LineStream(), lines -> new Opened(lines, new byte[0]))
                        : BodySubscribers.mapping(
                                new BoundedBody(MAX_REFUSAL_BYTES), bytes -> new Opened(null, bytes)));
        LineStream lines = answer.body().lines;
        if (lines == null) {
            throw new HttpStatusException(answer.statusCode(), answer.body().refusal);
        }
        return lines;
    }

    private <T> HttpResponse<T> send(URI uri, Map<String, String> headers, Duration deadline, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri);
        headers.forEach(request::setHeader);
        CompletableFuture<HttpResponse<T>> answer = client.sendAsync(request.build(), handler);
        try {
            return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new IOException(
                    uri.getRawAuthority() + ": no complete response after " + DurationText.of(deadline), e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(uri.getRawAuthority() + ": " + describeFailure(cause), cause);
        } finally {
            answer.cancel(/* mayInterruptIfRunning= */ true); // aborts the request if no response has arrived
        }
    }

    /** Describes a failure for logs. */
    static String describeFailure(Throwable cause) {
        String message = cause.getMessage();
        if (cause instanceof HttpConnectTimeoutException) {
            return "connection attempt timed out";
        }
        if (cause instanceof ConnectException && cause.getCause() instanceof UnresolvedAddressException) {
            return "host name cannot be resolved";
        }
        if (cause instanceof ConnectException && (message == null || message.equals("Connection refused"))) {
            return "connection refused";
        }
        return message == null ? cause.getClass().getSimpleName() : message;
    }

    /** Returns an exception whose message does not contain the input, which may be long. */
    public static IOException invalidJson(JsonProcessingException e) {
        return new IOException(
                "unexpected JSON, in line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ": " + e.getOriginalMessage(),
                e);
    }
}
