package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.TXTRecord;

class DynamicZoneFilesTest {

    private static final String SOA = "example.com.\t300\tIN\tSOA\tns1.example.com. admin.example.com. %d 1 1 1 1\n";

    @TempDir
    private Path directory;

    private DynamicZoneFiles zone;

    @BeforeEach
    void open() {
        zone = new DynamicZoneFiles(directory, "example.com");
    }

    /** Writes the files that exist during a change. The process may have stopped, or may still make the change. */
    private void leaveAmidAChange() throws IOException {
        Files.writeString(directory.resolve("example.com.before"), SOA.formatted(7));
        Files.writeString(directory.resolve("example.com.prepared"), SOA.formatted(8));
    }

    private String current() throws IOException {
        return Files.readString(zone.current().orElseThrow());
    }

    private void write(int serial) throws IOException {
        Path version = Files.writeString(directory.resolve("version"), SOA.formatted(serial));
        zone.write(sink -> {
            for (Record each : zone.read(version)) {
                sink.accept(each);
            }
        });
    }

    @Test
    void readDuringChangeGetsPreviousVersion() throws IOException {
        leaveAmidAChange();

        assertThat(current()).contains(" 7 ");

        assertThat(directory.resolve("example.com.zone")).doesNotExist();
        assertThat(directory.resolve("example.com.before")).exists();
    }

    @Test
    void crashLeavesUndoableVersion() throws IOException {
        leaveAmidAChange();

        write(9);
        assertThat(current()).contains(" 9 ");
        zone.undo();

        assertThat(current()).contains(" 7 ");
    }

    private static final Name APEX = Messages.name("example.com");
    /** The longest string of a TXT record. Long records fill the journal after few changes. */
    private static final String TEXT = "x".repeat(255);

    private static SOARecord soa(long serial) {
        Name host = Messages.name("ns1.example.com");
        return new SOARecord(APEX, DClass.IN, 300, host, host, serial, 1, 1, 1, 1);
    }

    /** Returns a draft of the zone with another TXT record and another serial. */
    private static ZoneDraft next(ZoneContents contents, long serial) {
        ZoneDraft draft = new ZoneDraft(contents);
        Name owner = Messages.name("t.example.com");
        draft.put(RecordSet.of(new TXTRecord(
                owner,
                DClass.IN,
                300,
                List.of(String.valueOf(serial), TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT))));
        draft.put(RecordSet.of(soa(serial)));
        return draft;
    }

    private long serial() throws IOException {
        return zone.readCurrent(zone.current().orElseThrow()).stream()
                .filter(SOARecord.class::isInstance)
                .mapToLong(record -> ((SOARecord) record).getSerial())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void journalIsCompactedWhenLongerThanZone() throws IOException {
        Path journal = directory.resolve("example.com.journal");
        Path whole = directory.resolve("example.com.zone");
        ZoneContents contents = ZoneContents.of(APEX, List.of(soa(7)));
        zone.write(new ZoneDraft(contents)::forEach);
        zone.deleteObsoleteFiles();
        int wholes = 0;
        for (long serial = 8; serial < 68; serial++) {
            ZoneDraft draft = next(contents, serial);
            String before = Files.readString(whole);

            zone.write(draft);
            zone.deleteObsoleteFiles();

            wholes += Files.readString(whole).equals(before) ? 0 : 1;
            contents = contents.with(draft.changedSets());
            assertThat(serial()).isEqualTo(serial);
            assertThat(zone.readCurrent(whole)).hasSize(2);
            assertThat(Files.exists(journal) ? Files.size(journal) : 0)
                    .isLessThan(DynamicZoneFiles.MIN_JOURNAL_BYTES + 5000);
        }
        assertThat(wholes).isBetween(1, 4);
        assertThat(new DynamicZoneFiles(directory, "example.com").readCurrent(whole))
                .hasSize(2);
    }

    @Test
    void appendedChangeCanBeUndone() throws IOException {
        ZoneContents contents = ZoneContents.of(APEX, List.of(soa(7)));
        zone.write(new ZoneDraft(contents)::forEach);
        zone.deleteObsoleteFiles();

        zone.write(next(contents, 8));
        assertThat(serial()).isEqualTo(8);
        zone.undo();

        assertThat(serial()).isEqualTo(7);
        zone.write(next(contents, 9));
        zone.deleteObsoleteFiles();
        assertThat(serial()).isEqualTo(9);
    }

    @Test
    void journalOfOtherVersionIsIgnored() throws IOException {
        ZoneContents contents = ZoneContents.of(APEX, List.of(soa(7)));
        zone.write(new ZoneDraft(contents)::forEach);
        zone.deleteObsoleteFiles();
        zone.write(next(contents, 8));
        zone.deleteObsoleteFiles();

        write(20); // the process stops before it deletes the journal

        assertThat(directory.resolve("example.com.journal")).exists();
        assertThat(serial()).isEqualTo(20);
        zone.undo();
        assertThat(serial()).isEqualTo(8);
    }
}
