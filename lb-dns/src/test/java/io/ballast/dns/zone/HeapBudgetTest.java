package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.contents.HeapBudget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapBudgetTest {

    private static final long MEBIBYTE = 1 << 20;

    @TempDir
    private Path directory;

    private Path zone(int names) throws IOException {
        StringBuilder records = new StringBuilder("@ 300 SOA ns1 host 1 7200 3600 1209600 60\n@ 300 NS ns1\n");
        for (int i = 0; i < names; i++) {
            records.append("n").append(i).append(" 60 A 192.0.2.1\n");
        }
        return Files.writeString(directory.resolve(names + ".zone"), records);
    }

    @Test
    void rejectsTooLargeZoneWithRequiredMemory() throws IOException {
        ZoneFixture fixture = new ZoneFixture().zone("example.com", zone(20_000));

        HeapBudget budget = new HeapBudget(96 * MEBIBYTE, MEBIBYTE);

        assertThat(LoadedZones.read(fixture.dns(), budget).findings().errors())
                .singleElement()
                .asString()
                .matches("the zones need about [3-5] MB of heap, and 1 of 96 MB are free for them"
                        + " \\(expected: a larger heap, such as LB_JAVA_OPTS=-Xmx(9[89]|100)m,"
                        + " or -XX:MaxRAMPercentage\\)");
    }

    @Test
    void rejectsZonesTooLargeTogether() throws IOException {
        ZoneFixture fixture = new ZoneFixture().zone("example.com", zone(2000)).zone("example.net", zone(2000));
        long one = needed(new ZoneFixture().zone("example.com", zone(2000)));

        assertThat(LoadedZones.read(fixture.dns(), new HeapBudget(Long.MAX_VALUE, 2 * one))
                        .findings()
                        .errors())
                .isEmpty();
        assertThat(LoadedZones.read(fixture.dns(), new HeapBudget(Long.MAX_VALUE, 2 * one - 1))
                        .findings()
                        .errors())
                .hasSize(1);
    }

    @Test
    void countsSignatures() throws IOException {
        long plain = needed(new ZoneFixture().zone("example.com", zone(2000)));
        long signed = needed(new ZoneFixture().signed(DnssecConfig.DEFAULT).zone("example.com", zone(2000)));

        assertThat(signed).isGreaterThan(3 * plain);
    }

    private static long needed(ZoneFixture fixture) {
        long min = 0;
        long max = 1L << 40;
        while (min + 1 < max) {
            long free = (min + max) / 2;
            boolean fits = LoadedZones.read(fixture.dns(), new HeapBudget(Long.MAX_VALUE, free))
                    .findings()
                    .errors()
                    .isEmpty();
            min = fits ? min : free;
            max = fits ? free : max;
        }
        return max;
    }
}
