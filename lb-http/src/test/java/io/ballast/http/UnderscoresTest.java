package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.header.HeaderChanges;
import io.ballast.core.config.header.HeaderRules;
import io.ballast.http.config.Forwarding;
import io.ballast.http.config.Underscores;
import io.ballast.http.relay.Failure;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.RawResponse;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests header names with underscores: CGI-style backends cannot distinguish {@code X_Forwarded_For} from
 * {@code X-Forwarded-For}.
 */
class UnderscoresTest {

    private static final String TWINS = String.join(
            "\r\n",
            "GET / HTTP/1.1",
            "Host: a",
            "X_Forwarded_For: 8.8.8.8",
            "x-forwarded_proto: https",
            "X_User: root",
            "X_Internal: 1",
            "Content_Length: 5",
            "Transfer_Encoding: chunked",
            "Proxy_Connection: x",
            "My_Own: mine",
            "X-Other: o",
            "",
            "");

    @ParameterizedTest
    @EnumSource(
            value = Underscores.class,
            names = {"PASS", "DROP"})
    void headerThatImitatesOursIsRemoved(Underscores underscores) throws Exception {
        for (Forwarding forwarding : new Forwarding[] {Forwarding.OVERWRITE, Forwarding.APPEND}) {
            String seen = seen(setup(underscores).forwarding(forwarding));

            assertThat(seen)
                    .contains("\r\nX-User: us\r\n", "\r\nX-Other: o\r\n", "\r\nX-Forwarded-For: 127.0.0.1\r\n")
                    .doesNotContain("8.8.8.8", "https", "root", "X_", "Content_", "Transfer_", "Proxy_");
            assertThat(seen.contains("My_Own: mine")).isEqualTo(underscores == Underscores.PASS);
        }
    }

    @EachTransport
    void headersAreKeptWithoutForwarding(TransportKind transport) throws Exception {
        String seen = seen(BalancerSetup.on(transport).forwarding(Forwarding.OFF));

        assertThat(seen)
                .contains("\r\nX_Forwarded_For: 8.8.8.8\r\n", "\r\nMy_Own: mine\r\n")
                .doesNotContain("Content_");
    }

    @EachTransport
    void requestWithUnderscoreNameIsRejectedIfConfigured(TransportKind transport) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = BalancerSetup.on(transport)
                        .backend(backend)
                        .underscores(Underscores.REJECT)
                        .start();
                RawClient client = balancer.client();
                RawClient other = balancer.client()) {
            assertThat(client.send("GET / HTTP/1.1\r\nHost: a\r\nX-Y: a_b\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);

            RawResponse refused = client.send("GET / HTTP/1.1\r\nHost: a\r\nMy_Own: mine\r\n\r\n")
                    .read();
            String slowly = other.send("GET / HTTP/1.1\r\nMy_O", "wn: mine\r\nHost: a\r\n", "\r\n")
                    .readToEnd();

            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.body()).contains("underscore");
            assertThat(slowly).startsWith("HTTP/1.1 400 ");
            assertThat(balancer.count(Failure.BAD_REQUEST)).isEqualTo(2);
            assertThat(backend.requests()).hasSize(1);
        }
    }

    private static BalancerSetup setup(Underscores underscores) {
        HeaderChanges changes = TestHeaderRules.set("X-User", "us");
        HeaderRules rules = new HeaderRules(changes, HeaderChanges.NONE);
        return BalancerSetup.on(TransportKind.NIO)
                .underscores(underscores)
                .headers(rules)
                .poolHeaders(new HeaderRules(TestHeaderRules.remove("x-internal"), HeaderChanges.NONE));
    }

    private static String seen(BalancerSetup setup) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = setup.backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(TWINS).read();
            return backend.nextRequest();
        }
    }
}
