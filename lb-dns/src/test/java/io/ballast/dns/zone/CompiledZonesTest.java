package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class CompiledZonesTest {

    private final ZoneFixture fixture =
            new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"));

    @Test
    void rejectsDuplicateZone() {
        fixture.zone("example.com").zone("EXAMPLE.com");

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("zone: example.com. (expected: each zone once)");
    }

    @Test
    void rejectsDuplicateService() {
        fixture.zone("example.com", ZoneFixture.service("app", "web"), ZoneFixture.service("APP", "web"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("service: app.example.com. (expected: only one service at this name for A records)");
    }

    @Test
    void rejectsServiceHiddenByInnerZone() {
        fixture.zone("example.com", ZoneFixture.service("app.inner", "web")).zone("inner.example.com");

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "service: app.inner.example.com. (expected: a name that is in no other zone below example.com.)");
    }

    @Test
    void rejectsUnknownPool() {
        fixture.zone("example.com", ZoneFixture.service("app", "wbe"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wbe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "\\999", "0123456789012345678901234567890123456789012345678901234567890123"})
    void rejectsInvalidName(String name) {
        fixture.zone("example.com", ZoneFixture.service(name, "web"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: '" + name + "' (expected: a domain name)");
    }

    @Test
    void servesRootZone() {
        fixture.zone(".", ZoneFixture.service("app", "web"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(Messages.answers(client.query("app", Type.A))).hasSize(2);
        assertThat(Messages.answers(client.query(".", Type.NS))).hasSize(2);
        assertThat(client.query("nope", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void findsAllNames() {
        int names = 5000;
        ZoneFixture many = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"));
        many.zone(
                "example.com",
                IntStream.range(0, names)
                        .mapToObj(i -> ZoneFixture.service("n" + i, "web"))
                        .toArray(ServiceConfig[]::new));
        AnswererClient client = new AnswererClient(many);

        for (int i = 0; i < names; i++) {
            assertThat(Messages.answers(client.query("n" + i + ".example.com", Type.A)))
                    .hasSize(1);
            assertThat(Messages.answers(client.query("m" + i + ".example.com", Type.A)))
                    .isEmpty();
        }
    }

    @Test
    void closeStopsFollowingPools() {
        fixture.zone("example.com", ZoneFixture.service("app", "web"));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AnswererClient client = new AnswererClient(zones);

        zones.close();
        fixture.set("web", "192.0.2.1", BackendState.DOWN);

        assertThat(Messages.answers(client.query("app.example.com", Type.A))).hasSize(2);
    }
}
