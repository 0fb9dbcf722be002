package io.ballast.server.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigLoader;
import io.ballast.server.process.ServerProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryCheckTest {

    private static final String USER = System.getProperty("user.name");

    @TempDir
    private Path parent;

    private Path directory;

    @BeforeEach
    void createDirectory() throws Exception {
        directory = Files.createDirectory(parent.resolve("data"));
        allow("rwx------");
    }

    @Test
    void ownDirectoryIsSafe() throws Exception {
        assertThat(new DataDirectoryCheck(directory).securityProblem()).isEmpty();

        allow("rwxrwxr-x");
        assertThat(new DataDirectoryCheck(directory).securityProblem())
                .as("shared by group")
                .isEmpty();
    }

    @Test
    void missingDirectoryIsSafe() {
        assertThat(new DataDirectoryCheck(parent.resolve("missing")).securityProblem())
                .isEmpty();
    }

    @Test
    void rejectsWorldWritableDirectory() throws Exception {
        allow("rwxrwxrwx");

        assertThat(new DataDirectoryCheck(directory).securityProblem())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .startsWith("data_dir " + directory + " is writable by all users")
                        .contains("chmod o-w " + directory));
    }

    @Test
    void rejectsDirectoryOfOtherUser() {
        String owner = ownerThatIsNotRoot();
        assumeTrue(owner != null, "only root can give a directory to another user");

        assertThat(new DataDirectoryCheck(directory).securityProblem())
                .hasValueSatisfying(reason -> assertThat(reason)
                        .contains("belongs to user " + owner)
                        .contains("chown " + USER + " " + directory));
    }

    @Test
    void checksTargetOfSymbolicLink() throws Exception {
        allow("rwxrwxrwx");
        Path link = Files.createSymbolicLink(parent.resolve("link"), directory);

        assertThat(new DataDirectoryCheck(link).securityProblem()).isPresent();
        assertThat(new DataDirectoryCheck(Files.createSymbolicLink(parent.resolve("broken"), parent.resolve("no")))
                        .securityProblem())
                .hasValueSatisfying(reason -> assertThat(reason).contains("is a broken symbolic link"));
    }

    @Test
    void rejectsFile() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        assertThat(new DataDirectoryCheck(file).securityProblem())
                .hasValueSatisfying(reason -> assertThat(reason).contains("is not a directory"));
        assertThat(new DataDirectoryCheck(file.resolve("below")).isWritable()).isFalse();
    }

    @Test
    void unsafeDirectoryPreventsStart() throws Exception {
        allow("rwxrwxrwx");
        StringWriter err = new StringWriter();

        int exitCode =
                ServerProcess.run(file(""), /* watch= */ false, new PrintWriter(err, true), new CountDownLatch(0));

        assertThat(exitCode).isEqualTo(1);
        assertThat(err.toString()).contains("lb: data_dir " + directory + " is writable by all users");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void zonesNeedWritableDirectory() throws Exception {
        Path taken = Files.createFile(parent.resolve("taken"));
        BallastConfig config = config("""
                dns:
                  listeners: [{bind: "127.0.0.1:0"}]
                  zones:
                    - {name: example.com, secondary: {from: ["192.0.2.1"]}}
                """);

        assertThat(new DataDirectoryCheck(taken.resolve("data")).problems(config))
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem).contains("cannot be written", "dns.zones[0].secondary", "example.com"));
        assertThat(new DataDirectoryCheck(directory).problems(config)).isEmpty();
        assertThat(new DataDirectoryCheck(taken.resolve("data")).problems(config("")))
                .isEmpty();
    }

    @Test
    void warningNamesStateLostAtRestart() throws Exception {
        assertThat(DataDirectoryCheck.stateLostAtRestart(config("")))
                .containsExactly("operators' changes to backends, weights and maintenance");
    }

    private BallastConfig config(String more) throws Exception {
        return ConfigLoader.ofProcess().load(file(more)).config();
    }

    private Path file(String more) throws Exception {
        return Files.writeString(parent.resolve("lb.yaml"), """
                listeners: [{bind: "127.0.0.1:0", routes: [{respond: {status: 200}}]}]
                dashboard: {enabled: false}
                data_dir: %s
                """.formatted(directory) + more);
    }

    private void allow(String permissions) throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
    }

    private @Nullable String ownerThatIsNotRoot() {
        try {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
            return "nobody";
        } catch (IOException e) {
            return null;
        }
    }
}
