package io.ballast.config.shared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.FileState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedCopyTest {

    @TempDir
    private Path data;

    private static ConfigurationBundle bundle(String main, String zone) {
        return ConfigurationBundle.of(
                "site.yaml",
                Map.of(
                        "site.yaml", main.getBytes(StandardCharsets.UTF_8),
                        "zones/a.zone", zone.getBytes(StandardCharsets.UTF_8)));
    }

    private static SharedVersion version(long number, ConfigurationBundle bundle) {
        return new SharedVersion(number, bundle.sha256());
    }

    private SharedCopy copy() {
        return SharedCopy.of(data);
    }

    private void use(long number, ConfigurationBundle bundle) throws IOException {
        copy().replace(version(number, bundle), bundle);
        copy().keep();
    }

    @Test
    void aVersionIsFoundAgain() throws IOException {
        assertThat(copy().verified()).isEmpty();
        ConfigurationBundle bundle = bundle("one", "zone");

        use(1, bundle);

        SharedCopy.Located found = copy().verified().orElseThrow();
        assertThat(found.version()).isEqualTo(version(1, bundle));
        assertThat(found.main()).hasContent("one").isAbsolute();
        assertThat(found.relative("error: " + found.main() + ":1:2: wrong")).isEqualTo("error: site.yaml:1:2: wrong");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found.main())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(found.directory())))
                .isEqualTo("rwx------");
    }

    @Test
    void anotherVersionHasTheSamePathsAndUnchangedFilesTheSameState() throws IOException {
        use(1, bundle("one", "zone"));
        SharedCopy.Located first = copy().active().orElseThrow();
        Path zone = first.directory().resolve("zones/a.zone");
        FileState zoneBefore = FileState.of(zone);
        FileState mainBefore = FileState.of(first.main());

        use(2, bundle("two", "zone"));

        assertThat(copy().verified().orElseThrow().main())
                .isEqualTo(first.main())
                .hasContent("two");
        assertThat(FileState.of(zone)).isEqualTo(zoneBefore);
        assertThat(FileState.of(first.main())).isNotEqualTo(mainBefore);
    }

    @Test
    void aRevertedChangeLeavesTheVersionBefore() throws IOException {
        ConfigurationBundle second = bundle("two", "zone");
        copy().replace(version(1, second), second);
        copy().revert();
        assertThat(copy().verified()).isEmpty();
        use(1, bundle("one", "zone"));

        copy().replace(version(2, second), second);
        assertThat(copy().active().orElseThrow().main()).hasContent("two");
        copy().revert();

        assertThat(copy().verified().orElseThrow().version().number()).isEqualTo(1);
        assertThat(copy().active().orElseThrow().main()).hasContent("one");
        try (Stream<Path> rest = Files.list(data.resolve("shared-configuration"))) {
            assertThat(rest.map(path -> path.getFileName().toString())).containsExactly("active");
        }
    }

    /** Simulates a process that ended between the two renames of a change. */
    @Test
    void anInterruptedChangeIsEndedAtTheStart() throws IOException {
        use(1, bundle("one", "zone"));
        Path directory = data.resolve("shared-configuration");
        Files.move(directory.resolve("active"), directory.resolve("previous"));
        assertThat(copy().verified()).isEmpty();

        copy().recover();

        assertThat(copy().verified().orElseThrow().main()).hasContent("one");
    }

    @Test
    void filesThatWereChangedByHandAreReported() throws IOException {
        use(1, bundle("one", "zone"));
        Files.writeString(copy().active().orElseThrow().main(), "other");

        assertThatThrownBy(() -> copy().verified()).hasMessageContaining("the files are not those of version 1");
    }

    @Test
    void aCheckedVersionIsNotInUse() throws IOException {
        use(1, bundle("one", "zone"));
        ConfigurationBundle second = bundle("two", "zone");

        SharedCopy.Located checked = copy().writeChecked(version(2, second), second);

        assertThat(checked.main()).hasContent("two");
        assertThat(copy().verified().orElseThrow().main()).hasContent("one");
        copy().removeChecked();
        assertThat(checked.directory()).doesNotExist();
    }

    /** Writing the version fails, because one path is both a file and a directory. A full disk has the same effect. */
    @Test
    void aVersionThatCannotBeWrittenLeavesTheOneInUse() throws IOException {
        use(1, bundle("one", "zone"));
        ConfigurationBundle bad = ConfigurationBundle.of("a", Map.of("a", new byte[0], "a/b", new byte[0]));

        assertThatThrownBy(() -> copy().replace(version(2, bad), bad)).isInstanceOf(IOException.class);

        assertThat(copy().verified().orElseThrow().main()).hasContent("one");
    }
}
