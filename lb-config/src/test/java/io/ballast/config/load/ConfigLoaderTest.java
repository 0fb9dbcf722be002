package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.config.yaml.Problem;
import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigLoaderTest {

    private static final String GOOD = "port: 8000\nbackends: [localhost:8080]\n";

    @TempDir
    private Path directory;

    @Test
    void reportsAllProblemsInFileOrder() throws IOException {
        int backends = 20_000;
        String text = IntStream.range(0, backends)
                .mapToObj(i -> "  - {url: 'localhost', wieght: " + i + "}\n")
                .collect(Collectors.joining("", "port: 8000\nbackends:\n", ""));

        List<Problem> problems = problemsIn(text.getBytes(StandardCharsets.UTF_8));

        assertThat(problems).hasSize(2 * backends - 1);
        assertThat(problems)
                .isSortedAccordingTo(
                        (a, b) -> Integer.compare(a.place().line(), b.place().line()));
    }

    @Test
    void listsAllFiles() throws Exception {
        Path main = file("include: [more.yaml]\nlisteners: [{bind: 127.0.0.1:8000, pool: web}]\n");
        Path more = Files.writeString(directory.resolve("more.yaml"), "pools: {web: {backends: [a:1]}}\n");

        LoadedConfig loaded = ConfigFiles.loader().load(main);

        assertThat(loaded.sources().files().keySet()).containsExactly(main, more);
    }

    @Test
    void listsFilesOfInvalidConfiguration() throws Exception {
        Path main = file("include: [more.yaml, 'conf.d/*.yaml']\n"
                + "dns: {listeners: [{bind: 127.0.0.1:5300}], zones: [{name: example.com, file: "
                + directory.resolve("zone")
                + "}]}\n");
        Path more = Files.writeString(directory.resolve("more.yaml"), "grace: 1s\n");
        Path zone = Files.writeString(directory.resolve("zone"), "$INCLUDE records\n");
        Path records = Files.writeString(directory.resolve("records"), "@ IN A not-an-address\n");

        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(main));

        assertThat(refused.sources().files().keySet()).contains(main, more, zone, records);
        assertThat(refused.sources().included().keySet()).contains(new Sources.Include(main, "conf.d/*.yaml"));
    }

    @Test
    void rejectsIncludeCycleThroughLink() throws Exception {
        Files.createSymbolicLink(directory.resolve("here"), directory);
        Path main = file("include: [here/lb.yaml]\nlisteners: [{bind: 127.0.0.1:8000, pool: web}]\n");

        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(main));

        assertThat(refused).hasMessageContaining("includes itself");
    }

    @Test
    void acceptsByteOrderMarkAndWindowsLineEnds() throws Exception {
        LoadedConfig loaded = ConfigFiles.loader().load(file("\ufeff" + GOOD.replace("\n", "\r\n")));

        assertThat(loaded.config().listeners().get(0).bind()).isEqualTo(new HostPort("0.0.0.0", 8000));
    }

    @Test
    void rejectsFileThatIsNotUtf8() throws IOException {
        byte[] text = (GOOD + "# \u00fc\n").getBytes(StandardCharsets.ISO_8859_1);

        assertThat(problemsIn(text)).extracting(Problem::message).containsExactly("is not UTF-8");
    }

    @Test
    void rejectsExcessiveFile() throws IOException {
        byte[] text = new byte[FileText.MAX_BYTES + 1];
        Arrays.fill(text, (byte) '\n');

        assertThat(problemsIn(text))
                .extracting(Problem::message)
                .containsExactly("cannot be read: it is larger than 8388608 bytes");
    }

    @Test
    void rejectsDirectory() {
        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(directory));

        assertThat(refused).hasMessage(directory + ": cannot be read: it is a directory");
    }

    @Test
    void reportsAllRecordConstraintsTogether() throws IOException {
        String text = """
                listeners: [{bind: 127.0.0.1:8000, pool: web}]
                pools: {web: {backends: [a:1], connections: {connect_timeout: 0s, max_age: 0s, idle_timeout: 0s}}}
                """;

        assertThat(problemsIn(text.getBytes(StandardCharsets.UTF_8)))
                .extracting(Problem::path)
                .containsExactly(
                        "pools.web.connections.connect_timeout",
                        "pools.web.connections.max_age",
                        "pools.web.connections.idle_timeout");
    }

    @Test
    void problemsListAllKeysOfObject() throws IOException {
        String text = """
                listeners: [{bind: 127.0.0.1:8000, pool: web}]
                pools: {web: {backends: [a:1], queue: {colour: 1}}, api: {backends: [a:1], queue: []}}
                """;

        assertThat(problemsIn(text.getBytes(StandardCharsets.UTF_8)))
                .extracting(Problem::message)
                .containsExactly(
                        "unknown key 'colour' (expected: size, timeout)",
                        "an empty list (expected: a mapping with the keys size, timeout)");
    }

    private List<Problem> problemsIn(byte[] text) throws IOException {
        Path file = Files.write(directory.resolve("lb.yaml"), text);
        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(file));
        return refused.problems();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("lb.yaml"), text);
    }
}
