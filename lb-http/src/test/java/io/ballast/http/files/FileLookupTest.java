package io.ballast.http.files;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which files are opened again without resolving their paths. */
class FileLookupTest {

    private static final String NAME = "a/file";

    @TempDir
    private Path directory;

    private Path root;
    private FileLookup lookup;
    private long nanos;

    @BeforeEach
    void writeFile() throws Exception {
        root = directory.resolve("root");
        Files.createDirectories(root.resolve("a"));
        Files.writeString(root.resolve(NAME), "old");
        lookup = new FileLookup(root, () -> nanos);
    }

    /** Finds and remembers the file as for a request; null if clients cannot reach it. */
    private @Nullable Long find() throws IOException {
        Path real = lookup.find(NAME);
        if (real == null) {
            return null;
        }
        try (OpenFile file = requireNonNull(FileLookup.open(real))) {
            lookup.remember(NAME, real, file);
            return file.size();
        }
    }

    /** Returns the length of the file that is opened again; null if its path must be resolved again. */
    private @Nullable Long reopen() throws IOException {
        try (OpenFile file = lookup.reopen(NAME)) {
            return file == null ? null : file.size();
        }
    }

    @Test
    void aFileIsOpenedAgainForASecond() throws Exception {
        assertThat(reopen()).isNull();
        assertThat(find()).isEqualTo(3);
        nanos += ResolvedFiles.MAX_AGE_NANOS;
        assertThat(reopen()).isEqualTo(3);

        nanos++;

        assertThat(reopen()).isNull();
    }

    @Test
    void aChangedFileHasItsNewLength() throws Exception {
        find();

        Files.writeString(root.resolve(NAME), "longer");

        assertThat(reopen()).isEqualTo(6);
    }

    @Test
    void aReplacedFileIsFoundAgain() throws Exception {
        find();

        Path next = Files.writeString(directory.resolve("next"), "next");
        Files.move(next, root.resolve(NAME), StandardCopyOption.REPLACE_EXISTING);

        assertThat(reopen()).isNull();
        assertThat(find()).isEqualTo(4);
        assertThat(reopen()).isEqualTo(4);
    }

    @Test
    void aDeletedFileIsFoundAgain() throws Exception {
        find();

        Files.delete(root.resolve(NAME));

        assertThat(reopen()).isNull();
        assertThat(find()).isNull();
    }

    @Test
    void aDirectoryInPlaceOfAFileIsFoundAgain() throws Exception {
        find();

        Files.delete(root.resolve(NAME));
        Files.createDirectory(root.resolve(NAME));

        assertThat(reopen()).isNull();
    }

    @Test
    void aReplacedRootTakesEffectAtOnce() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("current"), root);
        Path other = directory.resolve("other");
        Files.createDirectories(other.resolve("a"));
        Files.writeString(other.resolve(NAME), "other");
        lookup = new FileLookup(link, () -> nanos);
        find();

        Files.delete(link);
        Files.createSymbolicLink(link, other);

        assertThat(reopen()).isNull();
        assertThat(find()).isEqualTo(5);
    }

    @Test
    void aLinkToAFileOutsideIsRefusedAtOnce() throws Exception {
        find();
        Path outside = Files.writeString(directory.resolve("secret"), "secret");

        Files.delete(root.resolve(NAME));
        Files.createSymbolicLink(root.resolve(NAME), outside);

        assertThat(reopen()).isNull();
        assertThat(find()).isNull();
    }

    @Test
    void aLinkToAnotherDirectoryIsRefusedAtOnce() throws Exception {
        find();
        Files.createDirectories(directory.resolve("outside"));
        Files.writeString(directory.resolve("outside/file"), "secret");

        Files.move(root.resolve("a"), directory.resolve("moved"));
        Files.createSymbolicLink(root.resolve("a"), directory.resolve("outside"));

        assertThat(reopen()).isNull();
        assertThat(find()).isNull();
    }

    /**
     * The file may still be served until the second has passed: its content was public, and a link at the old place
     * leads to it.
     */
    @Test
    void aDirectoryThatWasMovedOutsideIsRefusedAfterASecond() throws Exception {
        find();
        Files.move(root.resolve("a"), directory.resolve("moved"));
        Files.createSymbolicLink(root.resolve("a"), directory.resolve("moved"));
        assertThat(reopen()).isEqualTo(3);

        nanos += ResolvedFiles.MAX_AGE_NANOS + 1;

        assertThat(reopen()).isNull();
        assertThat(find()).isNull();
    }

    @Test
    void theNumberOfNamesIsLimited() {
        ResolvedFiles files = new ResolvedFiles(() -> nanos);
        for (int i = 0; i < 3 * ResolvedFiles.MAX_NAMES; i++) {
            files.add("file" + i, root, "key");
            assertThat(files.size()).isLessThanOrEqualTo(ResolvedFiles.MAX_NAMES);
        }
        assertThat(files.find("file" + (3 * ResolvedFiles.MAX_NAMES - 1))).isNotNull();
    }
}
