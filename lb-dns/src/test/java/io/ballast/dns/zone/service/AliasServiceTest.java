package io.ballast.dns.zone.service;

import static io.ballast.dns.testing.Routes.alias;
import static io.ballast.dns.testing.Routes.among;
import static io.ballast.dns.testing.Routes.pool;
import static io.ballast.dns.testing.Routes.service;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.FakeAliasResolver;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests services that answer with the addresses of an outside name (ALIAS). */
class AliasServiceTest {

    private static final String TARGET = "lb.provider.example";

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .pool("spare", ZoneFixture.backend("192.0.2.9"));
    private final FakeAliasResolver followed = new FakeAliasResolver();

    @Test
    void apexHasAddressesOfTarget() {
        followed.has(TARGET, 20, "198.51.100.1", "198.51.100.2", "2001:db8::1");
        AnswererClient client = client(service("@", alias(TARGET)));

        Message answer = client.query("example.com", Type.A);

        assertThat(data(answer)).containsExactlyInAnyOrder("198.51.100.1", "198.51.100.2");
        assertThat(answer.getSection(Section.ANSWER))
                .allMatch(record -> record.getName().toString().equals("example.com."));
        assertThat(data(client.query("example.com", Type.AAAA))).containsExactly("2001:db8:0:0:0:0:0:1");
        assertThat(data(client.query("example.com", Type.NS))).hasSize(2);
    }

    @Test
    void ttlIsLimitedByTarget() {
        followed.has(TARGET, 7, "198.51.100.1");
        AnswererClient client = client(service("@", alias(TARGET)));

        assertThat(ttl(client)).isEqualTo(7);
        followed.has(TARGET, 70, "198.51.100.1");
        assertThat(ttl(client)).isEqualTo(ZoneFixture.TTL.toSeconds());
    }

    private static long ttl(AnswererClient client) {
        return client.query("example.com", Type.A)
                .getSection(Section.ANSWER)
                .get(0)
                .getTTL();
    }

    @Test
    void newAddressesAreAnsweredImmediately() {
        followed.has(TARGET, 20, "198.51.100.1");
        AnswererClient client = client(service("@", alias(TARGET)));

        followed.has(TARGET, 20, "198.51.100.7");

        assertThat(data(client.query("example.com", Type.A))).containsExactly("198.51.100.7");
    }

    @Test
    void unknownIsServfailAndMissingIsNodata() {
        AnswererClient client = client(service("@", alias(TARGET)));

        assertThat(client.query("example.com", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        followed.has(TARGET, 20, "198.51.100.1");
        assertThat(data(client.query("example.com", Type.A))).hasSize(1);
        assertThat(client.query("example.com", Type.AAAA).getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(data(client.query("example.com", Type.AAAA))).isEmpty();
        followed.isUnanswered(TARGET);
        assertThat(client.query("example.com", Type.AAAA).getRcode()).isEqualTo(Rcode.SERVFAIL);
    }

    @Test
    void unknownMayBeNodataOrFallback() {
        WhenAllDown other = new WhenAllDown.Fallback(Optional.empty(), List.of(IpAddress.parse("192.0.2.77")));
        AnswererClient client = client(
                service("nodata", alias(TARGET), WhenAllDown.Simple.NODATA), service("other", alias(TARGET), other));

        assertThat(client.query("nodata.example.com", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(data(client.query("other.example.com", Type.A))).containsExactly("192.0.2.77");
    }

    @Test
    void poolAndAliasMayBackEachOther() {
        followed.has(TARGET, 20, "198.51.100.1");
        AnswererClient client = client(
                service("to", among(Routing.FAILOVER, pool("web"), alias(TARGET))),
                service("from", among(Routing.FAILOVER, alias(TARGET), pool("spare"))));

        assertThat(data(client.query("to.example.com", Type.A))).containsExactly("192.0.2.1");
        fixture.set("web", "192.0.2.1", BackendState.DOWN);
        assertThat(data(client.query("to.example.com", Type.A))).containsExactly("198.51.100.1");
        assertThat(data(client.query("from.example.com", Type.A))).containsExactly("198.51.100.1");
        followed.isUnanswered(TARGET);
        assertThat(data(client.query("from.example.com", Type.A))).containsExactly("192.0.2.9");
        // No target is healthy, but the pool still has a backend.
        assertThat(data(client.query("to.example.com", Type.A))).containsExactly("192.0.2.1");
    }

    @Test
    void addressHintsFollowTarget() {
        followed.has(TARGET, 7, "198.51.100.1", "2001:db8::1");
        ServiceConfig service = new ServiceConfig(
                "@",
                alias(TARGET),
                TtlConfig.fixed(ZoneFixture.TTL),
                WhenAllDown.ALL,
                Optional.of(new HttpsConfig(1, List.of("h2"), Optional.empty())));

        Message answer = client(service).query("example.com", Type.HTTPS);

        assertThat(data(answer).get(0)).contains("ipv4hint=198.51.100.1").contains("ipv6hint=2001:db8:0:0:0:0:0:1");
        assertThat(answer.getSection(Section.ANSWER).get(0).getTTL()).isEqualTo(7);
    }

    @Test
    void isExplained() throws IOException {
        followed.has(TARGET, 7, "198.51.100.1");
        CompiledZones zones = compile(service("@", among(Routing.FAILOVER, alias(TARGET), pool("web"))));

        assertThat(zones.explain("example.com", Type.A, Optional.empty()).toMap())
                .containsEntry("answer", List.of("198.51.100.1"))
                .containsEntry("ttl_seconds", 7)
                .containsEntry("ttl_reason", "no longer than the addresses of an alias may be cached");
        assertThat(zones.explain("example.com", Type.A, Optional.empty())
                        .target()
                        .targets()
                        .get(0))
                .satisfies(target -> assertThat(target.rule()).isEqualTo("alias " + TARGET))
                .satisfies(target -> assertThat(target.reason()).isEqualTo("a test said so"))
                .satisfies(
                        target -> assertThat(target.backends().get(0).state()).isEqualTo("known"));
    }

    @Test
    void explainsUnknownTarget() throws IOException {
        followed.isUnanswered(TARGET);
        CompiledZones zones = compile(service("@", alias(TARGET)));

        assertThat(zones.explain("example.com", Type.A, Optional.empty()).decision())
                .isEqualTo("no address of the alias target is known");
    }

    @Test
    void reloadContinuesAndOldZonesStopListening() throws IOException {
        followed.has(TARGET, 20, "198.51.100.1");
        CompiledZones before = compile(service("@", alias(TARGET)));
        fixture.zone("example.net");
        CompiledZones after = before.next(fixture.dns(), inputs());
        after.begin();

        followed.has(TARGET, 20, "198.51.100.7");

        assertThat(data(new AnswererClient(after).query("example.com", Type.A))).containsExactly("198.51.100.7");
        assertThat(followed.listeners()).isEqualTo(1);
        after.close();
        assertThat(followed.listeners()).isZero();
    }

    private AnswererClient client(ServiceConfig... services) {
        return new AnswererClient(compile(services));
    }

    private CompiledZones compile(ServiceConfig... services) {
        fixture.zone("example.com", services);
        return CompiledZones.start(fixture.dns(), inputs());
    }

    private ZoneInputs inputs() {
        return ZoneInputs.of(fixture.topology()).withAliasAddresses(followed);
    }

    private static List<String> data(Message answer) {
        List<String> data = new ArrayList<>();
        for (Record record : answer.getSection(Section.ANSWER)) {
            data.add(record.rdataToString());
        }
        return data;
    }
}
