package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.longform.LongForm;
import io.ballast.config.yaml.YamlWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NonDefaultKeysTest {

    private record Limit(int size, boolean strict) {

        static final Limit DEFAULT = new Limit(1, false);
    }

    private record Server(Limit limit, List<Limit> each, Map<String, Limit> named, int port) {}

    private static final ShapeBuilder<Limit> LIMIT_KEYS = Shape.named("limit", "");
    private static final Key<Integer> SIZE =
            LIMIT_KEYS.optional("size", Scalars.integer(0, 9), Limit.DEFAULT.size(), "", Limit::size);
    private static final Key<Boolean> STRICT =
            LIMIT_KEYS.optional("strict", Scalars.BOOLEAN, Limit.DEFAULT.strict(), "", Limit::strict);
    /** A mapping, or the size alone; a limit of size 9 is printed as the size alone. */
    private static final Type<Limit> LIMIT = new BriefType<>(
            Scalars.integer(0, 9).map(size -> new Limit(size, Limit.DEFAULT.strict()), Limit::size),
            LIMIT_KEYS.build(values -> new Limit(values.get(SIZE), values.get(STRICT))),
            limit -> limit.size() == 9);

    private static final ShapeBuilder<Server> SERVER_KEYS = Shape.named("server", "");
    private static final Key<Limit> OF_SERVER = SERVER_KEYS.optional("limit", LIMIT, Limit.DEFAULT, "", Server::limit);
    private static final Key<List<Limit>> EACH =
            SERVER_KEYS.optional("each", ListType.of(LIMIT), List.of(), "", Server::each);
    private static final Key<Map<String, Limit>> NAMED = SERVER_KEYS.optional(
            "named", new NamedType<>(LIMIT.map(limit -> limit, limit -> limit)), Map.of(), "", Server::named);
    private static final Key<Integer> PORT = SERVER_KEYS.required("port", Scalars.integer(0, 9), "", Server::port);
    private static final Shape<Server> SERVER = SERVER_KEYS.build(
            values -> new Server(values.get(OF_SERVER), values.get(EACH), values.get(NAMED), values.get(PORT)));

    private static String nonDefault(Server server) {
        return YamlWriter.write(new NonDefaultKeys().of(SERVER, SERVER.print(server)));
    }

    @Test
    void omitsDefaultsButNotRequiredKeys() {
        Server server = new Server(Limit.DEFAULT, List.of(), Map.of(), 1);

        assertThat(nonDefault(server)).isEqualTo("port: 1\n");
    }

    @Test
    void printsChangedKeyOfNestedObject() {
        Server server = new Server(new Limit(1, true), List.of(), Map.of(), 1);

        assertThat(nonDefault(server)).isEqualTo("""
                limit:
                  strict: true
                port: 1
                """);
    }

    @Test
    void keepsListItemsAndNamesWithoutTheirDefaults() {
        Server server = new Server(
                Limit.DEFAULT,
                List.of(Limit.DEFAULT, new Limit(2, false), new Limit(2, true)),
                Map.of("a", new Limit(1, true)),
                1);

        assertThat(nonDefault(server)).isEqualTo("""
                each:
                  - {}
                  - size: 2
                  - size: 2
                    strict: true
                named:
                  a:
                    strict: true
                port: 1
                """);
    }

    @Test
    void printsBriefValue() {
        Server server = new Server(new Limit(9, false), List.of(), Map.of(), 1);

        assertThat(nonDefault(server)).isEqualTo("limit: 9\nport: 1\n");
    }

    @Test
    void findsKeysWithOtherValues() {
        NonDefaultKeys keys = new NonDefaultKeys();

        keys.of(SERVER, SERVER.print(new Server(new Limit(1, true), List.of(), Map.of(), 1)));

        assertThat(keys.found()).containsExactlyInAnyOrder(OF_SERVER, STRICT, PORT);
    }

    /**
     * Tests that the default of an object equals the defaults of its keys. Otherwise a golden file would omit a value
     * that is not the default.
     */
    @Test
    void defaultsOfObjectsAgreeWithDefaultsOfTheirKeys() {
        Map<String, Object> remaining = new LinkedHashMap<>();
        for (Shape<?> shape : LongForm.SHAPE.shapes()) {
            for (Key<?> key : shape.keys()) {
                key.printedFallback()
                        .filter(Map.class::isInstance)
                        .ifPresent(fallback -> remaining.put(
                                shape.name() + "." + key, new NonDefaultKeys().inside(key.type(), fallback)));
            }
        }

        assertThat(remaining).hasSizeGreaterThan(10);
        assertThat(remaining.values()).containsOnly(Map.of());
    }
}
