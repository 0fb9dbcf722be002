package io.ballast.config.shared;

import io.ballast.core.state.StateFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A node's copy of the active version of its cluster's configuration, in a directory that only the process's user can
 * read. A new version is written to another directory, and then the directories are renamed, so that the paths of the
 * active files stay the same. A file that the new version does not change is a hard link to the active file, so its
 * attributes stay the same, too.
 *
 * <p>Thread safety: one thread at a time writes; between two renames, a reader finds no version.
 */
public final class SharedCopy {

    /**
     * This directory is not inside the directory of the replicated log, because operators delete the directory of the
     * log to start a new log.
     */
    private static final String DIRECTORY = "shared-configuration";

    private static final String ACTIVE = "active";
    private static final String NEXT = "next";
    private static final String PREVIOUS = "previous";
    private static final String CHECK = "check";
    private static final String FILES = "files";
    private static final String VERSION = "version";
    private static final int MAX_LABEL_BYTES = 4096;
    private static final FileAttribute<?> OWNER_DIRECTORY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> OWNER_FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path directory;

    private SharedCopy(Path directory) {
        this.directory = directory;
    }

    /** The copy in a data directory. */
    public static SharedCopy of(Path dataDir) {
        return new SharedCopy(dataDir.toAbsolutePath().normalize().resolve(DIRECTORY));
    }

    /**
     * The files of a version on this node.
     *
     * @param directory the absolute directory of the files
     * @param main the absolute path of the main file
     */
    public record Located(SharedVersion version, Path directory, Path main) {

        /** Removes the directory from a message, so that the message contains the relative paths of files. */
        public String relative(String message) {
            return message.replace(directory + "/", "");
        }
    }

    // ---- the version in use

    /** Returns the version in use; empty if there is none. */
    public Optional<Located> active() throws IOException {
        return read(ACTIVE);
    }

    /**
     * Restores the previous version if a process ended between the renames of {@link #replace}. Must be called when the
     * process that uses the directory starts.
     */
    public void recover() throws IOException {
        if (!Files.exists(directory.resolve(ACTIVE)) && Files.exists(directory.resolve(PREVIOUS))) {
            move(PREVIOUS, ACTIVE);
        }
    }

    /**
     * Returns the version in use after comparing its files with their hash.
     *
     * @throws IOException if the files cannot be read, or differ from those of the version
     */
    public Optional<Located> verified() throws IOException {
        Optional<Located> found = active();
        if (found.isPresent()) {
            Located copy = found.get();
            String main = copy.directory().relativize(copy.main()).toString();
            String sha256 =
                    ConfigurationBundle.of(main, contents(copy.directory())).sha256();
            if (!sha256.equals(copy.version().sha256())) {
                throw new IOException(copy.directory() + ": the files are not those of version "
                        + copy.version().number() + " (expected: files without manual changes)");
            }
        }
        return found;
    }

    private static SortedMap<String, byte[]> contents(Path files) throws IOException {
        SortedMap<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> all = Files.walk(files)) {
            List<Path> regular = all.filter(each -> Files.isRegularFile(each, LinkOption.NOFOLLOW_LINKS))
                    .toList();
            for (Path file : regular) {
                contents.put(files.relativize(file).toString(), bytes(file));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return contents;
    }

    private static byte[] bytes(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(ConfigurationBundle.MAX_BYTES + 1);
        }
    }

    private Optional<Located> read(String name) throws IOException {
        Path version = directory.resolve(name);
        Optional<byte[]> label = label(name).read();
        if (label.isEmpty()) {
            return Optional.empty();
        }
        String[] words = new String(label.get(), StandardCharsets.UTF_8).strip().split(" ", 3);
        Path files = version.resolve(FILES);
        try {
            return Optional.of(
                    new Located(new SharedVersion(Long.parseLong(words[0]), words[1]), files, files.resolve(words[2])));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
            throw new IOException(version.resolve(VERSION) + ": malformed", e);
        }
    }

    private StateFile label(String name) {
        return new StateFile(directory.resolve(name).resolve(VERSION), MAX_LABEL_BYTES);
    }

    // ---- another version

    /** Writes the files of a version only to check them. {@link #removeChecked} removes them. */
    public Located writeChecked(SharedVersion version, ConfigurationBundle bundle) throws IOException {
        return write(CHECK, version, bundle);
    }

    public void removeChecked() throws IOException {
        delete(directory.resolve(CHECK));
    }

    /**
     * Replaces the version in use. {@link #keep} or {@link #revert} must follow.
     *
     * @throws IOException if the files cannot be written; the version in use is then unchanged
     */
    public Located replace(SharedVersion version, ConfigurationBundle bundle) throws IOException {
        write(NEXT, version, bundle);
        delete(directory.resolve(PREVIOUS));
        if (Files.exists(directory.resolve(ACTIVE))) {
            move(ACTIVE, PREVIOUS);
        }
        move(NEXT, ACTIVE);
        sync(directory);
        return active().orElseThrow();
    }

    /** Removes the version that {@link #replace} has replaced. */
    public void keep() throws IOException {
        delete(directory.resolve(PREVIOUS));
    }

    /** Restores the version that {@link #replace} has replaced; without one, removes the version in use. */
    public void revert() throws IOException {
        delete(directory.resolve(NEXT));
        move(ACTIVE, NEXT);
        if (Files.exists(directory.resolve(PREVIOUS))) {
            move(PREVIOUS, ACTIVE);
        }
        delete(directory.resolve(NEXT));
    }

    private void move(String from, String to) throws IOException {
        Files.move(directory.resolve(from), directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    private Located write(String name, SharedVersion version, ConfigurationBundle bundle) throws IOException {
        Path target = directory.resolve(name);
        delete(target);
        try {
            Path files = target.resolve(FILES);
            Files.createDirectories(files, OWNER_DIRECTORY);
            Path used = directory.resolve(ACTIVE).resolve(FILES);
            for (Map.Entry<String, byte[]> file : bundle.files().entrySet()) {
                Path path = files.resolve(file.getKey()).normalize();
                if (!path.startsWith(files)) {
                    throw new IOException(file.getKey() + " leads out of the directory");
                }
                Files.createDirectories(path.getParent(), OWNER_DIRECTORY);
                write(path, file.getValue(), used.resolve(file.getKey()));
            }
            label(name)
                    .replace((version.number() + " " + version.sha256() + " " + bundle.main() + "\n")
                            .getBytes(StandardCharsets.UTF_8));
            return read(name).orElseThrow();
        } catch (IOException | RuntimeException e) {
            try {
                delete(target);
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static void write(Path path, byte[] content, Path used) throws IOException {
        if (Files.isRegularFile(used, LinkOption.NOFOLLOW_LINKS) && Arrays.equals(bytes(used), content)) {
            try {
                Files.createLink(path, used);
                return;
            } catch (FileSystemException | UnsupportedOperationException e) {
                Files.deleteIfExists(path); // the file system has no hard links: write a copy
            }
        }
        try (FileChannel channel =
                FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_FILE)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(/* metaData= */ true);
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(/* metaData= */ true);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> found = Files.walk(directory)) {
            all = found.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (NoSuchFileException e) {
            return; // the directory was deleted meanwhile
        }
        for (Path each : all) {
            Files.deleteIfExists(each);
        }
    }
}
