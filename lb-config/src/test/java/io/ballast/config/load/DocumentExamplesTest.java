package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that every YAML example in the documents can be loaded: code blocks, and mappings and lists within a
 * sentence. A partial example is first inserted at a valid place of a complete configuration.
 */
class DocumentExamplesTest {

    private static final Pattern BLOCK = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern INLINE = Pattern.compile("`([a-z_]+: ?[{\\[][^`]*[}\\]])`");
    private static final Pattern POOL = Pattern.compile("(?:pool|forward): \"?([A-Za-z0-9_-]+)");

    /** Prefixes of examples that are not Ballast configurations. */
    private static final List<String> FOREIGN = List.of(
            "rules:\n  - apiGroups", // Kubernetes
            "authorization: {credentials_file", // Prometheus
            "forwarding_headers: [x-forwarded-for]"); // Divisor

    private static final String LISTENER = "listeners:\n  - bind: 127.0.0.1:8000\n    pool: main\n";
    private static final String DNS = "dns:\n  listeners: [{bind: \"127.0.0.1:5353\"}]\n";

    @TempDir
    private Path directory;

    /** An example, and the document that contains it. */
    record Example(String document, String text) {

        @Override
        public String toString() {
            return document + ": " + text.lines().limit(3).collect(Collectors.joining(" "));
        }
    }

    /** The text around a partial example that makes it a complete configuration. */
    private record Around(String before, int indent, String behind) {

        String of(String text) {
            return before + text.indent(indent) + behind;
        }
    }

    static List<Example> examples() throws IOException {
        List<Example> examples = new ArrayList<>();
        for (Path document : documents()) {
            String text = ConfigFiles.text(document);
            Stream.of(BLOCK, INLINE)
                    .flatMap(pattern -> pattern.matcher(text).results())
                    .map(result -> result.group(1))
                    .filter(example -> FOREIGN.stream().noneMatch(example::startsWith))
                    .map(example -> new Example(String.valueOf(document.getFileName()), example))
                    .forEach(examples::add);
        }
        assertThat(examples).hasSizeGreaterThan(40);
        return examples;
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> files = Files.walk(ConfigFiles.ROOT.resolve("docs"))) {
            return Stream.concat(Stream.of(ConfigFiles.ROOT.resolve("README.md")), files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file ->
                            !file.getParent().endsWith("docs/keys")) // excerpts of files that ExampleFilesTest loads
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void loadsExample(Example example) throws IOException, ConfigException {
        Files.writeString(directory.resolve("maintenance.html"), "<p>Back at nine.</p>");
        for (String name : List.of(
                "htpasswd",
                "api-keys",
                "blocked.txt",
                "audit.jar",
                "ca.pem",
                "sorry.html",
                "sorry.json",
                "sorry.txt")) {
            Files.copy(ConfigFiles.ROOT.resolve("config").resolve(name), directory.resolve(name));
        }
        Files.writeString(
                Files.createDirectory(directory.resolve("pools")).resolve("more.yaml"),
                "pools: {more: {backends: [\"127.0.0.1:9001\"]}}\n");
        if (example.text().startsWith("agent:")) {
            Path file = Files.writeString(directory.resolve("example.yaml"), example.text());
            assertThat(new AgentFileLoader(Map.of("TOKEN", "6mJ0")::get)
                            .load(file)
                            .config())
                    .isNotNull();
            return;
        }
        List<String> problems = new ArrayList<>();
        for (Around around : places(example.text())) {
            Path file = Files.writeString(directory.resolve("example.yaml"), around.of(example.text()));
            try {
                assertThat(loader().load(file).config()).isNotNull();
                return;
            } catch (ConfigException e) {
                problems.add(around.of(example.text()) + "\n" + e.getMessage());
            }
        }
        assertThat(problems).as(example.toString()).isEmpty();
    }

    private static ConfigLoader loader() {
        String hash = "$2y$10$5ecfuVMtm7UU4HdtxkeZzeZQYJGQcSnNyDlHVYvd4JuqWb7Tb6D9u";
        String hex = "5ec6".repeat(16);
        return new ConfigLoader(name -> name.equals("N")
                ? "1" // N is the number of a node
                : name.equals("DEPLOY_HASH") || name.endsWith("_KEY") ? hex : name.endsWith("_HASH") ? hash : null);
    }

    /**
     * Returns the places where an example may be valid, with definitions of the pools that the example
     * references.
     */
    private static List<Around> places(String text) {
        boolean hasPools = text.startsWith("pools:") || text.contains("\npools:");
        Set<String> named = new LinkedHashSet<>(List.of("main"));
        POOL.matcher(text)
                .results()
                .map((MatchResult result) -> result.group(1))
                .forEach(named::add);
        String pools = hasPools
                ? ""
                : "pools:\n"
                        + named.stream()
                                .map(name -> "  " + name + ": {backends: [\"127.0.0.1:9000\"]}\n")
                                .collect(Collectors.joining());
        String firstPool = hasPools
                ? text.replaceFirst("(?s).*?pools:\\s+([A-Za-z0-9_-]+):.*", "$1")
                        .strip()
                : "main";
        String listener = LISTENER.replace("main", firstPool);
        String firstLine = text.lines().findFirst().orElse("");
        boolean isOfDns = firstLine.equals("dns:");
        String rest = isOfDns ? "  forward: main\n" : "    backends: [\"127.0.0.1:9000\"]\n";
        return List.of(
                new Around("", 0, ""),
                new Around("", 0, pools),
                new Around("", 0, listener + pools),
                new Around("", 0, rest + pools),
                new Around("", 0, "  listeners: [{bind: \"127.0.0.1:5353\"}]\n" + rest + pools),
                new Around(listener, 0, rest),
                new Around(DNS + "  forward: main\n", 2, pools),
                new Around(LISTENER, 4, pools),
                new Around("listeners:\n  - bind: 127.0.0.1:8000\n", 4, pools),
                new Around(LISTENER.replace("    pool: main\n", "    routes:\n      - pool: main\n"), 8, pools),
                new Around(
                        "listeners:\n  - bind: 127.0.0.1:8000\n    routes:\n      - match: {path: /api}\n        pool: main\n",
                        8,
                        pools),
                new Around("listeners:\n  - bind: unix:/run/ballast.sock\n    pool: main\n", 4, pools),
                new Around(LISTENER + "pools:\n  main:\n    backends: [\"127.0.0.1:9000\"]\n", 4, ""),
                new Around(LISTENER + "pools:\n  main:\n", 4, ""),
                new Around(DNS, 2, pools),
                new Around(DNS + "  forward:\n    pool: main\n", 4, pools),
                new Around(
                        "geo:\n  regions: {eu: {cidrs: [192.0.2.0/24]}, us: {}}\n  default_region: eu\n"
                                + "pools: {eu: {backends: [\"192.0.2.1:443\"]}, us-east: {backends: [\"192.0.2.2:443\"]},"
                                + " us-west: {backends: [\"192.0.2.3:443\"]}}\n"
                                + DNS + "  forward: eu\n  zones:\n    - name: example.com\n",
                        6,
                        ""));
    }
}
