package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {

    private final List<String> asked = new ArrayList<>();
    private final ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();

    @TempDir
    private Path directory;

    private Path file = Path.of("unset");
    private FileWatch watch = new FileWatch(Set::of, this::reload, unused);

    @BeforeEach
    void watchAFile() throws Exception {
        file = Files.writeString(directory.resolve("lb.yaml"), "one");
        watch = new FileWatch(() -> Set.of(file), this::reload, unused);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    private CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        asked.add(who);
        return CompletableFuture.completedFuture(
                new ReloadReport(ReloadReport.Outcome.UNCHANGED, List.of(), List.of(), List.of(), Duration.ZERO));
    }

    @Test
    void reloadsOnceAFileHasChangedAndBeenQuiet() throws Exception {
        watch.tick();
        assertThat(asked).isEmpty();

        Files.writeString(file, "longer");
        watch.tick();
        assertThat(asked).isEmpty(); // somebody may still be writing
        watch.tick();
        assertThat(asked).containsExactly("watch");
        watch.tick();
        assertThat(asked).hasSize(1);
    }

    @Test
    void waitsForWhoeverGoesOnWriting() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.writeString(file, "x".repeat(10 + i));
            watch.tick();
        }
        assertThat(asked).isEmpty();
        watch.tick();
        assertThat(asked).hasSize(1);
    }

    @Test
    void seesAFileThatIsPutInItsPlace() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "two"); // of the same length
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        watch.tick();
        watch.tick();
        asked.clear();

        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        watch.tick();
        watch.tick();

        assertThat(asked).hasSize(1);
    }

    @Test
    void seesAFileThatJoins() throws Exception {
        Files.writeString(directory.resolve("another.yaml"), "included by a pattern");
        watch.tick();
        watch.tick();

        assertThat(asked).hasSize(1);
    }
}
