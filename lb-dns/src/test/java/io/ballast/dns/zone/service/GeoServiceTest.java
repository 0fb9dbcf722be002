package io.ballast.dns.zone.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.core.net.Cidr;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.ServerIdentity;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TtlConfig;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.TestRegions;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that answers depend on the client's region. */
class GeoServiceTest {

    private static final String IN_EU = "10.1.0.1";
    private static final String IN_US = "10.2.0.1";
    private static final String IN_ASIA = "10.3.0.1";
    private static final String NOWHERE_KNOWN = "172.16.0.1";

    private final ManualScheduler scheduler = new ManualScheduler();
    private final TestRegions geography = new TestRegions()
            .region("eu", "10.1.0.0/16")
            .region("us", "10.2.0.0/16", "asia")
            .region("asia", "10.3.0.0/16");
    private final ZoneFixture fixture = new ZoneFixture()
            .pool("eu", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("2001:db8::1"))
            .pool("us", ZoneFixture.backend("192.0.2.2"), ZoneFixture.backend("2001:db8::2"))
            .pool("us2", ZoneFixture.backend("192.0.2.22"))
            .pool("asia", ZoneFixture.backend("192.0.2.3"))
            .pool("rest", ZoneFixture.backend("192.0.2.4"));

    private final Map<String, TargetConfig> everyRegion =
            Map.of("eu", Routes.pool("eu"), "us", Routes.pool("us"), "asia", Routes.pool("asia"));

    @Test
    void clientsGetTargetOfRegion() {
        AnswererClient client = serving(Routes.regions(everyRegion, Optional.empty()));

        assertThat(queryA(client.from(IN_EU))).containsExactly("192.0.2.1");
        assertThat(queryA(client.from(IN_US))).containsExactly("192.0.2.2");
        assertThat(queryA(client.from(IN_ASIA))).containsExactly("192.0.2.3");
        assertThat(queryA(client.from(NOWHERE_KNOWN))).as("the default region").containsExactly("192.0.2.1");
    }

