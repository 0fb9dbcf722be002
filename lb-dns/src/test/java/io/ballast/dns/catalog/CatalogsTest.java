package io.ballast.dns.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.HostPort;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.DnsUdpKind;
import io.ballast.dns.config.zone.CatalogMember;
import io.ballast.dns.config.zone.ZoneConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogsTest {

    private static final String NAME = "catalog.example";

    @TempDir
    private Path directory;

    static ZoneConfig catalog(String... members) {
        return new ZoneConfig(
                NAME,
                ZoneConfig.SoaConfig.placeholder(),
                List.of("ns1." + NAME),
                ZoneConfig.DEFAULT_NS_TTL,
                Optional.empty(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                members(members));
    }

    /** Parses members such as {@code a.example/signed}; the group after the slash is optional. */
    private static List<CatalogMember> members(String... members) {
        return Stream.of(members)
                .map(each -> each.split("/", 2))
                .map(each -> new CatalogMember(each[0], each.length == 1 ? Optional.empty() : Optional.of(each[1])))
                .toList();
    }

    private List<String> made(String... members) throws IOException {
        DnsConfig config = new DnsConfig(
                List.of(DnsListenerConfig.plain(new HostPort("127.0.0.1", 0))),
                DnsUdpKind.AUTO,
                DnsTcpConfig.DEFAULT,
                List.of(catalog(members)));
        DnsConfig prepared = new Catalogs(directory.resolve("catalogs")).prepare(config);
        return Files.readAllLines(prepared.zones().get(0).file().orElseThrow());
    }

    private static long serial(List<String> lines) {
        return Long.parseLong(lines.get(0).split("\t", 5)[4].split(" ", 4)[2]);
    }

    @Test
    void matchesRfc9432() throws IOException {
        List<String> lines = made("a.example", "b.example");

        assertThat(lines).hasSize(5);
        assertThat(lines.get(0)).startsWith(NAME + ".\t0\tIN\tSOA\tinvalid. invalid. 1 ");
        assertThat(lines)
                .contains(NAME + ".\t0\tIN\tNS\tinvalid.", "version." + NAME + ".\t0\tIN\tTXT\t2")
                .filteredOn(line -> line.contains("\tPTR\t"))
                .allSatisfy(line -> assertThat(line).matches("[0-9a-f]{32}\\.zones\\.catalog\\.example\\..*"))
                .anyMatch(line -> line.endsWith("\ta.example."));
    }

    @Test
    void groupIsBelowMember() throws IOException {
        List<String> lines = made("a.example/signed", "b.example");

        assertThat(lines).filteredOn(line -> line.contains("\tTXT\t")).hasSize(2);
        String member = lines.stream()
                .filter(line -> line.endsWith("\ta.example."))
                .map(line -> line.substring(0, line.indexOf('\t')))
                .findFirst()
                .orElseThrow();
        assertThat(lines).contains("group." + member + "\t0\tIN\tTXT\tsigned");
        assertThat(serial(made("a.example/other", "b.example"))).isEqualTo(2);
    }

    @Test
    void serialChangesWithMembersOnly() throws IOException {
        assertThat(serial(made("a.example", "b.example"))).isEqualTo(1);
        assertThat(serial(made("b.example", "a.example"))).isEqualTo(1);
        List<String> lines = made("a.example", "c.example");
        assertThat(serial(lines)).isEqualTo(2);
        assertThat(serial(made("a.example", "b.example"))).isEqualTo(3);
    }

    @Test
    void memberLabelIsStable() throws IOException {
        String first = made("a.example").get(3);

        assertThat(made("b.example", "a.example")).contains(first);
    }

    @Test
    void errorNamesUnwritableFile() throws IOException {
        Files.writeString(directory.resolve("catalogs"), "a file where the directory should be");

        assertThatThrownBy(() -> made("a.example"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("zone catalog.example: cannot write " + directory)
                .hasMessageNotContaining("Exception");
    }
}
