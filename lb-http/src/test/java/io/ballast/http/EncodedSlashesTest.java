package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.SlashRule;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.net.config.TransportKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests encoded slashes and backslashes in paths for a backend with a blocked {@code /admin}. */
class EncodedSlashesTest {

    private static final int DENIED = 403;
    private static final int AMBIGUOUS = 400;

    /** A path gets 400 if some backends, but not all, would read it as a path under /admin. */
    @ParameterizedTest
    @CsvSource({
        "/admin%2f, 400",
        "/admin%2Fx, 400",
        "/x%2f..%2fadmin, 400",
        "/admin/..%2fx, 400",
        "/x%5c..%5cadmin, 400",
        "/x\\..\\admin, 400",
        "/admin\\x, 400",
        "/x%2f..\\admin, 400",
        "/admin/a%2fb, 403",
        "/admin/a\\b, 403",
        "/@scope%2fname, 200",
        "/api/group%2Fproject?x=%2f\\, 200",
        "/a%5Cb, 200",
        "/x%252fadmin, 200"
    })
    void pathIsRefusedIfTheRouteDependsOnTheReading(String path, int status) throws Exception {
        assertThat(status(SlashRule.CHECK, SlashRule.CHECK, path)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, /admin%2fx, 200",
        "PASS, /admin/..%2fx, 403",
        "REJECT, /admin%2fx, 400",
        "REJECT, /a%2fb, 400",
        "REJECT, /a?b=%2f, 200",
        "REJECT, /a%5cb, 200",
        "DECODE, /admin%2fx, 403",
        "DECODE, /x%2f..%2fadmin, 403",
        "DECODE, /a%2fb, 200"
    })
    void encodedSlashIsReadAsConfigured(SlashRule rule, String path, int status) throws Exception {
        assertThat(status(rule, SlashRule.PASS, path)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "PASS, /admin\\x, 200",
        "REJECT, /a\\b, 400",
        "REJECT, /a%5cb, 400",
        "REJECT, /a%2fb, 200",
        "DECODE, /admin\\x, 403",
        "DECODE, /x%5c..%5cadmin, 403"
    })
    void backslashIsReadAsConfigured(SlashRule rule, String path, int status) throws Exception {
        assertThat(status(SlashRule.PASS, rule, path)).isEqualTo(status);
    }

    /** A catch-all route matches every form of the path. Only the rule {@code REJECT} refuses encoded slashes. */
    @Test
    void catchAllRouteAcceptsEveryEncoding() throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"))) {
            for (SlashRule rule : SlashRule.values()) {
                try (TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                                .paths(rule, rule)
                                .backend(backend)
                                .start();
                        RawClient client = balancer.client()) {
                    client.send("GET /a%2f..%5cb HTTP/1.1\r\nHost: a\r\n\r\n");

                    assertThat(client.read().status()).isEqualTo(rule == SlashRule.REJECT ? AMBIGUOUS : 200);
                }
            }
            assertThat(backend.nextRequest()).as("unchanged").startsWith("GET /a%2f..%5cb HTTP/1.1\r\n");
        }
    }

    private static int status(SlashRule encodedSlash, SlashRule backslash, String path) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("hello"));
                TestBalancer balancer = BalancerSetup.on(TransportKind.NIO)
                        .paths(encodedSlash, backslash)
                        .respond("/admin", DENIED, "no")
                        .backend(backend)
                        .start();
                RawClient client = balancer.client()) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
            return client.read().status();
        }
    }
}
