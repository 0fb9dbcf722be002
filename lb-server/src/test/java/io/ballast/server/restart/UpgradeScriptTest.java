package io.ballast.server.restart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the effect of a package upgrade on the running service; systemd's commands are stubs that record their calls. */
@EnabledOnOs(OS.LINUX)
class UpgradeScriptTest {

    private static final Path SCRIPT = Path.of("src", "dist", "upgrade.sh").toAbsolutePath();
    private static final String AS_SERVICE = "--quiet --wait --pipe --collect -p User=ballast"
            + " -p EnvironmentFile=-/etc/ballast/environment -p WorkingDirectory=/var/lib/ballast /usr/bin/lb ";
    private static final String RESTART = "systemd-run " + AS_SERVICE + "restart /etc/ballast/ballast.yaml";
    private static final String CHECK = "systemd-run " + AS_SERVICE + "check /etc/ballast/ballast.yaml";
    private static final String IS_ACTIVE = "systemctl is-active --quiet ballast.service";
    private static final String TRY_RESTART = "systemctl try-restart ballast.service";

    @TempDir
    private Path directory;

    private Path calls;

    @BeforeEach
    void makeCalls() throws IOException {
        calls = Files.writeString(directory.resolve("calls"), "");
    }

    @Test
    void replacesRunningProcess() throws Exception {
        stubs(/* active= */ 0, /* restart= */ 0, /* check= */ 0, /* tryRestart= */ 0);

        assertThat(upgrade()).isEmpty();
        assertThat(Files.readAllLines(calls)).containsExactly(IS_ACTIVE, RESTART);
    }

    @Test
    void keepsStoppedService() throws Exception {
        stubs(/* active= */ 3, /* restart= */ 0, /* check= */ 0, /* tryRestart= */ 0);

        assertThat(upgrade()).isEmpty();
        assertThat(Files.readAllLines(calls)).containsExactly(IS_ACTIVE);
    }

    @Test
    void restartsServiceIfHandoverIsImpossible() throws Exception {
        for (int refused : List.of(1, 2)) {
            Files.writeString(calls, "");
            stubs(/* active= */ 0, refused, /* check= */ 0, /* tryRestart= */ 0);

            assertThat(upgrade()).contains("systemd restarts the service");
            assertThat(Files.readAllLines(calls)).containsExactly(IS_ACTIVE, RESTART, CHECK, TRY_RESTART);
        }
    }

    @Test
    void keepsProcessIfNewVersionRejectsFile() throws Exception {
        stubs(/* active= */ 0, /* restart= */ 2, /* check= */ 2, /* tryRestart= */ 0);

        assertThat(upgrade()).contains("the former version goes on").contains("run: systemctl restart ballast");
        assertThat(Files.readAllLines(calls)).containsExactly(IS_ACTIVE, RESTART, CHECK);
    }

    @Test
    void keepsProcessIfFileCannotBeChecked() throws Exception {
        stubs(/* active= */ 0, /* restart= */ 1, /* check= */ 1, /* tryRestart= */ 0);

        assertThat(upgrade()).contains("lb check could not be run").doesNotContain("does not accept");
        assertThat(Files.readAllLines(calls)).containsExactly(IS_ACTIVE, RESTART, CHECK);
    }

    @Test
    void upgradeSucceedsWithoutRestart() throws Exception {
        stubs(/* active= */ 0, /* restart= */ 2, /* check= */ 0, /* tryRestart= */ 1);

        assertThat(upgrade()).contains("the service did not restart; see journalctl -u ballast");
    }

    @Test
    void packagesCallScript() throws Exception {
        assertThat(Files.readString(SCRIPT.resolveSibling("postinst")))
                .contains("[ -z \"$2\" ] || /usr/lib/ballast/bin/upgrade.sh")
                .doesNotContain("try-restart");
        assertThat(Files.readString(SCRIPT.resolveSibling("ballast.spec")))
                .contains("[ \"$1\" -lt 2 ] || /usr/lib/ballast/bin/upgrade.sh")
                .doesNotContain("try-restart");
    }

    private void stubs(int active, int restart, int check, int tryRestart) throws IOException {
        stub("systemctl", "case $1 in is-active) exit %d ;; *) exit %d ;; esac".formatted(active, tryRestart));
        stub("systemd-run", "case \"$*\" in *'lb restart'*) exit %d ;; *) exit %d ;; esac".formatted(restart, check));
    }

    private void stub(String name, String action) throws IOException {
        Path file = Files.writeString(
                directory.resolve(name), "#!/bin/sh\necho \"" + name + " $*\" >>" + calls + "\n" + action + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Runs the script, which must succeed, and returns its output. */
    private String upgrade() throws Exception {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", SCRIPT.toString()).redirectErrorStream(true);
        builder.environment().put("PATH", directory.toString());
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
