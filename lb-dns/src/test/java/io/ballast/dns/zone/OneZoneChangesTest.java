package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.backend.BackendState;
import io.ballast.dns.answer.data.AnswerTable;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that a change of one zone among many only costs work for that zone; all other zones are reused. */
class OneZoneChangesTest {

    private static final int MANY = 40;
    private static final String HEAD =
            "@ 300 SOA ns1 host 1 7200 3600 1209600 60\n@ 300 NS ns1\nns1 300 A 192.0.2.53\n";

    private final ZoneFixture fixture =
            new ZoneFixture().pool("web", ZoneFixture.backend("198.51.100.1"), ZoneFixture.backend("198.51.100.2"));

    @TempDir
    private Path directory;

    private Path file(String zone, String records) throws IOException {
        return Files.writeString(directory.resolve(zone), HEAD + records);
    }

    private CompiledZones start() throws IOException {
        fixture.withoutZones();
        for (int i = 0; i < MANY; i++) {
            fixture.zone(
                    "z" + i + ".example", file("z" + i, "www 60 A 192.0.2.1\n"), ZoneFixture.service("app", "web"));
        }
        return CompiledZones.start(fixture.dns(), fixture.topology());
    }

    private CompiledZones next(CompiledZones before, DnsConfig config) throws IOException {
        CompiledZones next = before.next(config, ZoneInputs.of(fixture.topology()));
        next.begin();
        return next;
    }

    @Test
    void changedFileCompilesOneZone() throws IOException {
        CompiledZones first = start();
        assertThat(first.compiledZoneCount()).isEqualTo(MANY);
        AnswerTable before = first.published().current();

        file("z7", "www 60 A 192.0.2.77\n");
        CompiledZones second = next(first, fixture.dns());

        assertThat(second.compiledZoneCount()).isOne();
        AnswerTable after = second.published().current();
        assertThat(IntStream.range(0, MANY).filter(zone -> after.zone(zone) != before.zone(zone)))
                .containsExactly(7);
        AnswererClient client = new AnswererClient(second);
        assertThat(Messages.answers(client.query("www.z7.example", Type.A))).containsExactly("192.0.2.77");
        assertThat(Messages.answers(client.query("www.z8.example", Type.A))).containsExactly("192.0.2.1");
        assertThat(Messages.answers(client.query("app.z7.example", Type.A))).hasSize(2);
        assertThat(Messages.answers(client.query("app.z8.example", Type.A))).hasSize(2);
    }

    @Test
    void unchangedServicesFollowPools() throws IOException {
        CompiledZones first = start();
        file("z7", "www 60 A 192.0.2.77\n");
        CompiledZones second = first.next(fixture.dns(), ZoneInputs.of(fixture.topology()));

        fixture.set("web", "198.51.100.1", BackendState.DOWN);
        second.begin();

        AnswererClient client = new AnswererClient(second);
        assertThat(Messages.answers(client.query("app.z7.example", Type.A))).containsExactly("198.51.100.2");
        assertThat(Messages.answers(client.query("app.z8.example", Type.A))).containsExactly("198.51.100.2");
        fixture.set("web", "198.51.100.1", BackendState.UP);
        assertThat(Messages.answers(client.query("app.z8.example", Type.A))).hasSize(2);
    }

    @Test
    void addedOrRemovedZoneCompilesNoOther() throws IOException {
        CompiledZones first = start();
        DnsConfig without = fixture.dns();
        fixture.zone("new.test", file("new", "www 60 A 192.0.2.9\n"));

        CompiledZones second = next(first, fixture.dns());
        assertThat(second.compiledZoneCount()).isOne();
        assertThat(Messages.answers(new AnswererClient(second).query("www.new.test", Type.A)))
                .containsExactly("192.0.2.9");

        CompiledZones third = next(second, without);
        assertThat(third.compiledZoneCount()).isZero();
        assertThat(new AnswererClient(third).query("www.new.test", Type.A).getRcode())
                .isEqualTo(Rcode.REFUSED);
        assertThat(Messages.answers(new AnswererClient(third).query("www.z39.example", Type.A)))
                .containsExactly("192.0.2.1");
    }

    @Test
    void innerZoneCompilesOuterZone() throws IOException {
        CompiledZones first = start();
        DnsConfig without = fixture.dns();
        assertThat(new AnswererClient(first).query("b.z3.example", Type.A).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
        fixture.zone("a.b.z3.example", file("inner", "www 60 A 192.0.2.9\n"));

        CompiledZones second = next(first, fixture.dns());
        assertThat(second.compiledZoneCount()).isEqualTo(2);
        AnswererClient client = new AnswererClient(second);
        assertThat(Messages.answers(client.query("www.a.b.z3.example", Type.A))).containsExactly("192.0.2.9");
        assertThat(client.query("b.z3.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);

        CompiledZones third = next(second, without);
        assertThat(third.compiledZoneCount()).isOne();
        assertThat(new AnswererClient(third).query("b.z3.example", Type.A).getRcode())
                .isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void outerZoneHasDsOfInnerZone() throws IOException {
        String digest = "1234 13 2 0000000000000000000000000000000000000000000000000000000000000001";
        fixture.zone(
                "outer.example", file("outer", "in 300 NS ns.in\nin 300 DS " + digest + "\nns.in 300 A 192.0.2.3\n"));
        fixture.zone("in.outer.example", file("inner", "www 60 A 192.0.2.9\n"));
        fixture.zone("in.in.outer.example", file("innermost", "www 60 A 192.0.2.10\n"));
        AnswererClient client = new AnswererClient(CompiledZones.start(fixture.dns(), fixture.topology()));

        Message security = client.query("in.outer.example", Type.DS);
        assertThat(security.getSection(Section.ANSWER)).hasSize(1);
        assertThat(Messages.answers(client.query("in.outer.example", Type.NS)))
                .containsExactly("ns1.in.outer.example.");
        // The enclosing zone does not delegate the innermost zone, which itself denies the DS record.
        Message none = client.query("in.in.outer.example", Type.DS);
        assertThat(none.getSection(Section.ANSWER)).isEmpty();
        assertThat(none.getSection(Section.AUTHORITY).get(0).getName()).hasToString("in.in.outer.example.");
        assertThat(Messages.answers(client.query("www.in.in.outer.example", Type.A)))
                .containsExactly("192.0.2.10");
    }

    @Test
    void storedDataOfOtherZonesIsNotRead() throws IOException {
        CompiledZones first = start();
        file("z7", "www 60 A 192.0.2.77\n");
        file("z8", "www 60 A 192.0.2.88\n");
        List<String> before = Messages.answers(new AnswererClient(first).query("www.z8.example", Type.A));

        CompiledZones second =
                first.nextWithChangedFiles(fixture.dns(), new ManagedZoneChanges(Set.of("z7.example"), Map.of()));

        assertThat(second.compiledZoneCount()).isOne();
        assertThat(Messages.answers(new AnswererClient(second).query("www.z7.example", Type.A)))
                .containsExactly("192.0.2.77");
        assertThat(Messages.answers(new AnswererClient(second).query("www.z8.example", Type.A)))
                .isEqualTo(before);
    }
}
