package io.ballast.server.reload;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.config.load.Sources;
import io.ballast.core.FileState;
import io.ballast.core.control.ReloadReport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatchTest {

    private final List<String> queried = new ArrayList<>();
    private final ScheduledExecutorService unused = Executors.newSingleThreadScheduledExecutor();

    @TempDir
    private Path directory;

    private Path file = Path.of("unset");
    private Sources read = Sources.NONE;
    private boolean readable = true;
    private FileWatch watch = new FileWatch(() -> read, this::reload, unused);

    @BeforeEach
    void watchAFile() throws Exception {
        file = Files.writeString(directory.resolve("lb.yaml"), "one");
        begin(file);
    }

    private void begin(Path watched, String... included) {
        Map<Path, FileState> files = Map.of(watched, FileState.of(watched));
        read = new Sources(files, Map.of());
        for (String pattern : included) {
            read = new Sources(files, Map.of(new Sources.Include(watched, pattern), List.of()));
        }
        watch = new FileWatch(() -> read, this::reload, unused);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    private CompletableFuture<ReloadReport> reload(boolean dryRun, String who) {
        queried.add(who);
        if (readable) {
            read = read.withCurrentState();
        }
        return CompletableFuture.completedFuture(
                new ReloadReport(ReloadReport.Outcome.UNCHANGED, List.of(), List.of(), List.of(), Duration.ZERO));
    }

    private void quiet() {
        for (int i = 0; i < 3; i++) {
            watch.checkFiles();
        }
    }

    @Test
    void reloadsChangedFileWhenStable() throws Exception {
        watch.checkFiles();
        assertThat(queried).isEmpty();

        Files.writeString(file, "longer");
        watch.checkFiles();
        assertThat(queried).isEmpty(); // another program may still be writing the file
        watch.checkFiles();
        assertThat(queried).containsExactly("watch");
        quiet();
        assertThat(queried).hasSize(1);
    }

    @Test
    void waitsWhileFileIsWritten() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.writeString(file, "x".repeat(10 + i));
            watch.checkFiles();
        }
        assertThat(queried).isEmpty();
        watch.checkFiles();
        assertThat(queried).hasSize(1);
    }

    @Test
    void detectsReplacedFile() throws Exception {
        Path other = Files.writeString(directory.resolve("other"), "two"); // as long as the old text
        Files.setLastModifiedTime(other, Files.getLastModifiedTime(file));
        quiet();
        assertThat(queried).isEmpty();

        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        quiet();

        assertThat(queried).hasSize(1);
    }

    /**
     * Kubernetes mounts a ConfigMap like this: the file never changes, but the directory that it links to does.
     */
    @Test
    void detectsReplacedLink() throws Exception {
        Path first = Files.createDirectory(directory.resolve("first"));
        Path second = Files.createDirectory(directory.resolve("second"));
        Files.writeString(first.resolve("lb.yaml"), "one");
        Files.writeString(second.resolve("lb.yaml"), "two");
        Path data = Files.createSymbolicLink(directory.resolve("data"), first);
        Path mounted = Files.createDirectory(directory.resolve("mounted"));
        begin(Files.createSymbolicLink(mounted.resolve("lb.yaml"), data.resolve("lb.yaml")));

        Path next = Files.createSymbolicLink(directory.resolve("data.next"), second);
        Files.move(next, data, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        quiet();

        assertThat(queried).hasSize(1);
    }

    @Test
    void detectsFirstFileOfPattern() throws Exception {
        begin(file, "conf.d/*.yaml");
        Files.createDirectory(directory.resolve("conf.d"));
        quiet();
        assertThat(queried).isEmpty();

        Files.writeString(directory.resolve("conf.d/web.yaml"), "joins");
        quiet();

        assertThat(queried).hasSize(1);
    }

    @Test
    void ignoresOtherFiles() throws Exception {
        for (int i = 0; i < 5; i++) {
            Files.writeString(directory.resolve("status." + i), "others are busy here");
            watch.checkFiles();
        }
        assertThat(queried).isEmpty();

        Files.writeString(file, "longer");
        watch.checkFiles();
        Files.writeString(directory.resolve("status"), "and go on");
        watch.checkFiles();
        assertThat(queried).hasSize(1);
    }

    @Test
    void invalidFileIsTriedOncePerChange() throws Exception {
        readable = false;
        Files.writeString(file, "a mistake");
        quiet();
        quiet();
        assertThat(queried).hasSize(1);

        Files.writeString(file, "mended, perhaps");
        quiet();
        assertThat(queried).hasSize(2);
    }

    @Test
    void detectsChangeBeforeStart() throws Exception {
        Sources atTheStart = read;
        Files.writeString(file, "while the names of backends were looked up");
        read = atTheStart;
        watch = new FileWatch(() -> read, this::reload, unused);
        quiet();

        assertThat(queried).hasSize(1);
    }
}
