package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.config.zone.MemberGroup;
import io.ballast.dns.testing.TransferFixture;
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
        primary.serves("a.example", 1, record("www.a.example", "A", "192.0.2.1"));
        primary.serves("b.example", 1);
        primary.serves("c.example", 1);
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
        primary.serves(CATALOG, serial, records.toArray(new Record[0]));
    }

    private SecondaryFixture fixture() {
        return new SecondaryFixture(directory).catalog(CATALOG, primary.address(), 3);
    }

    @Test
    void membersUseSamePrimary() throws IOException {
        names(1, "2", "l1:a.example", "l2:B.example");

        SecondaryFixture fixture = fixture().begin();

        assertThat(fixture.servedNames()).containsExactly("a.example", "b.example");
        assertThat(fixture.lines("a.example")).contains("www.a.example.\t300\tIN\tA\t192.0.2.1");
        assertThat(fixture.state("a.example").catalog()).contains(CATALOG);
        assertThat(fixture.state(CATALOG).members()).isEqualTo(2);
    }

    @Test
    void groupConfiguresMember() throws IOException {
        MemberGroup group = new MemberGroup(Optional.of(DnssecConfig.DEFAULT), Optional.of(TransferFixture.byKey()));
        names(1, "2", "l1:a.example", "l2:b.example");

        SecondaryFixture fixture = new SecondaryFixture(directory)
                .catalog(CATALOG, primary.address(), 3, Map.of("of-l2", group))
                .begin();

        assertThat(fixture.state("b.example").groups()).containsExactly("of-l2");
        assertThat(fixture.served("b.example").dnssec()).contains(DnssecConfig.DEFAULT);
        assertThat(fixture.served("b.example").transfer()).contains(TransferFixture.byKey());
        assertThat(fixture.state("a.example").groups()).containsExactly("of-l1");
        assertThat(fixture.served("a.example").dnssec()).isEmpty();
        assertThat(fixture.served("a.example").transfer()).isEmpty();
    }

    @Test
    void groupChangeNeedsNoTransfer() throws IOException {
        MemberGroup group = new MemberGroup(Optional.of(DnssecConfig.DEFAULT), Optional.empty());
        names(1, "2", "l1:a.example");
        SecondaryFixture fixture = new SecondaryFixture(directory)
                .catalog(CATALOG, primary.address(), 3, Map.of("signed", group))
                .begin();
        primary.queries();
        primary.serves(
                CATALOG,
                2,
                record("version." + CATALOG, "TXT", "2"),
                record("l1.zones." + CATALOG, "PTR", "a.example."),
                record("group.l1.zones." + CATALOG, "TXT", "signed"),
                record("group.l1.zones." + CATALOG, "TXT", "fast"));

        fixture.time.advance(Duration.ofHours(1).plusSeconds(10));

        assertThat(fixture.served("a.example").dnssec()).contains(DnssecConfig.DEFAULT);
        assertThat(fixture.state("a.example").groups()).containsExactly("fast", "signed");
        assertThat(primary.queries()).filteredOn("AXFR"::equals).hasSize(1); // only the catalog was transferred
    }

    @Test
    void removedMemberDeletesItsFile() throws IOException {
        names(1, "2", "l1:a.example", "l2:b.example");
        SecondaryFixture fixture = fixture().begin();
        names(2, "2", "l2:b.example", "l3:c.example");

        fixture.time.advance(Duration.ofHours(1).plusSeconds(10));

        assertThat(fixture.servedNames()).containsExactly("b.example", "c.example");
        assertThat(directory.resolve("a.example.zone")).doesNotExist();
        assertThat(directory.resolve("b.example.zone")).exists();
    }

    @Test
    void membersSurviveRestart() throws IOException {
        names(1, "2", "l1:a.example");
        SecondaryFixture fixture = fixture().begin();
        primary.isSilent(true);

        fixture.restart();

        assertThat(fixture.lines("a.example")).isNotEmpty();
    }

    @Test
    void changedLabelResetsZone() throws IOException {
        names(1, "2", "l1:a.example");
        SecondaryFixture fixture = fixture().begin();
        primary.queries();
        names(2, "2", "l9:a.example");

        fixture.time.advance(Duration.ofHours(1).plusSeconds(10));

        // The catalog and the zone were transferred.
        assertThat(primary.queries()).filteredOn("AXFR"::equals).hasSize(2);
        assertThat(fixture.lines("a.example")).isNotEmpty();
    }

    @Test
    void memberWithUsedNameIsOmitted() {
        names(1, "2", "l1:a.example", "l2:own.example");

        SecondaryFixture fixture = fixture().ownZone("own.example").begin();

        assertThat(fixture.servedNames()).containsExactlyInAnyOrder("own.example", "a.example");
        assertThat(fixture.state(CATALOG).problem()).contains("own.example");
        assertThat(fixture.events()).anyMatch(text -> text.contains("does not serve") && text.contains("own.example"));
    }

    @Test
    void invalidOrTooLargeCatalogIsIgnored() {
        names(1, "2", "l1:a.example");
        SecondaryFixture fixture = fixture().begin();

        names(2, "3", "l2:b.example");
        fixture.time.advance(Duration.ofHours(1).plusSeconds(10));
        assertThat(fixture.state(CATALOG).problem()).contains("version");
        names(3, "2", "l1:a.example", "l2:b.example", "l3:c.example", "l4:d.example");
        fixture.time.advance(Duration.ofMinutes(11));
        assertThat(fixture.state(CATALOG).problem()).contains("max_members");
        names(4, "2", "l1:a.example", "l2:a.example");
        fixture.time.advance(Duration.ofMinutes(11));
        assertThat(fixture.state(CATALOG).problem()).contains("twice");

        assertThat(fixture.servedNames()).containsExactly("a.example");
        assertThat(fixture.state(CATALOG).serial()).hasValue(1);
    }
}
