package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.config.forward.DnsForwardConfig.Protocol;
import io.ballast.dns.config.forward.DnsForwardConfig.Route;
import io.ballast.dns.config.forward.DnsForwardConfig.Upstream;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests special-use names that are not sent to resolvers. */
class SpecialNamesTest {

    private FakeResolver resolver;

    @BeforeEach
    void start() throws IOException {
        resolver = new FakeResolver("192.0.2.1");
    }

    @AfterEach
    void stop() throws IOException {
        resolver.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LocalHost", "x.localhost", "a.b.localhost"})
    void localhostIsAnsweredLocally(String name) throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            assertThat(Messages.answers(fixture.query(name, Type.A))).containsExactly("127.0.0.1");
            assertThat(Messages.answers(fixture.query(name, Type.AAAA))).containsExactly("0:0:0:0:0:0:0:1");
            assertThat(fixture.query(name, Type.MX).getRcode()).isEqualTo(Rcode.NOERROR);
            assertThat(resolver.queries()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "invalid, NXDOMAIN",
        "www.invalid, NXDOMAIN",
        "www.test, NXDOMAIN",
        "abc.onion, NXDOMAIN",
        "printer.home.arpa, NXDOMAIN",
        "home.arpa, NOERROR",
        "_dns.resolver.arpa, NOERROR",
        "resolver.arpa, NOERROR",
        "1.1.168.192.in-addr.arpa, NXDOMAIN",
        "168.192.in-addr.arpa, NOERROR",
        "4.3.2.10.in-addr.arpa, NXDOMAIN",
        "1.0.31.172.in-addr.arpa, NXDOMAIN",
        "1.0.64.100.in-addr.arpa, NXDOMAIN",
        "1.0.254.169.in-addr.arpa, NXDOMAIN",
        "1.0.0.127.in-addr.arpa, NXDOMAIN",
        "1.2.0.192.in-addr.arpa, NXDOMAIN",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.d.f.ip6.arpa, NXDOMAIN",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.e.f.ip6.arpa, NXDOMAIN",
        "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa, NOERROR",
    })
    void othersAreDeniedHere(String name, String rcode) throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            for (int type : new int[] {Type.A, Type.PTR, Type.SVCB}) {
                Message answer = fixture.query(name, type);
                assertThat(Rcode.string(answer.getRcode())).isEqualTo(rcode);
                assertThat(answer.getSection(Section.ANSWER)).isEmpty();
                assertThat(answer.getSection(Section.AUTHORITY)).hasSize(1);
            }
            assertThat(resolver.queries()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "www.example",
                "localhost.example",
                "notlocalhost",
                "arpa",
                "in-addr.arpa",
                "1.1.1.1.in-addr.arpa",
                "1.0.32.172.in-addr.arpa",
                "1.0.63.100.in-addr.arpa",
                "1.8.b.d.0.2.0.0.2.ip6.arpa",
                "onion.arpa"
            })
    void otherNamesAreForwarded(String name) throws Exception {
        try (ForwarderFixture fixture = new ForwarderFixture(UnaryOperator.identity(), resolver)) {
            fixture.query(name, Type.A);
            assertThat(resolver.queries(name)).isEqualTo(1);
        }
    }

    @Test
    void explicitRouteForwardsSpecialNames() throws Exception {
        Route route = new Route(
                List.of("home.arpa", "168.192.in-addr.arpa"),
                List.of(),
                new Upstream(ForwarderFixture.POOL, Protocol.UDP));
        Route ofClient = new Route(
                List.of(), List.of(Cidr.parse("127.0.0.0/8")), new Upstream(ForwarderFixture.POOL, Protocol.UDP));
        UnaryOperator<DnsForwardConfig> routed =
                config -> config.toBuilder().routes(List.of(route, ofClient)).build();
        try (ForwarderFixture fixture = new ForwarderFixture(routed, resolver)) {
            assertThat(Messages.answers(fixture.query("printer.home.arpa", Type.A)))
                    .containsExactly("192.0.2.1");
            fixture.query("1.1.168.192.in-addr.arpa", Type.PTR);
            assertThat(resolver.queries("1.1.168.192.in-addr.arpa")).isEqualTo(1);
            assertThat(fixture.query("1.0.0.10.in-addr.arpa", Type.PTR).getRcode())
                    .as("a route for clients names no name")
                    .isEqualTo(Rcode.NXDOMAIN);
        }
    }

    @Test
    void routeForwardsPrivateReverseNames() throws Exception {
        try (FakeResolver router = new FakeResolver("192.0.2.2");
                ForwarderFixture fixture = new ForwarderFixture(
                        config -> config.toBuilder()
                                .privatePtr(Optional.of("router"))
                                .build(),
                        others -> others.resolvers("router", router),
                        resolver)) {
            router.answers(query -> {
                Message reply = FakeResolver.reply(query, Rcode.NOERROR);
                reply.addRecord(
                        Messages.record(query.getQuestion().getName() + " 300 IN PTR printer.home.example."),
                        Section.ANSWER);
                return reply;
            });
            for (String name : List.of("1.1.168.192.in-addr.arpa", "1.0.0.10.in-addr.arpa", "1.d.f.ip6.arpa")) {
                assertThat(Messages.answers(fixture.query(name, Type.PTR))).containsExactly("printer.home.example.");
            }
            assertThat(fixture.query("1.0.0.127.in-addr.arpa", Type.PTR).getRcode())
                    .isEqualTo(Rcode.NXDOMAIN);
            fixture.query("1.1.1.1.in-addr.arpa", Type.PTR);
            assertThat(router.queries()).hasSize(3);
            assertThat(resolver.queries()).hasSize(1);
        }
    }
}
