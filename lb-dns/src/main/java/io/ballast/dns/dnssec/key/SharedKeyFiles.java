package io.ballast.dns.dnssec.key;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The key files of a zone on a node of a cluster. They are copies of the cluster's keys. Files with other keys are
 * moved to a directory {@code replaced-TIME}, never deleted.
 *
 * <p>Thread safety: like {@link KeyDirectory}. Cost: reads and writes small files, and syncs them to disk.
 */
public final class SharedKeyFiles {

    /** The directory in which received files are checked before they are used. */
    private static final String RECEIVED = ".received";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmss");

    private final KeyDirectory directory;

    public SharedKeyFiles(KeyDirectory directory) {
        this.directory = directory;
    }

    /**
     * Returns the key files; empty if there are none.
     *
     * @throws IOException if a file cannot be read or used, or there are too many
     */
    public KeyBundle read(Instant now) throws IOException {
        List<ManagedKey> keys = directory.load();
        if (!keys.isEmpty()) {
            ZoneKeySet unused = ZoneKeySet.of(keys, now, directory);
        }
        try {
            return new KeyBundle(directory.texts());
        } catch (IllegalArgumentException e) {
            throw new KeyFileException(
                    directory.path(), ErrorText.of(e) + "; move the files of removed keys to another directory");
        }
    }

    /** Generates the first key of a zone, but does not write it. */
    public KeyBundle generate(KeyAlgorithm algorithm, Instant now) {
        return directory.generate(algorithm, KeyTimes.activeFrom(now));
    }

    /** Whether the directory has exactly these key files. */
    public boolean has(KeyBundle keys) throws IOException {
        return directory.texts().equals(keys.files());
    }

    /**
     * Replaces the key files. Files of keys that are not in {@code keys} are moved to another directory.
     *
     * @return the directory with the files that were moved; empty if no file was moved
     * @throws IOException if a file cannot be read or written, or the keys cannot be used. If only some files have been
     *     replaced, the call must be repeated
     */
    public Optional<Path> install(KeyBundle keys, Instant now) throws IOException {
        return directory.changeExclusively(() -> {
            check(keys, now);
            SortedMap<String, String> present = directory.texts();
            List<String> others = new ArrayList<>();
            present.forEach((name, text) -> {
                if (!isSameKey(name, text, keys.files().get(name))) {
                    others.add(name);
                }
            });
            Optional<Path> moved = moveAside(others, now);
            for (Map.Entry<String, String> file : keys.files().entrySet()) {
                if (others.contains(file.getKey()) || !file.getValue().equals(present.get(file.getKey()))) {
                    PrivateFiles.write(directory.path().resolve(file.getKey()), file.getValue());
                }
            }
            return moved;
        });
    }

    /** Writes the keys to a temporary directory, and checks there that they can be used. */
    private void check(KeyBundle keys, Instant now) throws IOException {
        KeyDirectory received = directory.inside(RECEIVED);
        try {
            write(keys, received);
            ZoneKeySet unused = ZoneKeySet.loadAt(now, received);
        } finally {
            remove(received.path());
        }
    }

    /** Writes the files to a separate directory, which need not exist. */
    static void write(KeyBundle keys, KeyDirectory target) throws IOException {
        remove(target.path());
        PrivateFiles.createDirectory(target.path());
        for (Map.Entry<String, String> file : keys.files().entrySet()) {
            if (!file.getKey().matches("K[^/]*\\.(key|private)")) {
                throw new KeyFileException(target.path(), "received a file that is not a key file");
            }
            PrivateFiles.write(target.path().resolve(file.getKey()), file.getValue());
        }
    }

    /** Removes a directory without subdirectories, if it exists. */
    static void remove(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        Files.delete(directory);
    }

    private static boolean isSameKey(String name, String present, @Nullable String next) {
        if (next == null) {
            return false;
        }
        try {
            return name.endsWith(".key")
                    ? Arrays.equals(
                            PublicKeyFile.parse(present).publicBytes(),
                            PublicKeyFile.parse(next).publicBytes())
                    : Arrays.equals(
                            PrivateKeyFile.parse(present).privateBytes(),
                            PrivateKeyFile.parse(next).privateBytes());
        } catch (IllegalArgumentException e) {
            return false; // the file is damaged
        }
    }

    private Optional<Path> moveAside(List<String> names, Instant now) throws IOException {
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String name = "replaced-" + TIME.format(now.atOffset(ZoneOffset.UTC));
        Path target = directory.path().resolve(name);
        for (int number = 2; Files.exists(target); number++) {
            target = directory.path().resolve(name + "-" + number);
        }
        PrivateFiles.createDirectory(target);
        for (String each : names) {
            Files.move(directory.path().resolve(each), target.resolve(each), StandardCopyOption.ATOMIC_MOVE);
        }
        return Optional.of(target);
    }
}
