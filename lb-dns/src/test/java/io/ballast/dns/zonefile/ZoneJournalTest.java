package io.ballast.dns.zonefile;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;

/** Tests the journal of changes next to a zone file, also after a process has ended during a change. */
class ZoneJournalTest {

    private static final Name ONE = Messages.name("one.example.com");
    private static final Name TWO = Messages.name("two.example.com");

    @TempDir
    private Path directory;

    private ZoneJournal journal;

    @BeforeEach
    void begin() {
        journal = ZoneJournal.ofZoneFile(directory.resolve("example.com.zone"));
    }

    private static Map<Name, List<Record>> change(Name name, String... texts) {
        return Map.of(
                name,
                Arrays.stream(texts)
                        .<Record>map(text -> new TXTRecord(name, DClass.IN, 300, text))
                        .toList());
    }

    @Test
    void lastChangeOfNameWins() throws IOException {
        long end = journal.append(7, 0, change(ONE, "a", "b"));
        end = journal.append(7, end, change(TWO, "c"));
        end = journal.append(7, end, change(ONE));

        assertThat(journal.file())
                .isEqualTo(directory.resolve("example.com.journal"))
                .hasSize(end);
        assertThat(journal.read(7).end()).isEqualTo(end);
        assertThat(journal.read(7).names()).containsEntry(ONE, List.of()).containsAllEntriesOf(change(TWO, "c"));
    }

    @Test
    void journalOfOtherVersionIsIgnored() throws IOException {
        long end = journal.append(7, 0, change(ONE, "a"));

        assertThat(end).isPositive();
        assertThat(journal.read(8).names()).isEmpty();
        assertThat(journal.read(8).end()).isZero();
        journal.append(8, 0, change(TWO, "b"));
        assertThat(journal.read(8).names()).containsOnlyKeys(TWO);
    }

    @Test
    void truncatedChangeIsOverwritten() throws IOException {
        long first = journal.append(7, 0, change(ONE, "a"));
        long second = journal.append(7, first, change(TWO, "b"));
        byte[] whole = Files.readAllBytes(journal.file());
        for (int length = (int) first; length < second; length++) {
            Files.write(journal.file(), Arrays.copyOf(whole, length));

            assertThat(journal.read(7).end()).isEqualTo(first);
            assertThat(journal.read(7).names()).containsOnlyKeys(ONE);
        }
        journal.append(7, first, change(TWO, "c"));
        assertThat(journal.read(7).names()).containsAllEntriesOf(change(TWO, "c"));
    }

    @Test
    void changeCanBeUndone() throws IOException {
        long first = journal.append(7, 0, change(ONE, "a"));
        journal.append(7, first, change(TWO, "b"));

        journal.truncate(first);
        assertThat(journal.read(7).names()).containsOnlyKeys(ONE);
        journal.truncate(0);
        assertThat(journal.file()).doesNotExist();
    }

    @Test
    void foreignFileIsIgnored() throws IOException {
        Files.writeString(journal.file(), "something of somebody");
        Path zone = Files.writeString(directory.resolve("example.com.zone"), "@ SOA ...");

        assertThat(journal.changes(zone, Messages.name("example.com")).names()).isEmpty();
    }
}
