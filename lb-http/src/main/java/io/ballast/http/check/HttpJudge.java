package io.ballast.http.check;

import io.ballast.core.config.BodyCheck;
import io.ballast.core.config.HealthCheck;
import io.ballast.core.config.HealthCheck.StatusRange;
import io.ballast.core.health.Verdict;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;

/**
 * Judges one response to a check, in whatever version of HTTP it comes: the status first, then the body, if one is asked for.
 * Holds {@link BodyCheck#MOST_BYTES} of it at most. Event-loop confined.
 */
final class HttpJudge {

    private final HealthCheck.Http check;
    private final BodyPatterns patterns;
    private final Verdict verdict;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private String said = "";

    HttpJudge(HealthCheck.Http check, BodyPatterns patterns, Verdict verdict) {
        this.check = check;
        this.patterns = patterns;
        this.verdict = verdict;
    }

    HealthCheck.Http check() {
        return check;
    }

    /**
     * Takes the status.
     *
     * @param text what the backend answered, for people: the status, perhaps with a phrase
     * @return whether the body decides; else the verdict is given
     */
    boolean status(int status, String text) {
        said = text;
        for (StatusRange range : check.expected()) {
            if (status >= range.low() && status <= range.high()) {
                if (!check.body().isNeeded()) {
                    verdict.passed(said);
                }
                return check.body().isNeeded();
            }
        }
        String expected = check.expected().stream().map(StatusRange::toString).collect(Collectors.joining(", "));
        verdict.failed("status " + said + " (expected: " + expected + ")");
        return false;
    }

    void add(byte octet) {
        if (!isFull()) {
            body.write(octet);
        }
    }

    /** Takes some of the body; borrows the buffer. */
    void add(ByteBuf source, int at, int length) {
        byte[] octets = new byte[Math.min(length, BodyCheck.MOST_BYTES - body.size())];
        source.getBytes(at, octets);
        body.writeBytes(octets);
    }

    /** Whether nothing more of the body is looked at. */
    boolean isFull() {
        return body.size() >= BodyCheck.MOST_BYTES;
    }

    /** The body is whole, or as much of it as is looked at. */
    void end() {
        byte[] octets = body.toByteArray();
        String where = isFull() ? " in the first " + BodyCheck.MOST_BYTES / 1024 + " KiB of the body" : " in the body";
        BodyCheck expected = check.body();
        if (expected.contains().isPresent()
                && !contains(octets, expected.contains().get())) {
            verdict.failed("status " + said + ", but no '" + expected.contains().get() + "'" + where);
            return;
        }
        if (expected.matches().isEmpty()) {
            verdict.passed(said);
            return;
        }
        String regex = expected.matches().get();
        patterns.search(regex, octets, verdict, found -> {
            if (found) {
                verdict.passed(said);
            } else {
                verdict.failed("status " + said + ", but nothing matches '" + regex + "'" + where);
            }
        });
    }

    void failed(String reason) {
        verdict.failed(reason);
    }

    private static boolean contains(byte[] octets, String text) {
        // As Latin-1, each octet is one character and stays what it is.
        String wanted = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return new String(octets, StandardCharsets.ISO_8859_1).contains(wanted);
    }
}
