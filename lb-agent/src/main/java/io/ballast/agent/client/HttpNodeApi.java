package io.ballast.agent.client;

import io.ballast.agent.registry.Hashes;
import io.ballast.dashboard.json.JsonObject;
import io.ballast.net.fetch.FetchClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** The API of a node over HTTPS. Thread-safe. */
final class HttpNodeApi implements NodeApi {

    /** The time limit of a request. It is short, so that the agent can use another node within three seconds. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final int MAX_BYTES = 64 * 1024;
    private static final String USER_AGENT = "User-Agent";
    private static final String PROGRAM = "lb-agent";

    private final FetchClient client;
    private final String base;
    private final AgentCredentials credentials;
    private final String token;

    /**
     * @param node the address of the node
     * @param token the token for the registration
     */
    HttpNodeApi(FetchClient client, URI node, AgentCredentials credentials, String token) {
        this.client = client;
        String address = node.toString();
        this.base = (address.endsWith("/") ? address.substring(0, address.length() - 1) : address) + "/agents/v1/"
                + credentials.id();
        this.credentials = credentials;
        this.token = token;
    }

    @Override
    public CompletableFuture<Reply> register() {
        String body = "{\"secret_sha256\": \"" + Hashes.sha256(credentials.secret()) + "\"}";
        return send(request("", token).PUT(BodyPublishers.ofString(body)), TIMEOUT);
    }

    @Override
    public CompletableFuture<Reply> report(byte[] document) {
        return send(request("/backends", credentials.secret()).PUT(BodyPublishers.ofByteArray(document)), TIMEOUT);
    }

    @Override
    public CompletableFuture<Reply> repeat(byte[] document) {
        return send(
                HttpRequest.newBuilder(URI.create(base + "/heartbeat?report=" + Hashes.version(document)))
                        .header(USER_AGENT, PROGRAM)
                        .header("Authorization", "Bearer " + credentials.secret())
                        .PUT(BodyPublishers.noBody()),
                TIMEOUT);
    }

    @Override
    public CompletableFuture<Reply> latency(byte[] document) {
        return send(request("/latency", credentials.secret()).PUT(BodyPublishers.ofByteArray(document)), TIMEOUT);
    }

    @Override
    public CompletableFuture<Reply> commands(String known, Duration wait) {
        return send(
                request("/commands?after=" + known + "&wait=" + wait.toSeconds(), credentials.secret())
                        .GET(),
                wait.plus(TIMEOUT).plus(TIMEOUT));
    }

    @Override
    public CompletableFuture<Reply> deregister() {
        return send(request("", credentials.secret()).DELETE(), TIMEOUT);
    }

    private HttpRequest.Builder request(String path, String bearer) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header(USER_AGENT, PROGRAM)
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + bearer);
    }

    private CompletableFuture<Reply> send(HttpRequest.Builder request, Duration deadline) {
        return client.send(request.build(), MAX_BYTES, deadline).thenApply(HttpNodeApi::reply);
    }

    private static Reply reply(HttpResponse<byte[]> response) {
        Map<String, Object> body = Map.of();
        try {
            body = JsonObject.read(response.body());
        } catch (IOException e) {
            body = Map.of(); // not JSON, for example a response from a proxy
        }
        String detail = response.statusCode() == 200
                ? ""
                : Objects.toString(body.get("detail"), new String(response.body(), StandardCharsets.UTF_8).strip());
        return new Reply(response.statusCode(), detail, retryAfter(response), body);
    }

    private static Duration retryAfter(HttpResponse<byte[]> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(text -> Duration.ofSeconds(Long.parseLong(text)))
                .orElse(Duration.ZERO);
    }
}
