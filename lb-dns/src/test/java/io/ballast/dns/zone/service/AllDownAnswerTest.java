package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.config.zone.WhenAllDown.Fallback;
import io.ballast.dns.config.zone.WhenAllDown.Simple;
import io.ballast.dns.testing.Asker;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.World;
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

    private final World world = new World()
            .pool("a", World.backend("192.0.2.1"), World.backend("192.0.2.2"), World.backend("2001:db8::1"))
            .pool("b", World.backend("192.0.2.11"))
            .pool("spare", World.backend("198.51.100.1"), World.backend("198.51.100.2"));

    @Test
    void allReturnsAllAddressesWithShortTtl() {
        Asker asker = serving(Simple.ALL);
        allDown();

        Message response = asker.ask("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("192.0.2.1", "192.0.2.2", "192.0.2.11");
        assertThat(ttl(response)).isEqualTo(5);
        assertThat(ttl(asker.ask("app.example.com", Type.AAAA)))
                .as("the other family is up")
                .isEqualTo(World.TTL.toSeconds());
    }

    @Test
    void answersIgnoreHttpPanicMode() {
        world.panicBelow("a", 100);
        Asker asker = serving(Simple.ALL);

        world.set("a", "192.0.2.1", BackendState.DOWN);

        assertThat(world.topology().pool("a").snapshot().isPanic()).isTrue();
        assertThat(askA(asker)).contains("192.0.2.2").doesNotContain("192.0.2.1");
    }

    @Test
    void lastHealthyReturnsLastDownAddresses() {
        Asker asker = serving(Simple.LAST_HEALTHY);
        world.set("b", "192.0.2.11", BackendState.DOWN);
        world.set("a", "192.0.2.2", BackendState.DOWN);
        world.set("a", "192.0.2.1", BackendState.DOWN);

        Message response = asker.ask("app.example.com", Type.A);

        assertThat(Messages.answers(response)).containsExactly("192.0.2.1");
        assertThat(ttl(response)).isEqualTo(5);
    }

    @Test
    void lastHealthyReturnsAllIfNoneWasHealthy() {
        allDown();

        assertThat(askA(serving(Simple.LAST_HEALTHY))).hasSize(3);
    }

    @Test
    void poolFallbackReturnsHealthyAddresses() {
        Asker asker = serving(new Fallback(Optional.of("spare"), List.of()));
        assertThat(askA(asker)).doesNotContain("198.51.100.1", "198.51.100.2");
        allDown();

        Message response = asker.ask("app.example.com", Type.A);
        assertThat(Messages.answers(response)).containsExactlyInAnyOrder("198.51.100.1", "198.51.100.2");
        assertThat(ttl(response)).isEqualTo(World.TTL.toSeconds());

        world.set("spare", "198.51.100.1", BackendState.DOWN);
        assertThat(askA(asker)).containsExactly("198.51.100.2");
        world.set("spare", "198.51.100.2", BackendState.DOWN);
        response = asker.ask("app.example.com", Type.A);
        assertThat(Messages.answers(response)).hasSize(2);
        assertThat(ttl(response)).isEqualTo(5);
    }

    @Test
    void addressFallbackReturnsFamily() {
        Asker asker = serving(new Fallback(
                Optional.empty(), List.of(IpAddress.parse("203.0.113.1"), IpAddress.parse("2001:db8::99"))));
        allDown();
        world.set("a", "2001:db8::1", BackendState.DOWN);

        assertThat(askA(asker)).containsExactly("203.0.113.1");
        assertThat(Messages.answers(asker.ask("app.example.com", Type.AAAA))).containsExactly("2001:db8:0:0:0:0:0:99");
        assertThat(ttl(asker.ask("app.example.com", Type.A))).isEqualTo(5);
    }

    @Test
    void fallbackWithoutFamilyIsNodata() {
        Asker asker = serving(new Fallback(Optional.empty(), List.of(IpAddress.parse("2001:db8::99"))));
        allDown();

        assertNoData(asker.ask("app.example.com", Type.A));
    }

    @Test
    void servfailIsAnswered() {
        Asker asker = serving(Simple.SERVFAIL);
        allDown();

        Message response = asker.ask("app.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(Stream.of(Section.ANSWER, Section.AUTHORITY)
                        .flatMap(section -> response.getSection(section).stream()))
                .isEmpty();
        assertThat(asker.ask("app.example.com", Type.AAAA).getRcode()).isEqualTo(Rcode.NOERROR);
    }

    @Test
    void nodataIsAnswered() {
        Asker asker = serving(Simple.NODATA);
        allDown();

        assertNoData(asker.ask("app.example.com", Type.A));

        world.set("b", "192.0.2.11", BackendState.UP);
        assertThat(askA(asker)).containsExactly("192.0.2.11");
    }

    @Test
    void familyWithoutAddressIsNodata() {
        for (WhenAllDown rule : List.of(Simple.ALL, Simple.SERVFAIL, new Fallback(Optional.of("a"), List.of()))) {
            World fresh = new World()
                    .pool("a", World.backend("2001:db8::1"))
                    .pool("b", World.backend("192.0.2.11"))
                    .zone("example.com", Routes.service("app", Routes.pool("b"), rule));
            assertNoData(new Asker(fresh).ask("app.example.com", Type.AAAA));
        }
    }

    private Asker serving(WhenAllDown rule) {
        return new Asker(world.zone(
                "example.com",
                Routes.service("app", Routes.among(Routing.FAILOVER, Routes.pool("a"), Routes.pool("b")), rule)));
    }

    private void allDown() {
        world.set("a", "192.0.2.1", BackendState.DOWN);
        world.set("a", "192.0.2.2", BackendState.DOWN);
        world.set("b", "192.0.2.11", BackendState.DOWN);
    }

    private static void assertNoData(Message response) {
        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
        assertThat(response.getSection(Section.AUTHORITY))
                .singleElement()
                .satisfies(soa -> assertThat(soa.getType()).isEqualTo(Type.SOA));
    }

    private static List<String> askA(Asker asker) {
        return Messages.answers(asker.ask("app.example.com", Type.A));
    }

    private static long ttl(Message response) {
        return response.getSection(Section.ANSWER).get(0).getTTL();
    }
}
