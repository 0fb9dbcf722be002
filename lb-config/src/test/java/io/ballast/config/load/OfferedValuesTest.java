package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.ballast.config.form.Forms;
import io.ballast.config.key.BriefType;
import io.ballast.config.key.ChoiceType;
import io.ballast.config.key.DerivedType;
import io.ballast.config.key.Key;
import io.ballast.config.key.ListType;
import io.ballast.config.key.NamedType;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.longform.LongForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The reference and the schema offer the words of each key with a choice. Tests that a configuration accepts each of
 * these words: a file in this tree, or a file in which another word of the key was replaced.
 */
class OfferedValuesTest {

    private static final Path GOOD = ConfigFiles.GOLDEN.resolve("good");
    private static final List<Path> FILES = Stream.concat(
                    ConfigFiles.in(GOOD).stream(), ConfigFiles.examples().stream())
            .toList();

    @TempDir
    private Path directory;

    /** The temporary copy of each directory with configuration files, by the original directory. */
    private final Map<Path, Path> copies = new HashMap<>();

    private final Map<Key<?>, Set<String>> accepted = new HashMap<>();

    @Test
    void everyOfferedWordIsAccepted() throws Exception {
        copyDirectories();
        for (Path file : FILES) {
            collect(ConfigFiles.loader().load(file), ConfigFiles.text(file));
        }
        List<String> refused = new ArrayList<>();
        for (Shape<?> shape : LongForm.SHAPE.shapes()) {
            for (Key<?> key : shape.keys()) {
                for (String word : offered(key.type())) {
                    if (!isAccepted(key, word) && !acceptsInstead(key, word)) {
                        refused.add(shape.name() + "." + key + ": " + word);
                    }
                }
            }
        }

        assertThat(refused)
                .as("words that the reference offers, but no configuration accepts")
                .isEmpty();
    }

    private boolean isAccepted(Key<?> key, String word) {
        return accepted.getOrDefault(key, Set.of()).contains(word);
    }

    /** Whether a file stays valid if the word replaces the current value of the key. */
    private boolean acceptsInstead(Key<?> key, String word) throws IOException {
        List<String> others = offered(key.type());
        String list = "\\[[^\\[\\]]*\\]";
        String object = "\\{[^{}]*\\}";
        Pattern place = Pattern.compile("(?<![\\w-])" + Pattern.quote(key.name()) + ": *(\"?(?:"
                + String.join("|", others) + ")\"?(?=[\\s,}#])|" + list + "|" + object + ")");
        for (Path file : FILES) {
            String text = ConfigFiles.text(file);
            Matcher found = place.matcher(text);
            while (found.find()) {
                boolean isList = found.group(1).startsWith("[");
                String value = isList ? "[\"" + word + "\"]" : "\"" + word + "\"";
                boolean isBoolean = word.equals("true") || word.equals("false");
                load(
                        file,
                        text.substring(0, found.start(1)) + (isBoolean ? word : value) + text.substring(found.end(1)));
                if (isAccepted(key, word)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Collects the words of a changed file, unless the file is invalid. */
    private void load(Path original, String text) throws IOException {
        Path changed = Files.writeString(copies.get(original.getParent()).resolve("changed.yaml"), text);
        try {
            collect(ConfigFiles.loader().load(changed), text);
        } catch (ConfigException invalid) {
            assertThat(invalid.problems()).isNotEmpty();
        }
    }

    /** Copies the directories of all configuration files, because the files refer to other files in their directory. */
    private void copyDirectories() throws IOException {
        for (Path root : List.of(GOOD, ConfigFiles.EXAMPLES)) {
            Path copy = Files.createTempDirectory(directory, "copy");
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(each -> !each.equals(root)).toList()) {
                    Files.copy(file, copy.resolve(root.relativize(file).toString()));
                }
            }
            FILES.stream()
                    .map(Path::getParent)
                    .filter(parent -> parent.startsWith(root))
                    .forEach(parent -> copies.put(
                            parent, copy.resolve(root.relativize(parent).toString())));
        }
    }

    /** Collects the words of a valid file, as they are written and as they are printed. */
    private void collect(LoadedConfig valid, String text) throws IOException {
        collect(LongForm.SHAPE, Forms.tree(valid.config()));
        Map<?, ?> written = new YAMLMapper().readValue(text, Map.class);
        if (LongForm.SHAPE.keys().stream().map(Key::name).toList().containsAll(written.keySet())) {
            collect(LongForm.SHAPE, written);
        }
    }

    private void collect(Shape<?> shape, Map<?, ?> printed) {
        for (Key<?> key : shape.keys()) {
            Object value = printed.get(key.name());
            if (value != null) {
                collect(key, key.type(), value);
            }
        }
    }

    private void collect(Key<?> key, Type<?> type, Object printed) {
        if (type instanceof DerivedType<?, ?> derived) {
            collect(key, derived.source(), printed);
        } else if (type instanceof BriefType<?> brief) {
            boolean isScalar = !(printed instanceof Map) && !(printed instanceof List);
            collect(key, isScalar ? brief.brief() : brief.full(), printed);
        } else if (type instanceof Shape<?> shape && printed instanceof Map<?, ?> object) {
            collect(shape, object);
        } else if (type instanceof ListType<?> list && printed instanceof List<?> items) {
            items.forEach(item -> collect(key, list.item(), item));
        } else if (type instanceof NamedType<?> named && printed instanceof Map<?, ?> values) {
            values.values().forEach(value -> collect(key, named.type(), value));
        } else {
            accepted.computeIfAbsent(key, unused -> new LinkedHashSet<>()).add(String.valueOf(printed));
        }
    }

    /** Returns the words that a type offers; empty if the type is not a choice. */
    private static List<String> offered(Type<?> type) {
        if (type instanceof ChoiceType<?> choice) {
            return List.of(choice.label().split(", "));
        }
        if (type instanceof DerivedType<?, ?> derived) {
            return offered(derived.source());
        }
        if (type instanceof ListType<?> list) {
            return offered(list.item());
        }
        if (type instanceof NamedType<?> named) {
            return offered(named.type());
        }
        if (type instanceof BriefType<?> brief) {
            return Stream.concat(offered(brief.brief()).stream(), offered(brief.full()).stream())
                    .distinct()
                    .toList();
        }
        return List.of();
    }
}
