package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.testing.Asker;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.World;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class CompiledZonesTest {

    private final World world = new World().pool("web", World.backend("192.0.2.1"), World.backend("192.0.2.2"));

    @Test
    void rejectsDuplicateZone() {
        world.zone("example.com").zone("EXAMPLE.com");

        assertThatThrownBy(() -> new Asker(world))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("zone: example.com. (expected: each zone once)");
    }

    @Test
    void rejectsDuplicateService() {
        world.zone("example.com", World.service("app", "web"), World.service("APP", "web"));

        assertThatThrownBy(() -> new Asker(world))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("service: app.example.com. (expected: only one service at this name for A records)");
    }

    @Test
    void rejectsServiceHiddenByInnerZone() {
        world.zone("example.com", World.service("app.inner", "web")).zone("inner.example.com");

        assertThatThrownBy(() -> new Asker(world))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "service: app.inner.example.com. (expected: a name that is in no other zone below example.com.)");
    }

    @Test
    void rejectsUnknownPool() {
        world.zone("example.com", World.service("app", "wbe"));

        assertThatThrownBy(() -> new Asker(world))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wbe");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a..b", "\\999", "0123456789012345678901234567890123456789012345678901234567890123"})
    void rejectsInvalidName(String name) {
        world.zone("example.com", World.service(name, "web"));

        assertThatThrownBy(() -> new Asker(world))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: '" + name + "' (expected: a domain name)");
    }

    @Test
    void servesRootZone() {
        world.zone(".", World.service("app", "web"));
        Asker asker = new Asker(world);

        assertThat(Messages.answers(asker.ask("app", Type.A))).hasSize(2);
        assertThat(Messages.answers(asker.ask(".", Type.NS))).hasSize(2);
        assertThat(asker.ask("nope", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void findsAllNames() {
        int names = 5000;
        World many = new World().pool("web", World.backend("192.0.2.1"));
        many.zone(
                "example.com",
                IntStream.range(0, names)
                        .mapToObj(i -> World.service("n" + i, "web"))
                        .toArray(ServiceConfig[]::new));
        Asker asker = new Asker(many);

        for (int i = 0; i < names; i++) {
            assertThat(Messages.answers(asker.ask("n" + i + ".example.com", Type.A)))
                    .hasSize(1);
            assertThat(Messages.answers(asker.ask("m" + i + ".example.com", Type.A)))
                    .isEmpty();
        }
    }

    @Test
    void closeStopsFollowingPools() {
        world.zone("example.com", World.service("app", "web"));
        CompiledZones zones = CompiledZones.start(world.dns(), world.topology());
        Asker asker = new Asker(zones);

        zones.close();
        world.set("web", "192.0.2.1", BackendState.DOWN);

        assertThat(Messages.answers(asker.ask("app.example.com", Type.A))).hasSize(2);
    }
}
