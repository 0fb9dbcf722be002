package io.ballast.config.form;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Shape;
import io.ballast.config.longform.LongForm;
import io.ballast.config.shorthand.ShortForm;
import io.ballast.config.yaml.Node;
import io.ballast.config.yaml.SourcePosition;
import io.ballast.config.yaml.YamlWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The two forms of a configuration file, long and short, which are distinguished by its top-level keys. */
public final class Forms {

    private Forms() {}

    /** Reads a configuration file in either form; returns empty after reporting its errors. */
    public static Optional<BallastConfig> read(Node root, ReadContext reading) {
        if (!(root instanceof Node.Mapping mapping)) {
            reading.mismatch(root, "a mapping with keys such as 'listeners' and 'pools'");
            return Optional.empty();
        }
        List<String> longKeys = keysOf(LongForm.SHAPE, mapping);
        List<String> shortKeys = keysOf(ShortForm.SHAPE, mapping);
        if (longKeys.isEmpty() && !shortKeys.isEmpty()) {
            return ShortForm.read(mapping, reading);
        }
        if (shortKeys.isEmpty()) {
            return LongForm.read(mapping, reading);
        }
        reportMix(mapping, shortKeys.get(0), longKeys.get(0), reading);
        return Optional.empty();
    }

    /** Returns the configuration in long form, with every default filled in. */
    public static String print(BallastConfig config) {
        return YamlWriter.write(tree(config));
    }

    /** Returns the long form as maps, lists, strings, numbers and booleans. */
    public static Map<String, Object> tree(BallastConfig config) {
        return LongForm.SHAPE.print(config);
    }

    private static void reportMix(Node.Mapping root, String shortKey, String longKey, ReadContext reading) {
        String other = root.entry(longKey)
                .map(Node.Entry::keyPlace)
                .map(SourcePosition::toString)
                .orElse("");
        String message = "'" + shortKey + "' belongs to the short form and '" + longKey + "' (at " + other
                + ") to the long form; a file must use one form only";
        root.entry(shortKey).ifPresent(entry -> reading.error(root, entry, message));
    }

    private static List<String> keysOf(Shape<?> form, Node.Mapping root) {
        return root.entries().keySet().stream()
                .filter(key ->
                        form.keys().stream().anyMatch(known -> known.name().equals(key)))
                .toList();
    }
}
