package io.ballast.dns.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.net.UdpFixture.Kind;
import io.ballast.dns.net.direct.DirectUdp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests specific to direct system calls. */
class DirectUdpTest {

    @Test
    @EnabledForJreRange(maxVersion = 21)
    void reportsTooOldJava() {
        assertThat(DirectUdp.unavailabilityReason())
                .contains("Java " + Runtime.version().feature() + " is older than 22");
    }

    @Test
    @EnabledForJreRange(minVersion = 22)
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void worksOnThisSystem() {
        assertThat(DirectUdp.unavailabilityReason()).isEmpty();
    }

    @Test
    @EnabledForJreRange(minVersion = 22)
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void leaksNoThreadAndNoDescriptor() throws IOException {
        // The JVM keeps one socket open after its first use.
        UdpFixture.start(Kind.DIRECT, "127.0.0.1").close();
        List<String> descriptors = sockets();
        for (int i = 0; i < 20; i++) {
            UdpFixture server = UdpFixture.start(Kind.DIRECT, "127.0.0.1");
            assertThat(threads()).hasSize(2);
            assertThat(sockets().stream().filter(each -> !descriptors.contains(each)))
                    .hasSizeGreaterThanOrEqualTo(2);
            server.close();
            assertThat(threads()).isEmpty();
        }
        // Sockets of other tests may still be closing.
        assertThat(descriptors).containsAll(sockets());
    }

    @Test
    @EnabledForJreRange(minVersion = 22)
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void failedBindLeaksNothing() throws IOException {
        failToStart();
        List<String> descriptors = sockets();
        for (int i = 0; i < 5; i++) {
            failToStart();
        }
        assertThat(threads()).isEmpty();
        // Sockets of other tests may still be closing.
        assertThat(descriptors).containsAll(sockets());
    }

    private static void failToStart() {
        assertThatThrownBy(() -> UdpFixture.start(Kind.DIRECT, "192.0.2.1")).isInstanceOf(IOException.class);
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("dns-udp-"))
                .toList();
    }

    /** Returns the sockets of this process from /proc. */
    private static List<String> sockets() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.map(DirectUdpTest::target)
                    .filter(target -> target.startsWith("socket:"))
                    .sorted()
                    .toList();
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (NoSuchFileException e) {
            return ""; // The descriptor has already been closed, like the descriptor of this listing.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
