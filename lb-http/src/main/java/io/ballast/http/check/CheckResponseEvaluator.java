package io.ballast.http.check;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.health.FirstResult;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Evaluates one response to a check, for all versions of HTTP: first the status, then the body if the check requires
 * it. Holds at most {@link BodyCheck#MAX_BYTES} of the body. Event-loop confined.
 */
final class CheckResponseEvaluator {

    private final HealthCheck.Http check;
    private final BodyRegexSearch patterns;
    private final FirstResult verdict;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String statusText = "";

    CheckResponseEvaluator(HealthCheck.Http check, BodyRegexSearch patterns, FirstResult verdict) {
        this.check = check;
        this.patterns = patterns;
        this.verdict = verdict;
    }

    HealthCheck.Http check() {
        return check;
    }

    /**
     * Evaluates the status.
     *
     * @param text the status for operators, with the reason phrase if there is one
     * @return whether the result depends on the body; otherwise the verdict has been given
     */
    boolean status(int status, String text) {
        statusText = text;
        for (StatusRange range : check.expected()) {
            if (status >= range.low() && status <= range.high()) {
                if (!check.body().isNeeded()) {
                    verdict.passed(statusText);
                }
                return check.body().isNeeded();
            }
        }
        String expected = check.expected().stream().map(StatusRange::toString).collect(Collectors.joining(", "));
        verdict.failed("status " + statusText + " (expected: " + expected + ")");
        return false;
    }

    void add(byte b) {
        if (!isFull()) {
            body.write(b);
        }
    }

    /** Adds a part of the body. Does not take ownership of the buffer. */
    void add(ByteBuf source, int at, int length) {
        byte[] bytes = new byte[Math.min(length, BodyCheck.MAX_BYTES - body.size())];
        source.getBytes(at, bytes);
        body.writeBytes(bytes);
    }

    /** Whether the maximum size is reached, so that the rest of the body is ignored. */
    boolean isFull() {
        return body.size() >= BodyCheck.MAX_BYTES;
    }

    /** Evaluates the body. Called when the body is complete or {@link #isFull}. */
    void evaluateBody() {
        byte[] bytes = body.toByteArray();
        String where = isFull() ? " in the first " + BodyCheck.MAX_BYTES / 1024 + " KiB of the body" : " in the body";
        BodyCheck expected = check.body();
        if (expected.contains().isPresent()
                && !contains(bytes, expected.contains().get())) {
            verdict.failed(
                    "status " + statusText + ", but no '" + expected.contains().get() + "'" + where);
            return;
        }
        if (expected.matches().isEmpty()) {
            verdict.passed(statusText);
            return;
        }
        String regex = expected.matches().get();
        patterns.search(regex, bytes, verdict, found -> {
            if (found) {
                verdict.passed(statusText);
            } else {
                verdict.failed("status " + statusText + ", but nothing matches '" + regex + "'" + where);
            }
        });
    }

    void failed(String reason) {
        verdict.failed(reason);
    }

    private static boolean contains(byte[] bytes, String text) {
        // In Latin-1 each byte is one character, so the comparison is bytewise.
        String wanted = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return new String(bytes, StandardCharsets.ISO_8859_1).contains(wanted);
    }
}
