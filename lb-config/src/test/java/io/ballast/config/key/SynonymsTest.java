package io.ballast.config.key;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.longform.LongForm;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Tests that synonyms, which are terms of other load balancers, refer to existing keys and are not keys. */
class SynonymsTest {

    private static final Map<String, Shape<?>> SHAPES = LongForm.SHAPE.shapes().stream()
            .flatMap(shape -> shape.shapes().stream())
            .distinct()
            .collect(Collectors.toMap(Shape::name, Function.identity(), (one, other) -> one));

    @Test
    void synonymsReferToExistingKeys() {
        Synonyms.all().forEach((word, key) -> {
            String shape = word.substring(0, word.indexOf('.'));
            if (!shape.equals("choice")) {
                assertThat(SHAPES).containsKey(shape);
                assertThat(keys(requireNonNull(SHAPES.get(shape))))
                        .as(word)
                        .contains(key)
                        .doesNotContain(word.substring(shape.length() + 1));
            }
        });
    }

    @Test
    void ignoresSpellingVariants() {
        assertThat(Synonyms.key("pool", "healthCheck")).contains("health");
        assertThat(Synonyms.key("pool", "health-check")).contains("health");
        assertThat(Synonyms.key("pool", "lbPolicy")).contains("strategy");
        assertThat(Synonyms.value("LEAST_REQUEST")).contains("least-connection");
        assertThat(Synonyms.key("pool", "nothing")).isEmpty();
    }

    private static List<String> keys(Shape<?> shape) {
        return shape.keys().stream().map(Key::name).toList();
    }
}
