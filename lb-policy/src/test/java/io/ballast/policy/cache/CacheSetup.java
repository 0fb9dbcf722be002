package io.ballast.policy.cache;

import io.ballast.core.hash.SipHash24;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBalancer;
import io.ballast.policy.config.CacheConfig;
import io.ballast.policy.testing.HttpRequests;
import io.ballast.policy.testing.HttpRequests.Answer;
import io.ballast.policy.testing.TestPolicies;
import java.time.Duration;

/** Caches for tests, and the responses of their backends. */
final class CacheSetup implements AutoCloseable {

    static final long MEMORY = 1024 * 1024;
    /** A header line that makes a response fresh for a minute. */
    static final String FRESH = "Cache-Control: max-age=60";

    private static final Duration WAIT = Duration.ofMinutes(1);

    private final TestPolicies policies = new TestPolicies();

    /** Returns a cache whose requests wait longer than any test. */
    CachePolicy cache() {
        return cache(WAIT, /* maxWaiting= */ 100);
    }

    CachePolicy cache(Duration maxWait, int maxWaiting) {
        return cache(new CacheConfig(
                MEMORY,
                MEMORY / 8,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                maxWait,
                maxWaiting,
                /* obeysClients= */ true,
                /* statusHeader= */ true));
    }

    CachePolicy cache(CacheConfig config) {
        return new CachePolicy(config, policies.environment(), new SipHash24(1, 2));
    }

    /** The number of requests and responses of a cache with this outcome. */
    static long count(CachePolicy cache, CacheOutcome outcome) {
        return cache.responses().getOrDefault(outcome.label(), -1L);
    }

    /** Advances the clock of the caches. */
    void advance(int seconds) {
        policies.advance(Duration.ofSeconds(seconds));
    }

    @Override
    public void close() {
        policies.close();
    }

    /** Sends a request, and waits until the event loops have stored its response. */
    static Answer get(HttpRequests http, TestBalancer balancer, String path, String... headers) {
        Answer answer = http.get(balancer, path, headers);
        balancer.goRound();
        return answer;
    }

    /** Returns a response with status 200 and the given header lines. */
    static String response(String body, String... lines) {
        return "HTTP/1.1 200 OK\r\n" + String.join("\r\n", lines) + "\r\nContent-Length: " + body.length() + "\r\n\r\n"
                + body;
    }

    static Script ok(String body, String... lines) {
        return Script.answer(response(body, lines));
    }

    static Script status(String statusAndReason, String... lines) {
        String head = "HTTP/1.1 " + statusAndReason + "\r\n";
        String framing = statusAndReason.startsWith("304") ? "" : "Content-Length: 0\r\n";
        return Script.answer(head + (lines.length == 0 ? "" : String.join("\r\n", lines) + "\r\n") + framing + "\r\n");
    }
}
