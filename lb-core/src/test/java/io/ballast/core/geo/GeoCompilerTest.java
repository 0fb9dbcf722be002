package io.ballast.core.geo;

import static io.ballast.core.geo.GeoConfigs.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.net.IpAddress;
import io.ballast.core.testing.MmdbFile;
import io.ballast.core.testing.MmdbRecords;
import io.ballast.core.testing.MmdbSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the compilation of databases to regions, with files in MaxMind's layout. */
class GeoCompilerTest {

    private static final int MUNICH = 2867714;
    private static final RegionConfig REST = RegionConfig.of("rest");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {24, 28, 32})
    void readsAllRecordSizes(int recordBits) throws IOException {
        MmdbFile file = new MmdbFile("Test-Country", 6, recordBits)
                .put("192.0.2.0/25", MmdbRecords.country("DE", "EU"))
                .put("198.51.100.0/24", MmdbRecords.country("US", "NA"))
                .put("2001:db8:1::/48", MmdbRecords.country("DE", "EU"));

        RegionTable table = compile(file, region("eu", "DE"), region("us", "US"), REST);

        assertFound(table, "192.0.2.1", 0, 25);
        assertFound(table, "192.0.2.128", 2, 25);
        assertFound(table, "198.51.100.255", 1, 24);
        assertFound(table, "203.0.113.1", 2, 5); // the database has no data for 200.0.0.0/5
        assertFound(table, "2001:db8:1:ffff::", 0, 48);
        assertFound(table, "2001:db8:2::", 2, 47);
    }

    @Test
    void readsIpv4OnlyDatabase() throws IOException {
        MmdbFile file = new MmdbFile("Test-Country", 4, 24).put("192.0.2.0/24", MmdbRecords.country("DE", "EU"));

        RegionTable table = compile(file, region("eu", "DE"), REST);

        assertFound(table, "192.0.2.9", 0, 24);
        assertFound(table, "2001:db8::", 1, 0);
    }

    @Test
    void networkCoveringAllIpv6AppliesToIpv4() throws IOException {
        MmdbFile file = new MmdbFile("Test-Country", 6, 24).put("::/64", MmdbRecords.country("DE", "EU"));

        RegionTable table = compile(file, region("eu", "DE"), REST);

        assertFound(table, "192.0.2.9", 0, 0);
        assertFound(table, "::1:0:0:0:0", 1, 64);
    }

    @Test
    void omitsIpv4Aliases() throws IOException {
        MmdbFile file = MmdbFile.city()
                .put("192.0.2.0/24", MmdbRecords.country("DE", "EU"))
                .put("2001:db8::/32", MmdbRecords.country("DE", "EU"))
                .aliases();

        RegionTable table = compile(file, region("eu", "DE"), REST);

        assertFound(table, "192.0.2.9", 0, 24);
        assertFound(table, "2001:db8::1", 0, 32);
        assertThat(RegionTable.region(
                        table.find(IpAddress.parse("2002:c000:209::1").bytes())))
                .isEqualTo(1);
        assertThat(table.ranges()).isEqualTo(6);
    }

    @Test
    void mergesEqualAdjacentNetworks() throws IOException {
        MmdbFile file = MmdbFile.city()
                .put("198.51.100.0/25", MmdbRecords.city("DE", "EU", MUNICH, "Munich", "BY"))
                .put("198.51.100.128/25", MmdbRecords.country("FR", "EU"))
                .put("198.51.101.0/24", MmdbRecords.country("AT", "EU"));

        assertFound(compile(file, region("eu", "*EU"), REST), "198.51.100.7", 0, 23);
    }

    @Test
    void maxSpecificPlaceWins() throws IOException {
        MmdbFile city = MmdbFile.city()
                .put("192.0.2.0/28", MmdbRecords.city("DE", "EU", MUNICH, "Munich", "BY"))
                .put("192.0.2.16/28", MmdbRecords.city("DE", "EU", 2, "Augsburg", "BY"))
                .put("192.0.2.32/28", MmdbRecords.city("DE", "EU", 3, "Berlin", "BE"))
                .put("192.0.2.48/28", MmdbRecords.country("FR", "EU"))
                .put("192.0.2.64/28", MmdbRecords.country("CH", "EU"));
        MmdbFile asn = MmdbFile.asn().put("192.0.2.8/29", MmdbRecords.asn(64496));
        GeoConfig config = GeoConfigs.of(
                List.of(city.write(directory.resolve("city")), asn.write(directory.resolve("asn"))),
                region("continent", "*EU"),
                region("country", "DE"),
                region("subdivision", "DE-BY"),
                region("city", "'" + MUNICH + "'"),
                region("asn", "AS64496"),
                region("network", "192.0.2.12/30", "192.0.2.64/26"),
                region("inner", "192.0.2.14/32"),
                REST);

        RegionTable table = new GeoCompiler(config).compile().table();

        assertRegions(
                table,
                config,
                Map.of(
                        "192.0.2.1", "city",
                        "192.0.2.8", "asn",
                        "192.0.2.13", "network",
                        "192.0.2.14", "inner",
                        "192.0.2.16", "subdivision",
                        "192.0.2.32", "country",
                        "192.0.2.48", "continent",
                        "192.0.2.64", "network",
                        "192.0.2.128", "rest"));
    }

    @Test
    void ruleOrderDecidesRegardlessOfDatabaseOrder() throws IOException {
        Path city = MmdbFile.city()
                .put("192.0.2.0/24", MmdbRecords.country("DE", "EU"))
                .write(directory.resolve("city"));
        Path asn = MmdbFile.asn().put("192.0.2.0/25", MmdbRecords.asn(64496)).write(directory.resolve("asn"));
        RegionConfig[] regions = {region("eu", "DE"), region("carrier", "AS64496"), REST};

        for (List<Path> files : List.of(List.of(city, asn), List.of(asn, city))) {
            RegionTable table =
                    new GeoCompiler(GeoConfigs.of(files, regions)).compile().table();
            assertFound(table, "192.0.2.1", 1, 25);
            assertFound(table, "192.0.2.200", 0, 25);
        }
    }

    @Test
    void smallestSubdivisionWins() throws IOException {
        MmdbFile file = MmdbFile.city()
                .put("192.0.2.0/25", MmdbRecords.city("GB", "EU", 4, "Oxford", "ENG", "OXF"))
                .put("192.0.2.128/25", MmdbRecords.city("GB", "EU", 5, "Bath", "ENG", "BAS"));

        RegionTable table = compile(file, region("england", "GB-ENG"), region("oxford", "GB-OXF"), REST);

        assertFound(table, "192.0.2.1", 1, 25);
        assertFound(table, "192.0.2.129", 0, 25);
    }

    @Test
    void matchesCityByEnglishName() throws IOException {
        MmdbFile file = MmdbFile.city().put("192.0.2.0/24", MmdbRecords.city("DE", "EU", MUNICH, "Munich"));

        assertFound(compile(file, region("south", "'Munich'"), REST), "192.0.2.1", 0, 24);
    }

    @Test
    void usesRegisteredCountryAsFallback() throws IOException {
        MmdbFile file = MmdbFile.city().put("192.0.2.0/24", MmdbRecords.registered("NO"));

        assertFound(compile(file, region("north", "NO"), REST), "192.0.2.1", 0, 24);
    }

    @Test
    void compiledTableMatchesLargeDatabase() throws IOException {
        GeoConfig config = GeoConfigs.of(
                List.of(MmdbSample.of(5000, 1).write(directory.resolve("large"))),
                region("eu", "*EU"),
                region("fr", "FR", "2001:db8:8000::/34"),
                region("asia", "JP", "IN"),
                REST);
        GeoCompiler compiler = new GeoCompiler(config);
        Regions regions = Regions.of(config);
        RegionTable table = compiler.compile().table();
        RegionLookup explanation = new RegionLookup(config.databases(), compiler, regions);
        SplittableRandom random = new SplittableRandom(1);

        for (int i = 0; i < 2000; i++) {
            byte[] bytes = new byte[i % 2 == 0 ? 4 : 16];
            random.nextBytes(bytes);
            if (bytes.length == 16) {
                System.arraycopy(IpAddress.parse("2001:db8::").bytes(), 0, bytes, 0, 4);
            }
            IpAddress address = IpAddress.of(bytes);
            assertThat(regions.name(RegionTable.region(table.find(bytes))))
                    .as("region of %s", address)
                    .isEqualTo(explanation.of(address).region());
        }
    }

    @Test
    void errorNamesMissingOrBrokenFile() throws IOException {
        Path missing = directory.resolve("missing.mmdb");
        Path text = Files.writeString(directory.resolve("text.mmdb"), "this is no database\n".repeat(20));
        byte[] whole = MmdbFile.city()
                .put("192.0.2.0/24", MmdbRecords.country("DE", "EU"))
                .bytes();
        Path headless = Files.write(directory.resolve("half.mmdb"), Arrays.copyOf(whole, whole.length / 2));
        Path empty = Files.createFile(directory.resolve("empty.mmdb"));

        assertThatThrownBy(() -> compile(missing)).hasMessage(missing + ": does not exist");
        assertThatThrownBy(() -> compile(directory)).hasMessage(directory + ": is not a file");
        for (Path file : List.of(text, headless, empty)) {
            assertThatThrownBy(() -> compile(file))
                    .isInstanceOf(GeoDatabaseException.class)
                    .hasMessageStartingWith(file + ": is not a valid MaxMind database: ");
        }
    }

    @Test
    void damagedFilesAreReadOrRejected() throws IOException {
        byte[] whole = MmdbFile.city()
                .put("192.0.2.0/24", MmdbRecords.city("DE", "EU", MUNICH, "Munich", "BY"))
                .put("2001:db8::/32", MmdbRecords.country("US", "NA"))
                .bytes();
        int refused = 0;
        for (int place = 0; place < whole.length; place += 5) {
            byte[] damaged = whole.clone();
            damaged[place] ^= (byte) (1 + place % 255); // never 0, so each byte is changed
            Path file = Files.write(directory.resolve("damaged.mmdb"), damaged);
            try {
                assertThat(compile(file).ranges()).isPositive();
            } catch (GeoDatabaseException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private RegionTable compile(Path file) throws GeoDatabaseException {
        return new GeoCompiler(GeoConfigs.of(List.of(file), region("eu", "*EU"), REST))
                .compile()
                .table();
    }

    private RegionTable compile(MmdbFile file, RegionConfig... regions) throws IOException {
        Path path = file.write(directory.resolve("test.mmdb"));
        return new GeoCompiler(GeoConfigs.of(List.of(path), regions)).compile().table();
    }

    private static void assertFound(RegionTable table, String address, int region, int length) {
        int found = table.find(IpAddress.parse(address).bytes());
        assertThat(RegionTable.region(found)).as("region of %s", address).isEqualTo(region);
        assertThat(RegionTable.prefixLength(found)).as("prefix of %s", address).isEqualTo(length);
    }

    /** Checks that the compiled table and the explanation agree and match the expected regions. */
    private void assertRegions(RegionTable table, GeoConfig config, Map<String, String> expected)
            throws GeoDatabaseException {
        Regions regions = Regions.of(config);
        RegionLookup explanation = new RegionLookup(config.databases(), new GeoCompiler(config), regions);
        for (Map.Entry<String, String> each : expected.entrySet()) {
            IpAddress address = IpAddress.parse(each.getKey());
            assertThat(regions.name(RegionTable.region(table.find(address.bytes()))))
                    .as("region of %s", address)
                    .isEqualTo(each.getValue());
            assertThat(explanation.of(address).region())
                    .as("explained region of %s", address)
                    .isEqualTo(each.getValue());
        }
        assertThat(explanation.of(IpAddress.parse("192.0.2.16"))).hasToString("subdivision by subdivision DE-BY");
        assertThat(explanation.of(IpAddress.parse("192.0.2.14"))).hasToString("inner by network 192.0.2.14/32");
        assertThat(explanation.of(IpAddress.parse("203.0.113.1"))).hasToString("rest by default");
    }
}
