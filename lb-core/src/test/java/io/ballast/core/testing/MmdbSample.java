package io.ballast.core.testing;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A country database with any number of random networks. Half of them are IPv4 networks of 12 to 28 bits
 * anywhere, half are IPv6 networks of 36 to 60 bits under 2001:db8::/32. Equal arguments produce equal files.
 *
 * <pre>java -cp lb-core/target/classes:lb-core/target/test-classes io.ballast.core.testing.MmdbSample FILE NETWORKS SEED</pre>
 */
public final class MmdbSample {

    private static final List<List<String>> COUNTRIES = List.of(
            List.of("DE", "EU"),
            List.of("FR", "EU"),
            List.of("NO", "EU"),
            List.of("US", "NA"),
            List.of("CA", "NA"),
            List.of("BR", "SA"),
            List.of("JP", "AS"),
            List.of("IN", "AS"),
            List.of("AU", "OC"),
            List.of("ZA", "AF"));

    private MmdbSample() {}

    /** Writes a file, for measurements. */
    public static void main(String[] args) throws IOException {
        of(Integer.parseInt(args[1]), Long.parseLong(args[2])).write(Path.of(args[0]));
    }

    /** Creates a database with this many networks. A later network may be inside an earlier one or replace it. */
    public static MmdbFile of(int networks, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        MmdbFile file = MmdbFile.city();
        for (int i = 0; i < networks; i++) {
            List<String> country = COUNTRIES.get(random.nextInt(COUNTRIES.size()));
            file.put(network(i % 2 == 0, random), MmdbRecords.country(country.get(0), country.get(1)));
        }
        return file;
    }

    private static Cidr network(boolean ipv4, SplittableRandom random) {
        byte[] bytes = new byte[ipv4 ? 4 : 16];
        random.nextBytes(bytes);
        int length = ipv4 ? random.nextInt(12, 29) : random.nextInt(36, 61);
        if (!ipv4) {
            System.arraycopy(new byte[] {0x20, 0x01, 0x0d, (byte) 0xb8}, 0, bytes, 0, 4);
        }
        bytes[length / 8] &= (byte) (0xFF00 >> (length % 8));
        Arrays.fill(bytes, length / 8 + 1, bytes.length, (byte) 0);
        return new Cidr(IpAddress.of(bytes), length);
    }
}
