package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.testing.TransferWorld;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Record;

/** Tests catalog zones and their member zones. */
class CatalogTest {

    private static final String CATALOG = "catalog.invalid";

    @TempDir
    private Path directory;

    private ScriptedPrimary primary;

    @BeforeEach
    void start() throws IOException {
        primary = new ScriptedPrimary();
        primary.tells("a.example", 1, record("www.a.example", "A", "192.0.2.1"));
        primary.tells("b.example", 1);
        primary.tells("c.example", 1);
    }

    @AfterEach
    void end() throws IOException {
        primary.close();
    }

    /** Sets the members of the catalog, each after its label, as in {@code l1:a.example}. */
    private void names(long serial, String version, String... members) {
        List<Record> records = new ArrayList<>();
        records.add(record("version." + CATALOG, "TXT", version));
        for (String member : members) {
            String[] parts = member.split(":", 2);
            records.add(record(parts[0] + ".zones." + CATALOG, "PTR", parts[1] + "."));
            records.add(record("group." + parts[0] + ".zones." + CATALOG, "TXT", "of-" + parts[0]));
        }
        primary.tells(CATALOG, serial, records.toArray(new Record[0]));
    }

    private SecondaryWorld world() {
        return new SecondaryWorld(directory).catalog(CATALOG, primary.address(), 3);
    }

    @Test
    void membersUseSamePrimary() throws IOException {
        names(1, "2", "l1:a.example", "l2:B.example");

        SecondaryWorld world = world().begin();

        assertThat(world.servedNames()).containsExactly("a.example", "b.example");
        assertThat(world.lines("a.example")).contains("www.a.example.\t300\tIN\tA\t192.0.2.1");
        assertThat(world.state("a.example").catalog()).contains(CATALOG);
        assertThat(world.state(CATALOG).members()).isEqualTo(2);
    }

    @Test
    void groupConfiguresMember() throws IOException {
        MemberGroup group = new MemberGroup(Optional.of(DnssecConfig.DEFAULT), Optional.of(TransferWorld.byKey()));
        names(1, "2", "l1:a.example", "l2:b.example");

        SecondaryWorld world = new SecondaryWorld(directory)
                .catalog(CATALOG, primary.address(), 3, Map.of("of-l2", group))
                .begin();

        assertThat(world.state("b.example").groups()).containsExactly("of-l2");
        assertThat(world.served("b.example").dnssec()).contains(DnssecConfig.DEFAULT);
        assertThat(world.served("b.example").transfer()).contains(TransferWorld.byKey());
        assertThat(world.state("a.example").groups()).containsExactly("of-l1");
        assertThat(world.served("a.example").dnssec()).isEmpty();
        assertThat(world.served("a.example").transfer()).isEmpty();
    }

    @Test
    void groupChangeNeedsNoTransfer() throws IOException {
        MemberGroup group = new MemberGroup(Optional.of(DnssecConfig.DEFAULT), Optional.empty());
        names(1, "2", "l1:a.example");
        SecondaryWorld world = new SecondaryWorld(directory)
                .catalog(CATALOG, primary.address(), 3, Map.of("signed", group))
                .begin();
        primary.asked();
        primary.tells(
                CATALOG,
                2,
                record("version." + CATALOG, "TXT", "2"),
                record("l1.zones." + CATALOG, "PTR", "a.example."),
                record("group.l1.zones." + CATALOG, "TXT", "signed"),
                record("group.l1.zones." + CATALOG, "TXT", "fast"));

        world.time.advance(Duration.ofHours(1).plusSeconds(10));

        assertThat(world.served("a.example").dnssec()).contains(DnssecConfig.DEFAULT);
        assertThat(world.state("a.example").groups()).containsExactly("fast", "signed");
        assertThat(primary.asked()).filteredOn("AXFR"::equals).hasSize(1); // the catalog only
    }

    @Test
    void removedMemberDeletesItsFile() throws IOException {
        names(1, "2", "l1:a.example", "l2:b.example");
        SecondaryWorld world = world().begin();
        names(2, "2", "l2:b.example", "l3:c.example");

        world.time.advance(Duration.ofHours(1).plusSeconds(10));

        assertThat(world.servedNames()).containsExactly("b.example", "c.example");
        assertThat(directory.resolve("a.example.zone")).doesNotExist();
        assertThat(directory.resolve("b.example.zone")).exists();
    }

    @Test
    void membersSurviveRestart() throws IOException {
        names(1, "2", "l1:a.example");
        SecondaryWorld world = world().begin();
        primary.isSilent(true);

        world.restart();

        assertThat(world.lines("a.example")).isNotEmpty();
    }

    @Test
    void changedLabelResetsZone() throws IOException {
        names(1, "2", "l1:a.example");
        SecondaryWorld world = world().begin();
        primary.asked();
        names(2, "2", "l9:a.example");

        world.time.advance(Duration.ofHours(1).plusSeconds(10));

        assertThat(primary.asked()).filteredOn("AXFR"::equals).hasSize(2); // the catalog, and the zone once more
        assertThat(world.lines("a.example")).isNotEmpty();
    }

    @Test
    void memberWithUsedNameIsOmitted() {
        names(1, "2", "l1:a.example", "l2:own.example");

        SecondaryWorld world = world().ownZone("own.example").begin();

        assertThat(world.servedNames()).containsExactlyInAnyOrder("own.example", "a.example");
        assertThat(world.state(CATALOG).problem()).contains("own.example");
        assertThat(world.told()).anyMatch(text -> text.contains("does not serve") && text.contains("own.example"));
    }

    @Test
    void invalidOrTooLargeCatalogIsIgnored() {
        names(1, "2", "l1:a.example");
        SecondaryWorld world = world().begin();

        names(2, "3", "l2:b.example");
        world.time.advance(Duration.ofHours(1).plusSeconds(10));
        assertThat(world.state(CATALOG).problem()).contains("version");
        names(3, "2", "l1:a.example", "l2:b.example", "l3:c.example", "l4:d.example");
        world.time.advance(Duration.ofMinutes(11));
        assertThat(world.state(CATALOG).problem()).contains("max_members");
        names(4, "2", "l1:a.example", "l2:a.example");
        world.time.advance(Duration.ofMinutes(11));
        assertThat(world.state(CATALOG).problem()).contains("twice");

        assertThat(world.servedNames()).containsExactly("a.example");
        assertThat(world.state(CATALOG).serial()).hasValue(1);
    }
}
