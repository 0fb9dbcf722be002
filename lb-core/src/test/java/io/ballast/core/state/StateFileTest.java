package io.ballast.core.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFileTest {

    @TempDir
    private Path directory;

    @Test
    void fileIsPrivateToOwner() throws Exception {
        StateFile file = new StateFile(directory.resolve("data/state"), 100);
        assertThat(file.read()).isEmpty();

        file.replace("one".getBytes(UTF_8));
        file.replace("two".getBytes(UTF_8));

        assertThat(file.read()).contains("two".getBytes(UTF_8));
        assertThat(Files.getPosixFilePermissions(file.path())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(names(directory.resolve("data"))).containsExactly("state");
    }

    @Test
    void symbolicLinkIsNotRead() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), "of another user");
        Path link = Files.createSymbolicLink(directory.resolve("state"), secret);
        StateFile file = new StateFile(link, 100);

        assertThatThrownBy(file::read).isInstanceOf(IOException.class);
        file.replace("ours".getBytes(UTF_8));

        assertThat(secret).hasContent("of another user");
        assertThat(file.read()).contains("ours".getBytes(UTF_8));
    }

    @Test
    void temporaryFilesOfKilledProcessesAreDeleted() throws Exception {
        Path abandoned = Files.writeString(directory.resolve("state.12345"), "half");
        Files.setLastModifiedTime(abandoned, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
        Files.writeString(directory.resolve("state.23456"), "being written by another process");
        Files.writeString(directory.resolve("state.bad"), "kept");

        new StateFile(directory.resolve("state"), 100).replace("one".getBytes(UTF_8));

        assertThat(names(directory)).containsExactlyInAnyOrder("state", "state.23456", "state.bad");
    }

    @Test
    void failedReplaceLeavesNoTemporaryFile() throws Exception {
        StateFile file = new StateFile(directory.resolve("state"), 100);
        Files.createDirectory(file.path());

        assertThatThrownBy(() -> file.replace("one".getBytes(UTF_8))).isInstanceOf(IOException.class);

        assertThat(names(directory)).containsExactly("state");
        assertThat(file.path()).isDirectory();
    }

    @Test
    void firstOfConcurrentCreationsWins() throws Exception {
        StateFile file = new StateFile(directory.resolve("state"), 100);

        file.create("one".getBytes(UTF_8));
        file.create("two".getBytes(UTF_8));

        assertThat(file.path()).hasContent("one");
        assertThat(Files.getPosixFilePermissions(file.path())).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(names(directory)).containsExactly("state");
    }

    @Test
    void unreadableFileIsNotOverwritten() throws Exception {
        StateFile file = new StateFile(directory.resolve("state"), 3);
        file.replace("one".getBytes(UTF_8));

        assertThatThrownBy(() -> file.replace("three".getBytes(UTF_8))).hasMessage("larger than 3 bytes");

        assertThat(file.read()).contains("one".getBytes(UTF_8));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> each.getFileName().toString()).toList();
        }
    }
}
