package io.ballast.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.http.config.Forwarding;
import io.ballast.http.config.ForwardingHeader;
import io.ballast.http.testing.BalancerSetup;
import io.ballast.http.testing.RawClient;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestBalancer;
import io.ballast.http.testing.TestHeaderRules;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.EachTransport;
import java.util.EnumSet;
import java.util.Set;

class TrustedProxiesTest {

    private static final String REQUEST = String.join(
            "\r\n",
            "GET / HTTP/1.1",
            "Host: a",
            "X-Forwarded-For: 198.51.100.1, 192.0.2.1, 127.0.0.9",
            "X-Forwarded-Proto: https",
            "",
            "");

    @EachTransport
    void trustsHeaderOfTrustedProxy(TransportKind transport) throws Exception {
        String seen = seen(setup(transport, Forwarding.OVERWRITE).trustedProxies("127.0.0.0/8"));

        assertThat(seen)
                .contains("\r\nX-Forwarded-For: 198.51.100.1, 192.0.2.1, 127.0.0.9, 127.0.0.1\r\n")
                .contains("\r\nX-Forwarded-Proto: https\r\n")
                .contains("\r\nX-Client: 192.0.2.1\r\n");
    }

    @EachTransport
    void trustedProxyHeaderIsNotContradicted(TransportKind transport) throws Exception {
        Set<ForwardingHeader> all = EnumSet.allOf(ForwardingHeader.class);

        String seen = seen(
                setup(transport, Forwarding.OVERWRITE).forwardingHeaders(all).trustedProxies("127.0.0.0/8"));
        String byDefault = seen(setup(transport, Forwarding.OVERWRITE).trustedProxies("127.0.0.0/8"));

        assertThat(seen)
                .contains(
                        "\r\nForwarded: for=198.51.100.1;proto=https, for=192.0.2.1, for=127.0.0.9, for=127.0.0.1\r\n")
                .contains("\r\nX-Forwarded-Proto: https\r\n", "\r\nX-Forwarded-Host: a\r\n", "\r\nVia: 1.1 ballast\r\n")
                .doesNotContain("proto=http;", "proto=http,", "X-Forwarded-Port");
        assertThat(byDefault)
                .contains("\r\nX-Forwarded-Proto: https\r\n", "\r\nX-Forwarded-Host: a\r\n")
                .doesNotContain("\r\nForwarded:", "X-Forwarded-Port", "Via:");
    }

    @EachTransport
    void replacesHeaderOfUntrustedClient(TransportKind transport) throws Exception {
        for (Forwarding forwarding : new Forwarding[] {Forwarding.OVERWRITE, Forwarding.APPEND}) {
            String seen = seen(setup(transport, forwarding).trustedProxies("192.0.2.0/24"));

            assertThat(seen)
                    .contains("\r\nX-Forwarded-For: 127.0.0.1\r\n")
                    .contains("\r\nX-Forwarded-Proto: http\r\n")
                    .contains("\r\nX-Client: 127.0.0.1\r\n");
        }
    }

    @EachTransport
    void clientIsKnownWithoutForwardedHeader(TransportKind transport) throws Exception {
        String seen = seen(setup(transport, Forwarding.OFF).trustedProxies("127.0.0.0/8"));

        assertThat(seen)
                .contains("\r\nX-Forwarded-For: 198.51.100.1, 192.0.2.1, 127.0.0.9\r\n")
                .contains("\r\nX-Client: 192.0.2.1\r\n")
                .doesNotContain("Via");
    }

    @EachTransport
    void noProxyIsTrustedByDefault(TransportKind transport) throws Exception {
        assertThat(seen(setup(transport, Forwarding.APPEND)))
                .contains("\r\nX-Forwarded-For: 198.51.100.1, 192.0.2.1, 127.0.0.9, 127.0.0.1\r\n")
                .contains("\r\nX-Client: 127.0.0.1\r\n");
    }

    private static BalancerSetup setup(TransportKind transport, Forwarding forwarding) {
        return BalancerSetup.on(transport)
                .forwarding(forwarding)
                .headers(TestHeaderRules.request("X-Client", "$remote_addr"));
    }

    private static String seen(BalancerSetup setup) throws Exception {
        try (TestBackend backend = TestBackend.playing(Script.ok("x"));
                TestBalancer balancer = setup.backend(backend).start();
                RawClient client = balancer.client()) {
            client.send(REQUEST).read();
            return backend.nextRequest();
        }
    }
}
