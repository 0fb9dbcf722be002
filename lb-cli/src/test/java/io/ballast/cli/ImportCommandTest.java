package io.ballast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.GeneratedFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the configuration written for an imported file, and the report about the import, with the expected files in
 * the same directory. {@code -Dballast.update=true} rewrites these files; read the difference before committing it.
 */
class ImportCommandTest {

    private static final Path FILES = Path.of("src/test/resources/import");
    private static final Path GUIDES = Path.of("../docs/guides/examples");
    private static final String WRITTEN = ".written.yaml";
    private static final String REPORT = ".report";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    static List<Path> foreignFiles() {
        return Stream.of(FILES, GUIDES).flatMap(ImportCommandTest::in).toList();
    }

    private static Stream<Path> in(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files
                    .filter(file -> file.toString().matches(".*[.](cfg|conf|yaml)"))
                    .filter(file -> !file.toString().endsWith(WRITTEN))
                    .filter(file -> !file.toString().contains("included"))
                    .filter(file -> !file.toString().contains("corpus"))
                    .filter(file -> !file.toString().contains("traefik"))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignFiles")
    void translatesAndReportsForeignFile(Path file) throws IOException {
        int exitCode = run(grammar(file), file.toString());

        GeneratedFile.of(beside(file, WRITTEN)).assertIs(anywhere(out.toString(), file));
        GeneratedFile.of(beside(file, REPORT)).assertIs(anywhere(err.toString(), file));
        assertThat(exitCode).isEqualTo(err.toString().contains(" 0 without an equivalent") ? 0 : 3);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignFiles")
    void outputIsValidConfiguration(Path file) throws Exception {
        Path written = directory.resolve("written.yaml");

        run(grammar(file), file.toString(), "-o", written.toString(), "--report", directory + "/report");

        assumeTrue(!Files.readString(directory.resolve("report")).contains("to be mended by hand"));
        assertThat(new ConfigLoader(name -> "1").load(written).config().listeners())
                .isNotEmpty();
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("foreignFiles")
    void reportContainsEveryLine(Path file) throws IOException {
        run(grammar(file), file.toString());

        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            boolean says = !line.isEmpty() && !line.startsWith("#") && !line.matches("[{}].*|[a-z_]+:|- .*:");
            if (says) {
                assertThat(err.toString()).contains(file + ":" + (i + 1) + ": ");
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"../docs/guides/examples/traefik.ballast.yaml", "../lb-server/src/dist/ballast.yaml"})
    void handWrittenFileLoadsWithoutWarning(Path file) throws Exception {
        assertThat(new ConfigLoader(name -> null).load(file).warnings()).isEmpty();
    }

    @Test
    void reportHasNoSecretsAndKeepsVariables() throws IOException {
        Path file = FILES.resolve("haproxy/odd.cfg");

        run("haproxy", file.toString());

        assertThat(err.toString()).doesNotContain("secret1", "secret2");
        assertThat(out.toString()).contains("Bearer ${TOKEN}", "127.0.0.1:${PORT}");
    }

    @Test
    void reportHasNoCredentialHeaders() throws IOException {
        Path divisor = Files.writeString(
                directory.resolve("divisor.yaml"),
                "port: 80\nbackends: [{url: 'localhost:9001'}]\ncustom_headers:\n  Authorization: Basic secret4\n");
        Path haproxy = file("""
                frontend f
                 bind :80
                 mode http
                 default_backend b
                backend b
                 mode http
                 option httpchk GET / HTTP/1.1\\r\\nAuthorization:\\ Basic\\ secret5
                 http-check send uri / hdr Authorization "Basic secret6"
                 server s 10.0.0.1:80 check
                """);

        run("divisor", divisor.toString());
        run("haproxy", haproxy.toString());

        assertThat(err.toString())
                .contains("custom_headers.Authorization ***", "Authorization: ***", "hdr Authorization ***")
                .doesNotContain("secret4", "secret5", "secret6");
    }

    @Test
    void mixedVerificationKeepsVerification() throws IOException {
        String start = "frontend f\n bind :80\n mode http\n default_backend b\nbackend b\n mode http\n";
        String verified = " server v 10.0.0.1:443 ssl verify required ca-file /a.pem sni str(a)\n";
        String unverified = " server u 10.0.0.2:443 ssl verify none sni str(b)\n";

        for (String servers : List.of(verified + unverified, unverified + verified)) {
            assertThat(run("haproxy", file(start + servers).toString())).isEqualTo(3);
        }

        assertThat(out.toString()).doesNotContain("insecure: true").contains("ca: /a.pem");
        assertThat(err.toString())
                .containsPattern(":8: no equivalent: server [uv] .*are either all verified, as imported, or none")
                .contains(
                        "tls.server_name is set per pool; the value used is a",
                        "tls.server_name is set per pool; the value used is b");
    }

    @Test
    void mixedTlsCreatesTwoPools() throws IOException {
        Path file = file("""
                frontend f
                 bind :80
                 mode http
                 default_backend b
                backend b
                 mode http
                 server s 10.0.0.1:443 ssl
                 server t 10.0.0.2:80
                """);

        assertThat(run("haproxy", file.toString())).isEqualTo(3);
        assertThat(err.toString())
                .contains(
                        ":8: no equivalent: server t 10.0.0.2:80 (either all backends of a pool use TLS or none; use two pools)");
    }

    @Test
    void listenersOfSamePortHaveDifferentNames() throws Exception {
        Path haproxy = file("""
                frontend f
                 bind 127.0.0.1:80,127.0.0.2:80,127.0.0.3:80
                 mode http
                 default_backend b
                backend b
                 mode http
                 server s 10.0.0.1:80
                """);
        Path nginx = file("stream { server { listen 127.0.0.1:53; listen 127.0.0.2:53; proxy_pass 10.0.0.1:53; } }");
        Path written = directory.resolve("written.yaml");

        for (List<Object> each : List.of(List.<Object>of("haproxy", haproxy, 3), List.<Object>of("nginx", nginx, 2))) {
            run(each.get(0).toString(), each.get(1).toString(), "-o", written.toString());
            assertThat(new ConfigLoader(name -> null).load(written).config().listeners())
                    .hasSize((Integer) each.get(2));
            Files.delete(written);
        }
    }

    @Test
    void overtakenDenialIsReported() throws IOException {
        Path file = file("""
                frontend f
                 bind :80
                 mode http
                 http-request deny if { path_reg [0-9]x }
                 use_backend b if { path_reg ^/files/[a-z]+ }
                 default_backend b
                backend b
                 mode http
                 server s 10.0.0.1:80
                """);

        assertThat(run("haproxy", file.toString())).isEqualTo(3);
        assertThat(err.toString())
                .contains(
                        ":5: no equivalent: use_backend b if { path_reg ^/files/[a-z]+ }"
                                + " (takes precedence for requests that line 4 also matches, because this route is more specific)");
    }

    @Test
    void untranslatableFileExitsWith3() throws IOException {
        Path good = file(
                "frontend f\n bind :80\n mode http\n default_backend b\nbackend b\n mode http\n server s 10.0.0.1:80\n");
        Path bad = file("frontend f\n bind :80\n filter spoe\n default_backend b\nbackend b\n server s 10.0.0.1:80\n");

        assertThat(run("haproxy", good.toString())).isZero();
        assertThat(run("haproxy", bad.toString())).isEqualTo(3);
        assertThat(err.toString()).contains(bad + ":3: no equivalent: filter spoe");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "haproxy | server s 10.0.0.1:80 | :1: server s 10.0.0.1:80 is outside any section",
                "haproxy | frontend 'f | :1: missing closing quote",
                "haproxy | frontend \"${\" | :1: missing '}' after a variable",
                "nginx | http { | : the file ends within a block or a directive",
                "nginx | } | :1: '}' is not expected here",
                "nginx | http { server { listen \"80; } } | :1: missing closing quote",
                "divisor | port: 80 | backends: empty (expected: at least one backend with a url)",
                "divisor | 'a: [' | :1:5: ",
            })
    void unreadableFileExitsWith1AndPlace(String grammar, String text, String message) throws IOException {
        Path file = file(text.equals("'a: ['") ? "a: [" : text);

        assertThat(run(grammar, file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains(message.strip());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void reportsMissingFileAndUnknownFormat() {
        assertThat(run("nginx", directory.resolve("absent").toString())).isEqualTo(1);
        assertThat(err.toString()).contains("absent does not exist");
        assertThat(run("apache", "file")).isEqualTo(2);
    }

    @Test
    void includeCyclesEnd() throws IOException {
        Path file = directory.resolve("loop.conf");
        Files.writeString(file, "include loop.conf;\n");

        assertThat(run("nginx", file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("levels of includes");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "foreign", ".cfg"), text);
    }

    private static String grammar(Path file) {
        String name = file.toString();
        return name.endsWith(".cfg") ? "haproxy" : name.endsWith(".conf") ? "nginx" : "divisor";
    }

    private static Path beside(Path file, String extension) {
        return file.resolveSibling(file.getFileName().toString().replaceFirst("[.][a-z]+$", "") + extension);
    }

    /** Removes the location of this source tree from the text. */
    private static String anywhere(String text, Path file) {
        Path directory = file.toAbsolutePath().getParent();
        return text.replace(directory + "/", "").replace(file.getParent() + "/", "");
    }

    private int run(String... arguments) {
        String[] all = Stream.concat(Stream.of("import"), Stream.of(arguments)).toArray(String[]::new);
        return TestedCommands.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute(all);
    }
}
