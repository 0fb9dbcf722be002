package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeDirectoryTest {

    private static final Path TEMPORARY = Path.of("/tmp");
    private static final List<Path> OTHERS = List.of(Path.of("/home/lb/.cache"), Path.of("/var/tmp"), Path.of("/srv"));

    private static final String ROOT = "/dev/sda1 / ext4 rw,relatime 0 0";
    private static final String NOEXEC_TMP = "tmpfs /tmp tmpfs rw,nosuid,nodev,noexec 0 0";

    @Test
    void usableTemporaryDirectoryIsKept() {
        assertThat(NativeDirectory.choose(
                        List.of(ROOT, "tmpfs /tmp tmpfs rw,nosuid 0 0"), TEMPORARY, OTHERS, p -> true))
                .isEmpty();
    }

    @Test
    void noexecUsesFirstOtherUsableDirectory() {
        List<String> mounts = List.of(ROOT, NOEXEC_TMP, "tmpfs /var tmpfs rw,noexec 0 0");

        assertThat(NativeDirectory.choose(mounts, TEMPORARY, OTHERS, p -> !p.startsWith("/home")))
                .hasValue(Path.of("/srv"));
    }

    @Test
    void noOtherDirectoryMeansNone() {
        assertThat(NativeDirectory.choose(List.of(ROOT, NOEXEC_TMP), TEMPORARY, OTHERS, p -> false))
                .isEmpty();
    }

    @Test
    void innermostLastMountCounts() {
        List<String> mounts = List.of(
                "none / overlay rw,noexec 0 0", NOEXEC_TMP, "tmpfs /tmp/lb tmpfs rw 0 0", "tmpfs /tmpx tmpfs rw 0 0");

        assertThat(NativeDirectory.choose(mounts, Path.of("/tmp/lb"), OTHERS, p -> true))
                .isEmpty();
        assertThat(NativeDirectory.choose(mounts, Path.of("/tmp/other"), List.of(Path.of("/tmpx")), p -> true))
                .hasValue(Path.of("/tmpx"));
    }
}
