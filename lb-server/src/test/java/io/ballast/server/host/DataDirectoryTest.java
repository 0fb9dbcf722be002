package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.config.load.ConfigLoader;
import io.ballast.server.compose.Balancer;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    @TempDir
    private Path parent;

    @Test
    void rejectsOtherProcessAndNamesIt() throws Exception {
        Path directory = Files.createDirectory(parent.resolve("data"));
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Holder.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(other.getInputStream(), StandardCharsets.US_ASCII))) {
            assertThat(out.readLine()).isEqualTo("held");

            assertThatThrownBy(() -> DataDirectory.acquire(directory))
                    .hasMessage("data_dir " + directory + ": in use by process " + other.pid()
                            + " (expected: a separate directory for each process that signs zones)");
        } finally {
            other.destroyForcibly().waitFor();
        }
        DataDirectory.acquire(directory).close();
    }

    @Test
    void doesNotFollowLinkedLockFile() throws Exception {
        Path directory = Files.createDirectory(parent.resolve("data"));
        Path target = Files.writeString(parent.resolve("target"), "of another program");
        Files.createSymbolicLink(directory.resolve(DataDirectory.LOCK_FILE), target);

        DataDirectory.acquire(directory).close();

        assertThat(target).hasContent("of another program");
    }

    /** Runs in another process, and holds a directory until it is killed. */
    static final class Holder {

        private Holder() {}

        public static void main(String[] arguments) throws Exception {
            try (DataDirectory held = DataDirectory.acquire(Path.of(arguments[0]))) {
                new FileOutputStream(FileDescriptor.out).write("held\n".getBytes(StandardCharsets.US_ASCII));
                System.in.read();
                assertThat(held).isNotNull();
            }
        }
    }

    @Test
    void secondSigningBalancerIsRejectedUntilFirstEnds() throws Exception {
        Path file = signing();

        try (Balancer first = Balancer.start(ConfigLoader.ofProcess().load(file).config())) {
            assertThat(first.dns()).isPresent();
            assertThatThrownBy(() ->
                            Balancer.start(ConfigLoader.ofProcess().load(file).config()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "in use by process " + ProcessHandle.current().pid());
        }
        Balancer.start(ConfigLoader.ofProcess().load(file).config()).close();
    }

    @Test
    void unlockableDirectoryIsUsed() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        DataDirectory.acquire(file.resolve("below")).close();
    }

    @Test
    void killedProcessReleasesLock() throws Exception {
        Path lock = parent.resolve(DataDirectory.LOCK_FILE);
        Files.writeString(lock, "12345\n");

        try (DataDirectory held = DataDirectory.acquire(parent)) {
            assertThat(held).isNotNull();
            assertThat(lock).hasContent(Long.toString(ProcessHandle.current().pid()));
        }
    }

    private Path signing() throws IOException {
        return Files.writeString(parent.resolve("lb.yaml"), """
                pools: {web: {backends: ["127.0.0.1:1"], health: {type: none}}}
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - {name: example.com, dnssec: true, services: [{name: app, pool: web}]}
                dashboard: {enabled: false}
                data_dir: %s
                """.formatted(parent.resolve("data")));
    }
}
