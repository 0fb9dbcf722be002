package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.RequestIdConfig;
import io.ballast.http.config.RequestIdConfig.Trust;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;

class RequestIdTest {

    private static final String DRAWN = "[0-9a-f]{32}";

    @EachTransport
    void noRequestIdByDefault(TransportKind transport) throws Exception {
        assertThat(seen(BalancerSetup.on(transport), "X-Request-Id: mine\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: mine\r\n\r\n");
    }

    @EachTransport
    void replacesUntrustedRequestId(TransportKind transport) throws Exception {
        assertThat(seen(with(transport, Trust.NEVER), "X-Id: mine\r\nx-id: again\r\n"))
                .matches("GET / HTTP/1.1\r\nHost: a\r\nX-Id: " + DRAWN + "\r\n\r\n");
        assertThat(seen(with(transport, Trust.TRUSTED_PROXIES), "X-Id: mine\r\n"))
                .matches("GET / HTTP/1.1\r\nHost: a\r\nX-Id: " + DRAWN + "\r\n\r\n");
        assertThat(seen(with(transport, Trust.TRUSTED_PROXIES).trustedProxies("127.0.0.1"), "X-Id: mine\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\nX-Id: mine\r\n\r\n");
        assertThat(seen(with(transport, Trust.ALWAYS), "x-ID: mine\r\n"))
                .isEqualTo("GET / HTTP/1.1\r\nHost: a\r\nX-Id: mine\r\n\r\n");
    }

    @EachTransport
    void replacesInvalidRequestId(TransportKind transport) throws Exception {
        for (String bad : new String[] {"", "a b", "a\"b", "<script>", "caf\u00e9", "x".repeat(129)}) {
            assertThat(seen(with(transport, Trust.ALWAYS), "X-Id: " + bad + "\r\n"))
                    .matches("GET / HTTP/1.1\r\nHost: a\r\nX-Id: " + DRAWN + "\r\n\r\n");
        }
        assertThat(seen(with(transport, Trust.ALWAYS), "X-Id: " + "x".repeat(128) + "\r\n"))
                .contains("X-Id: " + "x".repeat(128) + "\r\n");
    }

    @EachTransport
    void errorResponseHasSameRequestId(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.answerAndClose("nonsense\r\n\r\n"));
                TestBalancer balancer = with(transport, Trust.NEVER)
                        .backend(backend)
                        .headers(TestHeaderRules.response("X-Seen", "$request_id"))
                        .start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            RawResponse answer =
                    client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();
            RawResponse next = other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").read();

            assertThat(answer.status()).isEqualTo(502);
            String id = answer.header("X-Id");
            assertThat(id).matches(DRAWN).isNotEqualTo(next.header("X-Id"));
            assertThat(answer.header("X-Seen")).isEqualTo(id);
            assertThat(answer.body()).contains(id);
            assertThat(backend.nextRequest()).contains("\r\nX-Id: " + id + "\r\n");
        }
    }

    private static BalancerSetup with(TransportKind transport, Trust trust) {
        return BalancerSetup.on(transport).requestId(new RequestIdConfig("X-Id", trust));
    }

    private static String seen(BalancerSetup setup, String lines) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = setup.backend(backend).start();
                RawClient client = balancer.client()) {
            client.send("GET / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n").read();
            return backend.nextRequest();
        }
    }
}