    @Test
    void unhealthyRegionFallsBackInDeclaredOrder() {
        AnswererClient client =
                serving(Routes.regions(everyRegion, Optional.empty())).from(IN_US);

        fixture.set("us", "192.0.2.2", BackendState.DOWN);
        assertThat(queryA(client)).as("declared fallback").containsExactly("192.0.2.3");
        fixture.set("asia", "192.0.2.3", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.1");
        assertThat(Messages.answers(client.query("app.example.com", Type.AAAA)))
                .as("the other family is up")
                .containsExactly("2001:db8:0:0:0:0:0:2");

        fixture.set("us", "192.0.2.2", BackendState.UP);
        assertThat(queryA(client)).containsExactly("192.0.2.2");
    }

    @Test
    void defaultServesUnlistedRegions() {
        AnswererClient client = serving(Routes.regions(
                Map.of("eu", Routes.pool("eu"), "us", Routes.pool("us")), Optional.of(Routes.pool("rest"))));

        assertThat(queryA(client.from(IN_ASIA))).containsExactly("192.0.2.4");
        fixture.set("rest", "192.0.2.4", BackendState.DOWN);
        assertThat(queryA(client.from(IN_ASIA))).containsExactly("192.0.2.1");
    }

    @Test
    void defaultIsLastFallback() {
        AnswererClient client = serving(
                        Routes.regions(Map.of("eu", Routes.pool("eu")), Optional.of(Routes.pool("rest"))))
                .from(IN_EU);
        assertThat(queryA(client)).containsExactly("192.0.2.1");

        fixture.set("eu", "192.0.2.1", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.4");
    }

    @Test
    void servicesHaveSeparateRegions() {
        fixture.zone(
                "example.com",
                Routes.service("app", Routes.regions(everyRegion, Optional.empty())),
                Routes.service("other", Routes.regions(Map.of("us", Routes.pool("us2")), Optional.empty())));
        AnswererClient client = new AnswererClient(start()).from(IN_US);

        assertThat(queryA(client)).containsExactly("192.0.2.2");
        assertThat(Messages.answers(client.query("other.example.com", Type.A))).containsExactly("192.0.2.22");
        assertThat(Messages.answers(client.from(IN_EU).query("other.example.com", Type.A)))
                .as("the only target")
                .containsExactly("192.0.2.22");
    }

    @Test
    void failsOverWithinRegion() {
        AnswererClient client = serving(Routes.regions(
                        Map.of(
                                "eu",
                                Routes.pool("eu"),
                                "us",
                                Routes.among(Routing.FAILOVER, Routes.pool("us"), Routes.pool("us2"))),
                        Optional.empty()))
                .from(IN_US);

        fixture.set("us", "192.0.2.2", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.22");
        fixture.set("us2", "192.0.2.22", BackendState.DOWN);
        assertThat(queryA(client)).containsExactly("192.0.2.1");
    }

    @Test
    void rejectsUnknownRegion() {
        fixture.zone(
                "example.com",
                Routes.service("app", Routes.regions(Map.of("mars", Routes.pool("eu")), Optional.empty())));

        assertThatThrownBy(this::start).hasMessage("region: mars (expected: one of eu, us, asia)");
        assertThatThrownBy(() -> CompiledZones.start(fixture.dns(), fixture.topology()))
                .hasMessage("routing: geo (expected: a geo section in the configuration)");
    }

    @Test
    void clientSubnetDecidesAndScopeIsReturned() {
        AnswererClient client =
                serving(Routes.regions(everyRegion, Optional.empty())).from(IN_EU);

        Message us = client.query(Messages.query("app.example.com", Type.A, subnet("10.2.3.0", 24)), Transport.UDP);
        assertThat(Messages.answers(us)).containsExactly("192.0.2.2");
        assertThat(subnet(us)).isEqualTo("10.2.3.0/24, scope 16");

        Message none = client.query(Messages.query("app.example.com", Type.A, subnet("0.0.0.0", 0)), Transport.UDP);
        assertThat(Messages.answers(none))
                .as("outside all regions: the default")
                .containsExactly("192.0.2.1");
        assertThat(subnet(none)).isEqualTo("0.0.0.0/0, scope 0");
    }

    @Test
    void uniformAnswerHasScopeZero() {
        AnswererClient client =
                serving(Routes.regions(everyRegion, Optional.empty())).from(IN_EU);
        fixture.set("us", "192.0.2.2", BackendState.DOWN);
        fixture.set("asia", "192.0.2.3", BackendState.DOWN);

        Message us = client.query(Messages.query("app.example.com", Type.A, subnet("10.2.3.0", 24)), Transport.UDP);

        assertThat(Messages.answers(us)).containsExactly("192.0.2.1");
        assertThat(subnet(us)).isEqualTo("10.2.3.0/24, scope 0");
    }

    @Test
    void hashUsesClientSubnet() {
        AnswererClient client = serving(Routes.among(Routing.HASH, Routes.pool("eu"), Routes.pool("us")))
                .from(IN_EU);

        Message four = client.query(Messages.query("app.example.com", Type.A, subnet("10.2.0.0", 20)), Transport.UDP);
        Message six = client.query(Messages.query("app.example.com", Type.A, subnet("2001:db8::", 48)), Transport.UDP);

        assertThat(subnet(four)).isEqualTo("10.2.0.0/20, scope 24");
        assertThat(subnet(six)).isEqualTo("2001:db8:0:0:0:0:0:0/48, scope 56");
    }

    @Test
    void untrustedResolverSubnetIsIgnored() {
        fixture.zone("example.com", Routes.service("app", Routes.regions(everyRegion, Optional.empty())));
        AnswerSettings settings = new AnswerSettings(
                Protection.of(
                        new CookieConfig(/* enabled= */ false, List.of()),
                        Optional.empty(),
                        InstantSource.system(),
                        System::nanoTime),
                "",
                Duration.ZERO,
                List.of(Cidr.parse("10.3.0.0/16")),
                ServerIdentity.NONE);
        AnswererClient client = new AnswererClient(start(), settings);
        Message query = Messages.query("app.example.com", Type.A, subnet("10.2.3.0", 24));

        Message untrusted = client.from(IN_EU).query(query, Transport.UDP);
        assertThat(Messages.answers(untrusted)).containsExactly("192.0.2.1");
        assertThat(subnet(untrusted)).isEqualTo("10.2.3.0/24, scope 0");
        assertThat(Messages.answers(client.from(IN_ASIA).query(query, Transport.UDP)))
                .containsExactly("192.0.2.2");
    }

    private static OPTRecord subnet(String network, int bits) {
        try {
            return new OPTRecord(1232, 0, 0, 0, List.of(new ClientSubnetOption(bits, InetAddress.getByName(network))));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(network, e);
        }
    }

    private static String subnet(Message response) {
        ClientSubnetOption option =
                (ClientSubnetOption) response.getOPT().getOptions().get(0);
        return option.getAddress().getHostAddress() + "/" + option.getSourcePrefixLength() + ", scope "
                + option.getScopePrefixLength();
    }

    @Test
    void httpsHintsFollowRegionAndHealth() {
        fixture.zone(
                "example.com",
                new ServiceConfig(
                        "app",
                        Routes.regions(everyRegion, Optional.empty()),
                        TtlConfig.fixed(ZoneFixture.TTL),
                        WhenAllDown.ALL,
                        Optional.of(new HttpsConfig(1, List.of("h2", "h3"), Optional.of(8443)))));
        AnswererClient client = new AnswererClient(start());

        assertThat(https(client.from(IN_EU)))
                .isEqualTo("1 . alpn=h2,h3 port=8443 ipv4hint=192.0.2.1 ipv6hint=2001:db8:0:0:0:0:0:1");
        assertThat(https(client.from(IN_ASIA))).contains("ipv4hint=192.0.2.3 ");
        fixture.set("eu", "192.0.2.1", BackendState.DOWN);
        assertThat(https(client.from(IN_EU))).contains("ipv4hint=192.0.2.2 ipv6hint=2001:db8:0:0:0:0:0:1");
    }

    private static String https(AnswererClient client) {
        Message response = client.query("app.example.com", Type.HTTPS);
        assertThat(response.getSection(Section.ANSWER)).hasSize(1);
        return Messages.answers(response).get(0);
    }

    private AnswererClient serving(TargetConfig target) {
        fixture.zone("example.com", Routes.service("app", target));
        return new AnswererClient(start());
    }

    private CompiledZones start() {
        return CompiledZones.start(
                fixture.dns(),
                new ZoneInputs(
                        fixture.topology(),
                        Optional.of(geography.open("eu", scheduler.controlPlane())),
                        scheduler::nanoTime));
    }

    private static List<String> queryA(AnswererClient client) {
        return Messages.answers(client.query("app.example.com", Type.A));
    }
}
