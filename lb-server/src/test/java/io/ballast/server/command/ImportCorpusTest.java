package io.ballast.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.GeneratedFile;
import io.ballast.net.testing.TestCertificate;
import io.ballast.server.Main;
import io.ballast.server.testing.ForeignFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests files that use the directives of well-known public configurations: the configuration written for each passes
 * {@code lb check}, and the report contains every directive. {@code no-equal.txt} in the same directory lists the
 * directives of each file that have no equivalent.
 */
class ImportCorpusTest {

    private static final Path NO_EQUAL = Path.of("src/test/resources/import/corpus/no-equal.txt");
    private static final Pattern REPORTED =
            Pattern.compile("(?:.*?:[0-9]+: no equivalent|omitted \\(the default applies\\)): (\\S+(?: \\S+)?).*");
    private static final Set<String> OF_TWO_WORDS =
            Set.of("option", "http-request", "http-response", "http-check", "tcp-request", "timeout", "location");
    private static final int MIN = 40;

    @TempDir
    private Path directory;

    static List<ForeignFile> files() {
        return ForeignFile.all();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("files")
    void outputPassesCheckAndReportsAllDirectives(ForeignFile file) throws IOException {
        Path written = directory.resolve("written.yaml");
        Path report = directory.resolve("report");
        StringWriter messages = new StringWriter();
        Path copy = copy(file);

        int exitCode = run(
                messages,
                "import",
                file.balancer(),
                copy.toString(),
                "-o",
                written.toString(),
                "--report",
                report.toString());

        assertThat(exitCode).as(messages.toString()).isIn(0, 3);
        assertThat(run(messages, "check", written.toString()))
                .as(messages + Files.readString(written))
                .isZero();
        String reported = Files.readString(report);
        List<String> lines = Files.readAllLines(file.path());
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#") && !line.startsWith("}")) {
                assertThat(reported).contains(copy + ":" + (i + 1) + ": ");
            }
        }
    }

    /** Copies the file, with the path of an existing certificate. */
    private Path copy(ForeignFile file) throws IOException {
        TestCertificate certificate = TestCertificate.create();
        Path pem =
                Files.writeString(directory.resolve("site.pem"), certificate.certificatePem() + certificate.keyPem());
        String text = file.text().replaceAll("/etc/ssl/site[.](crt|key|pem)", pem.toString());
        return Files.writeString(directory.resolve(file.path().getFileName()), text);
    }

    @Test
    void untranslatableDirectivesAreListed() throws IOException {
        StringBuilder all = new StringBuilder();
        for (ForeignFile file : files()) {
            StringWriter report = new StringWriter();
            int exitCode = run(report, "import", file.balancer(), file.path().toString());
            String names = report.toString()
                    .lines()
                    .map(REPORTED::matcher)
                    .filter(Matcher::matches)
                    .map(matcher -> label(matcher.group(1)))
                    .distinct()
                    .collect(Collectors.joining(", "));
            all.append(file)
                    .append(": ")
                    .append(exitCode == 0 ? "all is there" : names)
                    .append('\n');
        }

        assertThat(files()).hasSizeGreaterThanOrEqualTo(MIN);
        GeneratedFile.of(NO_EQUAL).assertIs(all.toString());
    }

    private static String label(String words) {
        String first = words.replaceFirst(":? .*", "");
        return OF_TWO_WORDS.contains(first) ? words : first;
    }

    private static int run(StringWriter err, String... arguments) {
        return Main.commandLine()
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute(arguments);
    }
}
