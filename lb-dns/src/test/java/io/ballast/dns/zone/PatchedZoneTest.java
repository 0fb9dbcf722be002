package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests that an incrementally changed zone answers like one that was compiled from scratch. */
class PatchedZoneTest {

    private static final Name APEX = Messages.name("example.com");
    private static final List<String> NAMES = List.of(
            "a", "b", "c", "one.a", "two.a", "x.one.a", "y.z.b", "q.r.s.t", "sub", "ns.sub", "www.sub", "other", "*.c",
            "d.c", "old");
    private static final List<String> FIXED_QUERIES =
            List.of("r.s.t", "s.t", "t", "z.b", "none", "x.c", "x.sub", "a.old", "x.y.z.b", "ns");
    private static final int[] TYPES = {Type.A, Type.TXT, Type.NS, Type.DS, Type.MX, Type.CNAME, Type.ANY};
    private static final int STEPS = 60;

    @TempDir
    private Path directory;

    private static Name name(String label) {
        return Messages.name(label.isEmpty() ? "example.com" : label + ".example.com");
    }

    private static Record record(String owner, int type, String data) throws IOException {
        Record made = Record.fromString(name(owner), type, DClass.IN, 300, data, APEX);
        return made;
    }

    private static Map<Integer, RecordSet> sets(List<Record> records) {
        Map<Integer, List<Record>> byType = new LinkedHashMap<>();
        records.forEach(each -> byType.computeIfAbsent(each.getType(), type -> new ArrayList<>())
                .add(each));
        Map<Integer, RecordSet> sets = new LinkedHashMap<>();
        byType.forEach((type, all) -> sets.put(type, new RecordSet(all.get(0).getName(), type, 300, all)));
        return sets;
    }

    private static Map<String, List<Record>> first() throws IOException {
        Map<String, List<Record>> zone = new TreeMap<>();
        zone.put(
                "",
                List.of(
                        record("", Type.SOA, "ns host 1 7200 3600 1209600 60"),
                        record("", Type.NS, "ns"),
                        record("", Type.NS, "b")));
        zone.put("ns", List.of(record("ns", Type.A, "192.0.2.53")));
        return zone;
    }

    private Path write(String file, Map<String, List<Record>> zone) throws IOException {
        String text = zone.values().stream()
                .flatMap(List::stream)
                .map(Record::toString)
                .collect(Collectors.joining("\n", "", "\n"));
        return Files.writeString(directory.resolve(file), text);
    }

    private static List<Record> random(String owner, SplittableRandom random) throws IOException {
        List<Record> records = new ArrayList<>();
        switch (random.nextInt(8)) {
            case 0, 1 -> {}
            case 2 -> records.add(record(owner, Type.CNAME, NAMES.get(random.nextInt(3))));
            case 3 -> {
                records.add(record(owner, Type.MX, "10 a"));
                records.add(record(owner, Type.TXT, "text" + random.nextInt(100)));
            }
            case 4 -> {
                if (owner.equals("sub") || owner.equals("other")) {
                    records.add(record(owner, Type.NS, "ns.sub"));
                    records.add(record(owner, Type.NS, "b"));
                } else if (owner.equals("old")) {
                    records.add(record(owner, Type.DNAME, "a"));
                } else {
                    records.add(record(owner, Type.TXT, "no delegation"));
                }
            }
            default -> {
                records.add(record(owner, Type.A, "192.0.2." + random.nextInt(100)));
                records.add(record(owner, Type.A, "198.51.100." + random.nextInt(100)));
            }
        }
        return records;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void matchesFullCompilation(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, List<Record>> model = first();
        ZoneFixture fixture = new ZoneFixture().zone("example.com", write("zone", model));
        DnsConfig config = fixture.dns();
        CompiledZones zones = CompiledZones.start(config, fixture.topology());
        for (int step = 1; step <= STEPS; step++) {
            Map<Name, Map<Integer, RecordSet>> changed = new LinkedHashMap<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                String owner = NAMES.get(random.nextInt(NAMES.size()));
                List<Record> records = random(owner, random);
                model.put(owner, records);
                changed.put(name(owner), sets(records));
            }
            List<Record> apex = new ArrayList<>(model.getOrDefault("", List.of()));
            apex.set(0, record("", Type.SOA, "ns host " + (step + 1) + " 7200 3600 1209600 60"));
            model.put("", apex);
            changed.put(APEX, sets(apex));

            ZoneContents contents = zones.contents(APEX).orElseThrow().with(changed);
            zones = zones.nextWithChangedFiles(
                    config, new ManagedZoneChanges(Set.of(), Map.of("example.com", contents)));
            zones.begin();

            assertThat(zones.compiledZoneCount()).isOne();
            ZoneFixture fresh = new ZoneFixture().zone("example.com", write("fresh", model));
            assertSameAnswers(
                    zones, CompiledZones.start(fresh.dns(), fresh.topology()), "seed " + seed + " step " + step);
        }
    }

    private static void assertSameAnswers(CompiledZones patched, CompiledZones fresh, String where) {
        AnswererClient one = new AnswererClient(patched);
        AnswererClient other = new AnswererClient(fresh);
        Set<String> queriedNames = new TreeSet<>(NAMES);
        queriedNames.addAll(FIXED_QUERIES);
        queriedNames.add("");
        for (String name : queriedNames) {
            for (int type : TYPES) {
                Message query = Messages.query(name.isEmpty() ? "example.com" : name + ".example.com", type);
                assertThat(text(one.query(query, Transport.TCP)))
                        .as("%s: %s %s", where, name, Type.string(type))
                        .isEqualTo(text(other.query(query, Transport.TCP)));
            }
        }
    }

    private static List<Set<String>> text(Message response) {
        List<Set<String>> text = new ArrayList<>(List.of(Set.of(String.valueOf(response.getRcode()))));
        for (int section : new int[] {Section.ANSWER, Section.AUTHORITY, Section.ADDITIONAL}) {
            text.add(response.getSection(section).stream()
                    .map(Record::toString)
                    .collect(Collectors.toCollection(TreeSet::new)));
        }
        return text;
    }

    @Test
    void addedAndRemovedNamesDoNotGrowZone() throws IOException {
        Map<String, List<Record>> model = first();
        ZoneFixture fixture = new ZoneFixture().zone("example.com", write("zone", model));
        DnsConfig config = fixture.dns();
        CompiledZones zones = CompiledZones.start(config, fixture.topology());
        long max = 10 * zones.contents(APEX).orElseThrow().neededBytes(/* isSigned= */ false);

        for (int i = 0; i < 500; i++) {
            List<Record> records = i % 2 == 0 ? List.of(record("a.b", Type.TXT, "x".repeat(200))) : List.of();
            ZoneContents contents = zones.contents(APEX).orElseThrow().with(Map.of(name("a.b"), sets(records)));
            zones = zones.nextWithChangedFiles(
                    config, new ManagedZoneChanges(Set.of(), Map.of("example.com", contents)));
            zones.begin();
        }

        assertThat(zones.contents(APEX).orElseThrow().neededBytes(/* isSigned= */ false))
                .isLessThan(max);
        assertThat(zones.published().current().nameCount()).isEqualTo(2);
    }
}
