package io.ballast.agent.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A node whose responses a test sets. Requests for commands wait until the test answers them. */
final class FakeNode implements NodeApi {

    final List<String> requests = new ArrayList<>();
    private CompletableFuture<Reply> poll = new CompletableFuture<>();
    private int reportStatus = 200;
    private int registerStatus = 200;
    private Duration retryAfter = Duration.ZERO;
    private boolean isDown;
    private boolean hasForgotten;
    private String refusal = "";

    /** Sets the status of the responses to the next reports. */
    void answerReports(int status, Duration wait) {
        reportStatus = status;
        retryAfter = wait;
        isDown = false;
    }

    void answerRegistrations(int status) {
        registerStatus = status;
    }

    /** Makes requests fail, including the request that waits for commands. */
    void goDown() {
        isDown = true;
        poll.completeExceptionally(new IOException("connection reset"));
    }

    void command(String version, String wanted) {
        poll.complete(reply(
                200,
                Map.of(
                        "version",
                        version,
                        "backends",
                        List.of(Map.of("pool", "web", "address", "127.0.0.1:1", "wanted", wanted)))));
    }

    List<String> reports() {
        return requests.stream()
                .filter(each -> each.startsWith("report") || each.startsWith("repeat"))
                .toList();
    }

    private Reply reply(int status, Map<String, Object> body) {
        return new Reply(status, status == 200 ? "" : "refused", status == 200 ? Duration.ZERO : retryAfter, body);
    }

    private CompletableFuture<Reply> answer(String request, int status) {
        requests.add(request);
        return isDown
                ? CompletableFuture.failedFuture(new IOException("connection refused"))
                : CompletableFuture.completedFuture(reply(status, body()));
    }

    private Map<String, Object> body() {
        return refusal.isEmpty()
                ? Map.of()
                : Map.of("backends", List.of(Map.of("pool", "web", "accepted", false, "reason", refusal)));
    }

    @Override
    public CompletableFuture<Reply> register() {
        CompletableFuture<Reply> answer = answer("register", registerStatus);
        if (registerStatus == 200 && reportStatus == 401) {
            reportStatus = 200;
        }
        return answer;
    }

    @Override
    public CompletableFuture<Reply> report(byte[] document) {
        return answer("report " + new String(document, StandardCharsets.UTF_8), reportStatus);
    }

    @Override
    public CompletableFuture<Reply> repeat(byte[] document) {
        return answer("repeat " + new String(document, StandardCharsets.UTF_8), hasForgotten ? 409 : reportStatus);
    }

    @Override
    public CompletableFuture<Reply> latency(byte[] document) {
        return answer("latency " + new String(document, StandardCharsets.UTF_8), reportStatus);
    }

    /** Sets whether the node refuses to repeat a report. */
    void forget(boolean forgotten) {
        hasForgotten = forgotten;
    }

    /** Sets why the node refuses a backend of the next reports. */
    void refuse(String reason) {
        refusal = reason;
    }

    @Override
    public CompletableFuture<Reply> commands(String known, Duration wait) {
        requests.add("commands " + known);
        poll = new CompletableFuture<>();
        return poll;
    }

    @Override
    public CompletableFuture<Reply> deregister() {
        return answer("deregister", 200);
    }
}
