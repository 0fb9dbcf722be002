package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.longform.LongForm;
import io.ballast.config.shorthand.ShortForm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The reference's tables of keys, which stand in a file between two marks, are made from the keys. */
class ReferenceFileTest {

    private static final Path FILE = ConfigFiles.ROOT.resolve("docs/configuration.md");
    private static final String BEGIN = "<!-- keys: made by ReferenceFileTest from the keys themselves -->\n";
    private static final String END = "<!-- end of keys -->\n";

    @Test
    void tablesMatchKeys() throws IOException {
        String text = ConfigFiles.text(FILE);
        assertThat(text).contains(BEGIN, END);

        String head = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String tail = text.substring(text.indexOf(END));

        GeneratedFile.of(FILE)
                .assertIs(head + form(LongForm.SHAPE, "Long form") + form(ShortForm.SHAPE, "Short form") + tail);
    }

    private static String form(Shape<?> form, String title) {
        StringBuilder out = new StringBuilder("\n## " + title + "\n");
        form.shapes().forEach(shape -> out.append(shape(shape)));
        return out.append('\n').toString();
    }

    private static String shape(Shape<?> shape) {
        StringBuilder out = new StringBuilder("\n### " + shape.name() + "\n\n" + shape.summary());
        shape.rules().forEach(rule -> out.append(' ').append(rule.replace('\'', '`')));
        out.append("\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
        shape.keys().forEach(key -> out.append(row(key)));
        return out.toString();
    }

    private static String row(Key<?> key) {
        String cells = String.join(" | ", "`" + key.name() + "`", value(key), fallback(key), key.summary());
        return "| " + cells + " |\n";
    }

    private static String value(Key<?> key) {
        String label = key.type().label();
        for (Shape<?> shape : key.type().shapes()) {
            label = label.replaceAll(
                    "\\b" + shape.name() + "\\b(?![\\])])", "[" + shape.name() + "](#" + shape.name() + ")");
        }
        return label;
    }

    private static String fallback(Key<?> key) {
        if (key.isRequired()) {
            return "required";
        }
        Object value = key.printedFallback().orElse("");
        if (value instanceof Map<?, ?> map) {
            return map.isEmpty() ? "none" : "its defaults";
        }
        return value instanceof List || value.toString().isEmpty() ? "" : "`" + value + "`";
    }
}
