package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.config.zone.WhenAllDown.Fallback;
import io.ballast.dns.config.zone.WhenAllDown.Simple;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.ZoneFixture;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests the answers of a service without healthy targets, for each configuration. */
class AllDownAnswerTest {

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "a",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("2001:db8::1"))
            .pool("b", ZoneFixture.backend("192.0.2.11"))
            .pool("spare", ZoneFixture.backend("198.51.100.1"), ZoneFixture.backend("198.51.100.2"));

    @Test
    void allReturnsAllAddressesWithShortTtl() {
        AnswererClient client = serving(Simple.ALL);
        allDown();

        Message response = client.query("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.11");
        assertThat(ttl(response)).isEqualTo(5);
        assertThat(ttl(client.query("app.example.com", Type.AAAA)))
                .as("the other family is up")
                .isEqualTo(ZoneFixture.TTL.toSeconds());
    }

    @Test
    void answersIgnoreHttpPanicMode() {
        fixture.panicBelow("a", 100);
        AnswererClient client = serving(Simple.ALL);

        fixture.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(fixture.topology().pool("a").snapshot().isPanic()).isTrue();
        assertThat(queryA(client)).contains("192.0.2.2").doesNotContain("192.0.2.1");
    }

    @Test
    void lastHealthyReturnsLastDownAddresses() {
        AnswererClient client = serving(Simple.LAST_HEALTHY);
        fixture.set("b", "192.0.2.11", BackendState.DOWN);
        fixture.set("a", "192.0.2.2", BackendState.DOWN);
        fixture.set("a", "192.0.2.1", BackendState.DOWN);

        Message response = client.query("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        assertThat(ttl(response)).isEqualTo(5);
    }

    @Test
    void lastHealthyReturnsAllIfNoneWasHealthy() {
        allDown();

        assertThat(queryA(serving(Simple.LAST_HEALTHY))).hasSize(3);
    }

    @Test
    void poolFallbackReturnsHealthyAddresses() {
        AnswererClient client = serving(new Fallback(Optional.of("spare"), List.of()));
        assertThat(queryA(client)).doesNotContain("198.51.100.1", "198.51.100.2");
        allDown();

        Message response = client.query("app.example.com", Type.A);
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("198.51.100.1", "198.51.100.2");
        assertThat(ttl(response)).isEqualTo(ZoneFixture.TTL.toSeconds());

        fixture.set("spare", "198.51.100.1", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("198.51.100.2");
        fixture.set("spare", "198.51.100.2", BackendState.DOWN);
        response = client.query("app.example.com", Type.A);
        assertThat(Messages.answers(response)).hasSize(2);
        assertThat(ttl(response)).isEqualTo(5);
    }

    @Test
    void addressFallbackReturnsFamily() {
        AnswererClient client = serving(new Fallback(
                Optional.empty(), List.of(IpAddress.parse("203.0.113.1"), IpAddress.parse("2001:db8::99"))));
        allDown();
        fixture.set("a", "2001:db8::1", BackendState.DOWN);

        assertThat(queryA(client)).containsExactly("203.0.113.1");
        assertThat(Messages.answers(client.query("app.example.com", Type.AAAA)))
                .containsExactly("2001:db8:0:0:0:0:0:99");
        assertThat(ttl(client.query("app.example.com", Type.A))).isEqualTo(5);
    }

    @Test
    void fallbackWithoutFamilyIsNodata() {
        AnswererClient client = serving(new Fallback(Optional.empty(), List.of(IpAddress.parse("2001:db8::99"))));
        allDown();

        assertNoData(client.query("app.example.com", Type.A));
    }

    @Test
    void servfailIsAnswered() {
        AnswererClient client = serving(Simple.SERVFAIL);
        allDown();

        Message response = client.query("app.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(Stream.of(Section.ANSWER, Section.AUTHORITY)
                        .flatMap(section -> response.getSection(section).stream()))
                .isEmpty();
        assertThat(client.query("app.example.com", Type.AAAA).getRcode()).isEqualTo(Rcode.NOERROR);
    }

    @Test
    void nodataIsAnswered() {
        AnswererClient client = serving(Simple.NODATA);
        allDown();

        assertNoData(client.query("app.example.com", Type.A));

        fixture.set("b", "192.0.2.11", BackendState.UP);
        assertThat(queryA(client)).containsExactly("192.0.2.11");
    }

    @Test
    void familyWithoutAddressIsNodata() {
        for (WhenAllDown rule : List.of(Simple.ALL, Simple.SERVFAIL, new Fallback(Optional.of("a"), List.of()))) {
            ZoneFixture fresh = new ZoneFixture()
                    .pool("a", ZoneFixture.backend("2001:db8::1"))
                    .pool("b", ZoneFixture.backend("192.0.2.11"))
                    .zone("example.com", Routes.service("app", Routes.pool("b"), rule));
            assertNoData(new AnswererClient(fresh).query("app.example.com", Type.AAAA));
        }
    }

    private AnswererClient serving(WhenAllDown rule) {
        return new AnswererClient(fixture.zone(
                "example.com",
                Routes.service("app", Routes.among(Routing.FAILOVER, Routes.pool("a"), Routes.pool("b")), rule)));
    }

    private void allDown() {
        fixture.set("a", "192.0.2.1", BackendState.DOWN);
        fixture.set("a", "192.0.2.2", BackendState.DOWN);
        fixture.set("b", "192.0.2.11", BackendState.DOWN);
    }

    private static void assertNoData(Message response) {
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(response.getSection(Section.AUTHORITY))
                .singleElement()
                .satisfies(soa -> assertThat(soa.getType()).isEqualTo(Type.SOA));
    }

    private static List<String> queryA(AnswererClient client) {
        return Messages.answers(client.query("app.example.com", Type.A));
    }

    private static long ttl(Message response) {
        return response.getSection(Section.ANSWER).get(0).getTTL();
    }
}
