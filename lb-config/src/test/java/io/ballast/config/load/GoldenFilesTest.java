package io.ballast.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ballast.config.key.Key;
import io.ballast.config.key.Shape;
import io.ballast.config.longform.LongForm;
import io.ballast.config.shorthand.ShortForm;
import io.ballast.config.yaml.Problem;
import io.ballast.config.yaml.YamlWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the loaded configuration or the problems of each file, word for word, with the golden file next to
 * it. Golden files omit default values and abbreviate lists of keys, so that a new key does not change them.
 * {@code -Dballast.update=true} rewrites the golden files; review the diff before committing it.
 */
class GoldenFilesTest {

    private static final Path GOOD = ConfigFiles.GOLDEN.resolve("good");
    private static final Path BAD = ConfigFiles.GOLDEN.resolve("bad");

    static List<Path> good() {
        return ConfigFiles.in(GOOD);
    }

    static List<Path> bad() {
        return ConfigFiles.in(BAD);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void validFileHasExpectedMeaning(Path file) throws Exception {
        LoadedConfig loaded = ConfigFiles.loader().load(file);

        GeneratedFile.of(beside(file, ".expected"))
                .assertIs(lines(loaded.warnings(), GOOD, "# ") + anywhere(withoutDefaults(loaded), GOOD));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void validFileWithoutDefaultsIsEquivalent(Path file, @TempDir Path directory) throws Exception {
        LoadedConfig loaded = ConfigFiles.loader().load(file);

        Path shortened = Files.writeString(directory.resolve("shortened.yaml"), withoutDefaults(loaded));

        assertThat(ConfigFiles.loader().load(shortened).config()).isEqualTo(loaded.config());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void longFormOfValidFileIsEquivalent(Path file, @TempDir Path directory) throws Exception {
        LoadedConfig loaded = ConfigFiles.loader().load(file);

        Path explained = Files.writeString(directory.resolve("explained.yaml"), loaded.explain());

        assertThat(ConfigFiles.loader().load(explained).config()).isEqualTo(loaded.config());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void invalidFileReportsAllProblems(Path file) throws IOException {
        ConfigException refused = catchThrowableOfType(
                ConfigException.class, () -> ConfigFiles.loader().load(file));

        assertThat(refused).isNotNull();
        GeneratedFile.of(beside(file, ".errors")).assertIs(withoutKeyLists(lines(refused.problems(), BAD, "")));
    }

    private static String withoutDefaults(LoadedConfig loaded) {
        return YamlWriter.write(new NonDefaultKeys().of(loaded.config()));
    }

    /** Replaces each list of all keys of an object by the name of the object. */
    private static String withoutKeyLists(String problems) {
        String shortened = problems;
        for (Shape<?> shape : Stream.of(LongForm.SHAPE, ShortForm.SHAPE)
                .flatMap(form -> form.shapes().stream())
                .toList()) {
            String keys = shape.keys().stream().map(Key::name).collect(Collectors.joining(", "));
            String name = "the keys of " + shape.name() + ")";
            shortened = shortened
                    .replace("a mapping with the keys " + keys + ")", "a mapping with " + name)
                    .replaceAll("(: unknown key '[^'\n]*' \\(expected: )" + Pattern.quote(keys + ")"), "$1" + name);
        }
        return shortened;
    }

    private static Path beside(Path file, String extension) {
        return file.resolveSibling(file.getFileName().toString().replace(".yaml", extension));
    }

    private static String lines(List<Problem> problems, Path directory, String prefix) {
        return problems.stream()
                .map(problem -> prefix + anywhere(problem.toString(), directory) + "\n")
                .collect(Collectors.joining());
    }

    /** Removes the location of the source tree from a text. */
    private static String anywhere(String text, Path directory) {
        return text.replace(directory.toAbsolutePath().normalize() + "/", "").replace(directory + "/", "");
    }
}
