package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.MmdbSample;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that {@code lb check} accepts the example files in config. */
class ExampleFilesCheckTest {

    private static final Path EXAMPLES = Path.of("..", "config");
    private static final String FILES = "/etc/ballast";
    private static final byte[] SUCCESSFUL_OCSP_RESPONSE = {0x30, 3, 0x0a, 1, 0};

    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "acme",
                "dns",
                "filter",
                "full",
                "gslb",
                "headers",
                "health-checks",
                "routing",
                "short-form",
                "simple",
                "zone-file",
                "zone-transfer"
            })
    void exampleIsValid(String example) {
        int exitCode = check(EXAMPLES.resolve(example + ".yaml"));

        assertThat(problems()).isEmpty();
        assertThat(exitCode).isZero();
    }

    /** Returns the problems, except for policies that an example defines but does not use. */
    private List<String> problems() {
        return err.toString()
                .lines()
                .filter(line -> !line.contains(": note: ") && !line.endsWith("uses this policy"))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"acme-issuers", "cluster", "files", "short-form-tls"})
    void exampleWithFilesIsValidOnceTheyExist(String example) throws IOException {
        for (String name : List.of("site", "shop", "dns", "page", "own", "backends", "clients", "n1", "ca")) {
            TestCertificate.lasting(Duration.ofDays(90), name + ".example").write(directory, name);
        }
        Files.move(directory.resolve("backends.crt"), directory.resolve("backends.pem"));
        Files.move(directory.resolve("clients.crt"), directory.resolve("clients.pem"));
        Files.write(directory.resolve("site.ocsp"), SUCCESSFUL_OCSP_RESPONSE);
        Files.writeString(directory.resolve("update.secret"), "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        Files.writeString(directory.resolve("ads.txt"), "||ads.example^\n");
        Files.writeString(
                directory.resolve("root.ds"),
                ". IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D\n");
        Files.copy(EXAMPLES.resolve("cluster.key"), directory.resolve("cluster.key"));
        MmdbSample.of(/* networks= */ 10, /* seed= */ 1).write(directory.resolve("city.mmdb"));
        String text = Files.readString(EXAMPLES.resolve(example + ".yaml"));
        Path zone = Path.of("zones", "static.example.zone");
        Files.createDirectory(directory.resolve("app"));
        Files.createDirectory(directory.resolve("zones"));
        Files.copy(EXAMPLES.resolve(zone), directory.resolve(zone));

        int exitCode =
                check(Files.writeString(directory.resolve("example.yaml"), text.replace(FILES, directory.toString())));

        assertThat(problems()).isEmpty();
        assertThat(exitCode).isZero();
    }

    private int check(Path file) {
        return Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute("check", file.toString());
    }
}
