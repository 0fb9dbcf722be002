package io.ballast.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.HostPort;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.InvalidZoneException;
import io.ballast.dns.zone.ZoneInputs;
import io.ballast.dns.zone.signing.SigningSetup;
import io.ballast.net.config.TransportKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests changes of zones and services during queries. */
class ZoneReloadTest {

    private static final HostPort ANY_PORT = new HostPort("127.0.0.1", 0);
    private static final String SOA =
            "@ 3600 SOA ns1 hostmaster 1 7200 3600 1209600 60\n@ 3600 NS ns1\nns1 3600 A 192.0.2.53\n";

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("one", ZoneFixture.backend("192.0.2.1"), ZoneFixture.backend("192.0.2.2"))
            .pool("two", ZoneFixture.backend("198.51.100.1"))
            .pool("heavy", weighted("203.0.113.1", 3), weighted("203.0.113.2", 2), weighted("203.0.113.3", 1));

    @TempDir
    private Path directory;

    private static BackendConfig weighted(String host, int weight) {
        return ZoneFixture.backend(host, 80, weight, 0);
    }

    @Test
    void recordChangesWithFile() throws IOException {
        Path file = file("www 60 A 192.0.2.10\n");
        fixture.zone("example.org", file);
        try (DnsFrontend frontend = start()) {
            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.10");

            file("www 60 A 192.0.2.10\nwww 60 A 192.0.2.11\n");
            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.10");
            Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);

            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.10", "192.0.2.11");
        }
    }

    @Test
    void recordChangesWithIncludedFile() throws IOException {
        Path included = directory.resolve("more.zone");
        Files.writeString(included, "www 60 A 192.0.2.10\n");
        fixture.zone("example.org", file("$INCLUDE more.zone\n"));
        try (DnsFrontend frontend = start()) {
            Files.writeString(included, "www 60 A 192.0.2.101\n");

            Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);

            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.101");
        }
    }

    @Test
    void zonesAreAddedAndRemoved() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("app", "one"));
        try (DnsFrontend frontend = start()) {
            fixture.withoutZones();
            fixture.zone("example.net", ZoneFixture.service("app", "two"));
            Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);

            Reload.assertAnswers(frontend, "app.example.net", Type.A, "198.51.100.1");
            Message removed = Reload.query(frontend.addresses().get(0), "app.example.com", Type.A);
            assertThat(removed.getRcode()).isEqualTo(Rcode.REFUSED);
            assertThat(frontend.zones().serviceNames()).containsExactly("app.example.net");
        }
    }

    @Test
    void serviceFollowsNewPool() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("app", "one"));
        try (DnsFrontend frontend = start()) {
            CompiledZones before = frontend.zones();
            fixture.withoutZones();
            fixture.zone("example.com", ZoneFixture.service("app", "two"));
            Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "198.51.100.1");

            AnswerTable tableOfOld = before.published().current();
            AnswerTable tableOfNew = frontend.zones().published().current();
            fixture.set("one", "192.0.2.1", BackendState.DOWN);
            assertThat(frontend.zones().published().current()).isSameAs(tableOfNew);
            fixture.set("two", "198.51.100.1", BackendState.DOWN);

            assertThat(frontend.zones().published().current()).isNotSameAs(tableOfNew);
            assertThat(before.published().current()).isSameAs(tableOfOld);
        }
    }

    @Test
    void poolChangesAroundCommitAreFollowed() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("app", "one"));
        try (DnsFrontend frontend = start()) {
            fixture.zone("example.net", ZoneFixture.service("app", "one"));
            DnsChange change = frontend.prepare(fixture.dns(ANY_PORT), ZoneInputs.of(fixture.topology()));
            fixture.set("one", "192.0.2.1", BackendState.DOWN);
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "192.0.2.2");
            change.commit();

            Reload.assertAnswers(frontend, "app.example.net", Type.A, "192.0.2.2");
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "192.0.2.2");
            fixture.set("one", "192.0.2.1", BackendState.UP);
            Reload.assertAnswers(frontend, "app.example.net", Type.A, "192.0.2.1", "192.0.2.2");
            change.releasePrevious();
        }
    }

    @Test
    void unchangedServiceContinuesItsSequence() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("app", "heavy", Routing.WEIGHTED, 1));
        List<String> undisturbed = new ArrayList<>();
        try (DnsFrontend frontend = start()) {
            for (int i = 0; i < 18; i++) {
                undisturbed.add(one(frontend));
            }
        }
        List<String> changed = new ArrayList<>();
        try (DnsFrontend frontend = start()) {
            for (int i = 0; i < 18; i++) {
                if (i % 4 == 3) {
                    fixture.withoutZones();
                    // Add a service before the queried one, so that its place in the table changes.
                    fixture.zone("a" + i + ".net", ZoneFixture.service("app", "heavy", Routing.WEIGHTED, 1));
                    fixture.zone("example.com", ZoneFixture.service("app", "heavy", Routing.WEIGHTED, 1));
                    Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);
                }
                changed.add(one(frontend));
            }
        }
        assertThat(changed).isEqualTo(undisturbed);
    }

    private static String one(DnsFrontend frontend) throws IOException {
        Message response = Reload.query(frontend.addresses().get(0), "app.example.com", Type.A);
        return Messages.answers(response).get(0);
    }

    @Test
    void unchangedZonesAreNotRecompiled() throws IOException {
        fixture.zone("example.org", file("www 60 A 192.0.2.10\n"));
        fixture.zone("example.com", ZoneFixture.service("app", "one"));
        AtomicInteger compiled = new AtomicInteger();
        ZoneInputs inputs = ZoneInputs.of(fixture.topology()).withCompiler(task -> {
            compiled.incrementAndGet();
            task.run();
        });
        ControlPlane control = new ControlPlane(new ManualScheduler(), Clock.systemUTC());
        SigningSetup signing = new SigningSetup(directory, control, Runnable::run);
        try (DnsFrontend frontend = DnsFrontend.start(fixture.dns(ANY_PORT), inputs, 1, TransportKind.AUTO, signing)) {
            CompiledZones zones = frontend.zones();
            AnswerTable table = zones.published().current();
            compiled.set(0);

            Reload.apply(frontend, fixture.dns(ANY_PORT, Reload.free()), fixture);

            assertThat(compiled).hasValue(0);
            assertThat(frontend.zones()).isSameAs(zones);
            assertThat(zones.published().current()).isSameAs(table);
            assertThat(frontend.addresses()).hasSize(2);
            fixture.set("one", "192.0.2.1", BackendState.DOWN);
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "192.0.2.2");
        }
    }

    @Test
    void invalidFileKeepsEverything() throws IOException {
        Path file = file("www 60 A 192.0.2.10\n");
        fixture.zone("example.org", file).zone("example.com", ZoneFixture.service("app", "one"));
        try (DnsFrontend frontend = start()) {
            file("www 60 A 192.0.2.10\nbroken 60 A 192.0.2.1000\n");

            assertThatThrownBy(() -> Reload.apply(frontend, fixture.dns(ANY_PORT, Reload.free()), fixture))
                    .isInstanceOf(InvalidZoneException.class)
                    .hasMessageContaining(file + ":5:");

            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.10");
            fixture.set("one", "192.0.2.1", BackendState.DOWN);
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "192.0.2.2");
            assertThat(frontend.addresses()).hasSize(1);

            file("www 60 A 192.0.2.12\n");
            Reload.apply(frontend, fixture.dns(ANY_PORT), fixture);
            Reload.assertAnswers(frontend, "www.example.org", Type.A, "192.0.2.12");
        }
    }

    @Test
    void abandonedChangeKeepsEverything() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("app", "one"));
        try (DnsFrontend frontend = start()) {
            CompiledZones before = frontend.zones();
            HostPort other = Reload.free();
            fixture.zone("example.net", ZoneFixture.service("app", "one"));
            DnsChange change = frontend.prepare(fixture.dns(ANY_PORT, other), ZoneInputs.of(fixture.topology()));
            assertThatThrownBy(() -> frontend.prepare(fixture.dns(ANY_PORT), ZoneInputs.of(fixture.topology())))
                    .isInstanceOf(IllegalStateException.class);

            change.close();

            assertThat(frontend.zones()).isSameAs(before);
            fixture.set("one", "192.0.2.1", BackendState.DOWN);
            Reload.assertAnswers(frontend, "app.example.com", Type.A, "192.0.2.2");
            Reload.apply(frontend, fixture.dns(ANY_PORT, other), fixture);
            Reload.assertAnswers(frontend, "app.example.net", Type.A, "192.0.2.2");
        }
    }

    private Path file(String records) throws IOException {
        return Files.writeString(directory.resolve("example.org.zone"), SOA + records);
    }

    private DnsFrontend start() throws IOException {
        return DnsFrontend.start(fixture.dns(ANY_PORT), fixture.topology(), 1, TransportKind.AUTO);
    }
}
