package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

class ZoneMergerTest {

    private static List<Record> zone(long serial, String contact, String... addresses) {
        Stream<Record> start = Stream.of(record(
                "example.com", Type.SOA, "ns1.example.com. " + contact + ".example.com. " + serial + " 1 1 1 1"));
        return Stream.concat(
                        start, Stream.of(addresses).map(each -> record(each + ".example.com", Type.A, "192.0.2.1")))
                .toList();
    }

    private static Record record(String name, int type, String data) {
        try {
            return Record.fromString(Messages.name(name), type, DClass.IN, 300, data, Name.root);
        } catch (IOException e) {
            throw new IllegalArgumentException(data, e);
        }
    }

    @Test
    void unchangedFileChangesNothing() {
        List<Record> kept = zone(9, "host", "a", "d");

        assertThat(ZoneMerger.merge(zone(1, "host", "a", "b"), zone(1, "host", "b", "a"), kept))
                .isSameAs(kept);
    }

    @Test
    void mergesFileChangesAndUpdates() {
        List<Record> merged =
                ZoneMerger.merge(zone(1, "host", "a", "b"), zone(2, "host", "a", "c"), zone(9, "host", "b", "d"));

        assertThat(merged).containsExactlyElementsOf(zone(10, "host", "d", "c"));
    }

    @Test
    void serialIsLaterThanBoth() {
        assertThat(ZoneMerger.merge(zone(1, "host"), zone(50, "host"), zone(9, "host")))
                .isEqualTo(zone(50, "host"));
        assertThat(ZoneMerger.merge(zone(1, "host"), zone(9, "host"), zone(9, "host")))
                .isEqualTo(zone(10, "host"));
    }

    @Test
    void changedSoaOfFileWins() {
        assertThat(ZoneMerger.merge(zone(1, "host"), zone(2, "other"), zone(9, "mine")))
                .isEqualTo(zone(10, "other"));
        assertThat(ZoneMerger.merge(zone(1, "host"), zone(2, "host"), zone(9, "mine")))
                .isEqualTo(zone(10, "mine"));
    }
}
