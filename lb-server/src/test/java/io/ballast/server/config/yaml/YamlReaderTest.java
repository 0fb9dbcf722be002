package io.ballast.server.config.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlReaderTest {

    private final Problems problems = new Problems();

    @Test
    void everyNodeKnowsItsPlaceAndPath() {
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
    void scalarsStayAsTheyAreWritten() {
        Node.Mapping root =
                mapping("a: 010\nb: on\nc: 1_000\nd: 'null'\ne: 0x1F\nf: .5\ng: 2026-01-01\nh: |\n  x\n  y\n");

        assertThat(root.entries().values())
                .extracting(entry -> ((Node.Scalar) entry.value()).text())
                .containsExactly("010", "on", "1_000", "null", "0x1F", ".5", "2026-01-01", "x\ny\n");
        assertThat(root.entries().values()).noneMatch(entry -> ((Node.Scalar) entry.value()).isNull());
    }

    @Test
    void valueThatIsNotThereIsNull() {
        Node.Mapping root = mapping("a:\nb: ~\nc: null\n");

        assertThat(root.entries().values()).allMatch(entry -> ((Node.Scalar) entry.value()).isNull());
    }

    @Test
    void firstOfTwoEqualKeysCounts() {
        Node.Mapping root = mapping("a: 1\nb: 2\na: 3\n");

        assertThat(value(root, "a").describe()).isEqualTo("'1'");
        assertThat(problems.errors())
                .containsExactly(
                        new Problem(new Place("test.yaml", 3, 1), "", "duplicate key 'a' (first at test.yaml:1:1)"));
    }

    @Test
    void whatWasReportedIsPassedOverLater() {
        Node.Mapping root = mapping("a: *x\nb: ${UNSET}\n");

        assertThat(value(root, "a")).isInstanceOf(Node.Invalid.class);
        assertThat(value(root, "b")).isInstanceOf(Node.Invalid.class);
        assertThat(problems.errors()).hasSize(2);
    }

    private Node.Mapping mapping(String text) {
        YamlReader reader = new YamlReader("test.yaml", new Variables(Map.<String, String>of()::get), problems);
        return (Node.Mapping) reader.read(text).orElseThrow();
    }

    private static Node value(Node.Mapping mapping, String key) {
        return mapping.entry(key).orElseThrow().value();
    }
}
