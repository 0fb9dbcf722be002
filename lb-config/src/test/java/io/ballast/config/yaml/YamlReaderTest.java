package io.ballast.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class YamlReaderTest {

    private final Problems problems = new Problems();

    @Test
    void nodesHavePlaceAndPath() {
        Node.Mapping root = mapping("""
                listeners:
                  - bind: a:1
                    routes: [x, {pool: y}]
                """);

        Node.Sequence listeners = (Node.Sequence) value(root, "listeners");
        Node.Mapping listener = (Node.Mapping) listeners.items().get(0);
        Node.Sequence routes = (Node.Sequence) value(listener, "routes");
        Node.Mapping route = (Node.Mapping) routes.items().get(1);

        assertThat(listener.place()).hasToString("test.yaml:2:5");
        assertThat(listener.path()).isEqualTo("listeners[0]");
        assertThat(listener.entries().get("routes").keyPlace()).hasToString("test.yaml:3:5");
        assertThat(value(route, "pool").place()).hasToString("test.yaml:3:24");
        assertThat(value(route, "pool").path()).isEqualTo("listeners[0].routes[1].pool");
    }

    @Test
    void scalarsKeepTheirText() {
        Node.Mapping root =
                mapping("a: 010\nb: on\nc: 1_000\nd: 'null'\ne: 0x1F\nf: .5\ng: 2026-01-01\nh: |\n  x\n  y\n");

        assertThat(root.entries().values())
                .extracting(entry -> ((Node.Scalar) entry.value()).text())
                .containsExactly("010", "on", "1_000", "null", "0x1F", ".5", "2026-01-01", "x\ny\n");
        assertThat(root.entries().values()).noneMatch(entry -> ((Node.Scalar) entry.value()).isNull());
    }

    @Test
    void missingValueIsNull() {
        Node.Mapping root = mapping("a:\nb: ~\nc: null\n");

        assertThat(root.entries().values()).allMatch(entry -> ((Node.Scalar) entry.value()).isNull());
    }

    @Test
    void firstDuplicateKeyWins() {
        Node.Mapping root = mapping("a: 1\nb: 2\na: 3\n");

        assertThat(value(root, "a").describe()).isEqualTo("'1'");
        assertThat(problems.errors())
                .containsExactly(new Problem(
                        new SourcePosition("test.yaml", 3, 1), "", "duplicate key 'a' (first at test.yaml:1:1)"));
    }

    @Test
    void reportedNodesAreIgnored() {
        Node.Mapping root = mapping("a: *x\nb: ${UNSET}\n");

        assertThat(value(root, "a")).isInstanceOf(Node.Invalid.class);
        assertThat(value(root, "b")).isInstanceOf(Node.Invalid.class);
        assertThat(problems.errors()).hasSize(2);
    }

    @Test
    void syntaxErrorsAreInPlainWords() throws Exception {
        Random random = new Random(7);
        String good = Files.readString(Path.of("../config/routing.yaml"));
        String marks = "*&!%@`|>-:?[]{},\"'# \t\n\\~";
        int refused = 0;
        for (int i = 0; i < 3000; i++) {
            StringBuilder text = new StringBuilder(good);
            for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
                int at = random.nextInt(text.length());
                if (random.nextBoolean()) {
                    text.insert(at, marks.charAt(random.nextInt(marks.length())));
                } else {
                    text.deleteCharAt(at);
                }
            }
            Problems found = new Problems();
            Optional<Node> unused =
                    new YamlReader("test.yaml", new Variables(name -> "x"), found).read(text.toString());
            for (Problem problem : found.errors()) {
                refused += problem.message().startsWith("not YAML") ? 1 : 0;
                assertThat(problem.message())
                        .as(text.toString())
                        .doesNotContainPattern("while (scanning|parsing)|<(block|stream|document|scalar|flow)|token"
                                + "|mapping values|could not find|snakeyaml|jackson|Marks left|States left");
            }
        }
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void readsLargeFileUpToLimit() {
        String line = "- {name: zone.example, file: zones/zone.example}\n";
        int mebibyte = (1 << 20) / line.length() + 1;

        assertThat(messages(line.repeat(4 * mebibyte))).isEmpty();
        String comment = "# a comment\n";
        int comments = (YamlReader.MAX_MEBIBYTES << 20) / comment.length() + 1;
        assertThat(messages(comment.repeat(comments) + "a: b"))
                .singleElement()
                .asString()
                .endsWith("the file is too large (expected: at most 32 MiB)");
    }

    private static List<String> messages(String text) {
        Problems found = new Problems();
        Optional<Node> unused = new YamlReader("test.yaml", new Variables(name -> ""), found).read(text);
        return found.errors().stream().map(Problem::message).toList();
    }

    @Test
    void recognizesFileOfOtherBalancer() {
        assertThat(foreign("global\n  daemon\n")).contains("the syntax of HAProxy", "lb import haproxy FILE");
        assertThat(foreign("# x\n\nfrontend web-1\n  bind *:80\n")).contains("HAProxy");
        assertThat(foreign("user www-data;\nhttp {\n}\n")).contains("the syntax of nginx", "lb import nginx FILE");
        assertThat(foreign("map $a $b { default x; }\n")).contains("nginx");
        assertThat(foreign("upstream a {\n server b; }\n")).contains("nginx");
        assertThat(foreign("global: x\n")).isEmpty();
        assertThat(foreign("frontend: web\n")).isEmpty();
        assertThat(foreign("server: {a: b}\n")).isEmpty();
    }

    private static String foreign(String text) {
        Problems found = new Problems();
        Optional<Node> unused = new YamlReader("test.yaml", new Variables(name -> null), found).read(text);
        return found.errors().stream().map(Problem::message).collect(Collectors.joining("\n"));
    }

    private Node.Mapping mapping(String text) {
        YamlReader reader = new YamlReader("test.yaml", new Variables(Map.<String, String>of()::get), problems);
        return (Node.Mapping) reader.read(text).orElseThrow();
    }

    private static Node value(Node.Mapping mapping, String key) {
        return mapping.entry(key).orElseThrow().value();
    }
}
