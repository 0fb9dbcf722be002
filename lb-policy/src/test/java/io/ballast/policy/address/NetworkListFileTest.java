package io.ballast.policy.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.CidrSet;
import io.ballast.core.net.IpAddress;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkListFileTest {

    @TempDir
    private Path directory;

    @Test
    void readsNetworksAddressesAndComments() throws IOException {
        CidrSet set = NetworkListFile.read(write("""
                # blocked
                192.0.2.0/24
                  198.51.100.7\t# one address
                2001:db8::/32 ; SBL1\r

                203.0.113.0/25"""));

        assertThat(set.size()).isEqualTo(4);
        assertThat(set.contains(IpAddress.parse("192.0.2.200"))).isTrue();
        assertThat(set.contains(IpAddress.parse("198.51.100.7"))).isTrue();
        assertThat(set.contains(IpAddress.parse("198.51.100.8"))).isFalse();
        assertThat(set.contains(IpAddress.parse("2001:db8:1::1"))).isTrue();
        assertThat(set.contains(IpAddress.parse("203.0.113.127"))).isTrue();
        assertThat(set.contains(IpAddress.parse("203.0.113.128"))).isFalse();
    }

    @Test
    void problemsNameTheFileAndTheLine() throws IOException {
        Path file = write("192.0.2.0/24\n\n192.0.2.1/24\nexample.com\n\u0001\u00e9\n" + "1".repeat(129) + "\n");

        assertThatThrownBy(() -> NetworkListFile.read(file))
                .isInstanceOfSatisfying(
                        NetworkListException.class,
                        e -> assertThat(e.problems())
                                .containsExactly(
                                        file
                                                + ":3: cidr: 192.0.2.1/24 (expected: 192.0.2.0/24, because the host bits must be"
                                                + " zero)",
                                        file + ":4: cidr: example.com (expected: a network such as 192.0.2.0/24 or"
                                                + " 2001:db8::/32, or one address)",
                                        file
                                                + ":5: cidr: ??? (expected: a network such as 192.0.2.0/24 or 2001:db8::/32, or"
                                                + " one address)",
                                        file + ":6: line of more than 128 bytes (expected: one network)"));
    }

    @Test
    void stopsAfterTenProblems() throws IOException {
        Path file = write("x\n".repeat(1000));

        assertThatThrownBy(() -> NetworkListFile.read(file))
                .isInstanceOfSatisfying(
                        NetworkListException.class,
                        e -> assertThat(e.problems()).hasSize(10));
    }

    @Test
    void emptyFileIsAnErrorUnlessItContainsComment() throws IOException {
        Path empty = write("\n");
        assertThatThrownBy(() -> NetworkListFile.read(empty))
                .hasMessage(empty + " is empty (expected: a network, or a comment if no network is intended)");

        assertThat(NetworkListFile.read(write("# nothing is blocked\n")).isEmpty())
                .isTrue();
    }

    @Test
    void refusesMissingFilesDirectoriesAndLargeFiles() throws IOException {
        Path missing = directory.resolve("missing");
        Path large = directory.resolve("large");
        try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength(NetworkListFile.MAX_BYTES + 1L);
        }

        assertThatThrownBy(() -> NetworkListFile.read(missing)).hasMessageStartingWith(missing + " cannot be read: ");
        assertThatThrownBy(() -> NetworkListFile.read(directory)).hasMessage(directory + " is not a file");
        assertThatThrownBy(() -> NetworkListFile.read(large)).hasMessage(large + " is larger than 64 MiB");
    }

    @Test
    void acceptsAtMostOneMillionNetworks() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 1_000_001; i++) {
            lines.append("10.")
                    .append(i >> 16)
                    .append('.')
                    .append(i >> 8 & 255)
                    .append('.')
                    .append(i & 255)
                    .append('\n');
        }
        Path file = write(lines.toString());

        assertThatThrownBy(() -> NetworkListFile.read(file))
                .hasMessage(file + ":1000001: too many networks (expected: at most 1000000)");

        CidrSet most = NetworkListFile.read(write(lines.substring(0, lines.lastIndexOf("10."))));
        assertThat(most.contains(IpAddress.parse("10.15.66.63"))).isTrue();
        assertThat(most.contains(IpAddress.parse("10.15.66.64"))).isFalse();
    }

    private Path write(String text) throws IOException {
        return Files.write(directory.resolve("list.txt"), text.getBytes(StandardCharsets.UTF_8));
    }
}
