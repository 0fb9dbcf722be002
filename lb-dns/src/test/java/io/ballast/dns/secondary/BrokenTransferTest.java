package io.ballast.dns.secondary;

import static io.ballast.dns.secondary.ScriptedPrimary.record;
import static io.ballast.dns.secondary.ScriptedPrimary.soa;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.SecondaryConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Record;
import org.xbill.DNS.TXTRecord;

/** Tests that invalid transfers change nothing and are reported. */
class BrokenTransferTest {

    private static final String ZONE = "example.com";

    @TempDir
    private Path directory;

    static Stream<Arguments> broken() {
        Record name = record("example.com", "NS", "ns.example.com.");
        return Stream.of(
                whole(
                        "closed the connection before the transfer was complete",
                        List.of(soa(ZONE, 8), name, name, name, soa(ZONE, 8)),
                        1),
                whole("ends with 9", List.of(soa(ZONE, 8), name, soa(ZONE, 9))),
                whole(
                        "www.example.net",
                        List.of(soa(ZONE, 8), name, record("www.example.net", "A", "192.0.2.1"), soa(ZONE, 8))),
                whole(
                        "a record of class CH at www.example.com. (expected: class IN)",
                        List.of(soa(ZONE, 8), name, ofChaos("www.example.com"), soa(ZONE, 8))),
                whole("records after", List.of(soa(ZONE, 8), soa(ZONE, 8), name)),
                whole("no NS record", List.of(soa(ZONE, 8), soa(ZONE, 8))),
                whole(
                        "CNAME record together with other records",
                        List.of(
                                soa(ZONE, 8),
                                name,
                                record("a.example.com", "CNAME", "b."),
                                record("a.example.com", "A", "192.0.2.1"),
                                soa(ZONE, 8))),
                whole(
                        "NSEC (expected: a completely signed zone",
                        List.of(
                                soa(ZONE, 8),
                                name,
                                record("example.com", "NSEC", "example.com. NS SOA NSEC"),
                                soa(ZONE, 8))),
                whole("max_size", many()),
                whole("8 times max_size", longNames()));
    }

    private static Record ofChaos(String owner) {
        return new TXTRecord(ScriptedPrimary.name(owner), DClass.CH, 300, "text");
    }

    private static List<Record> many() {
        List<Record> records = new ArrayList<>(List.of(soa(ZONE, 8)));
        for (int i = 0; i < 3000; i++) {
            records.add(record("n" + i + ".example.com", "TXT", "\"0123456789012345678901234567890123456789\""));
        }
        records.add(soa(ZONE, 8));
        return records;
    }

    /** Returns records whose names are compressed in messages, but written in full in the zone file. */
    private static List<Record> longNames() {
        String label = "\\200".repeat(60) + ".";
        String name = label + label + label + "example.com";
        List<Record> records = new ArrayList<>(List.of(soa(ZONE, 8), record("example.com", "NS", "ns.example.com.")));
        for (int i = 0; i < 1000; i++) {
            records.add(record(name, "MX", i + " " + name + "."));
        }
        records.add(soa(ZONE, 8));
        return records;
    }

    private static Arguments whole(String problem, List<Record> records) {
        return whole(problem, records, Integer.MAX_VALUE);
    }

    private static Arguments whole(String problem, List<Record> records, int cut) {
        Consumer<ScriptedPrimary> primary = each -> {
            each.tellsExactly(ZONE, records);
            each.cutsAfter(cut);
        };
        return Arguments.of(problem, primary);
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @MethodSource("broken")
    void brokenTransferKeepsZone(String problem, Consumer<ScriptedPrimary> breaks) throws IOException {
        try (ScriptedPrimary primary =
                new ScriptedPrimary().serves(ZONE, 7, record("www.example.com", "A", "192.0.2.1"))) {
            SecondaryFixture fixture = new SecondaryFixture(directory)
                    .zone(
                            ZONE,
                            new SecondaryConfig(
                                    List.of(primary.address()),
                                    Optional.empty(),
                                    /* tls= */ Optional.empty(),
                                    false,
                                    100_000,
                                    Duration.ofMinutes(1),
                                    1,
                                    Map.of()))
                    .begin();
            List<String> before = fixture.lines(ZONE);
            breaks.accept(primary);

            fixture.time.advance(Duration.ofHours(1).plus(SecondaryFixture.MOMENT));

            assertThat(fixture.state(ZONE).problem()).contains(problem);
            assertThat(fixture.state(ZONE).serial()).hasValue(7);
            assertThat(fixture.lines(ZONE)).isNotEmpty().isEqualTo(before);
            assertThat(directory.resolve("example.com.new")).doesNotExist();
        }
    }
}
