package io.ballast.dns.forward.filter.list;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Stores the last version of each downloaded list, so that rules exist after a restart without network
 * access. Each version has a file with the original list, and a file with its validators and time. Both files
 * are replaced atomically.
 *
 * <p>Thread safety: only one thread at a time may use it for the same URL.
 */
final class ListCache {

    private static final int NAME_BYTES = 16;
    private static final Pattern FILE_NAME_PATTERN = Pattern.compile("[0-9a-f]{32}.*");

    private final Path directory;

    /** A stored version of a list. */
    record StoredList(Path file, CacheValidators validators, Instant readTime) {}

    /** @param directory a directory that only this cache uses; created on demand */
    ListCache(Path directory) {
        this.directory = directory;
    }

    /** Returns the stored version of the list at a URL. */
    Optional<StoredList> find(URI url) {
        Path file = listFile(url);
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        CacheValidators validators = CacheValidators.NONE;
        Instant read = Instant.EPOCH;
        try {
            List<String> lines = Files.readAllLines(metadataFile(url), StandardCharsets.UTF_8);
            if (lines.size() == 4 && lines.get(0).equals(url.toString())) {
                read = Instant.parse(lines.get(1));
                validators = new CacheValidators(lines.get(2), lines.get(3));
            }
        } catch (IOException | DateTimeException e) {
            return Optional.of(
                    new StoredList(file, CacheValidators.NONE, Instant.EPOCH)); // the list is downloaded again
        }
        return Optional.of(new StoredList(file, validators, read));
    }

    /** Creates a temporary file for a new version of a list. */
    Path createTemporaryFile(URI url) throws IOException {
        Files.createDirectories(directory);
        return Files.createTempFile(directory, hashedName(url), ".new");
    }

    /** Replaces the stored version of a list by a new version. */
    void store(URI url, Path temporaryFile, CacheValidators validators, Instant read) throws IOException {
        Files.deleteIfExists(metadataFile(url)); // the validators belong to the previous version
        moveInto(temporaryFile, listFile(url));
        updateMetadata(url, validators, read);
    }

    /** Stores the validators of the current version and the time at which it was last up to date. */
    void updateMetadata(URI url, CacheValidators validators, Instant read) throws IOException {
        Path temporaryFile = createTemporaryFile(url);
        try {
            Files.write(
                    temporaryFile,
                    List.of(url.toString(), read.toString(), validators.etag(), validators.lastModified()),
                    StandardCharsets.UTF_8);
            moveInto(temporaryFile, metadataFile(url));
        } finally {
            Files.deleteIfExists(temporaryFile);
        }
    }

    /** Deletes incomplete files, and the stored versions of URLs that are not in {@code used}. */
    void deleteUnused(Set<URI> used) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        Set<Path> usedFiles = new HashSet<>();
        for (URI url : used) {
            usedFiles.add(listFile(url));
            usedFiles.add(metadataFile(url));
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{list,about,new}")) {
            for (Path file : files) {
                if (!usedFiles.contains(file)
                        && FILE_NAME_PATTERN
                                .matcher(file.getFileName().toString())
                                .matches()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static void moveInto(Path source, Path target) throws IOException {
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private Path listFile(URI url) {
        return directory.resolve(hashedName(url) + ".list");
    }

    private Path metadataFile(URI url) {
        return directory.resolve(hashedName(url) + ".about");
    }

    private static String hashedName(URI url) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(url.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime does not provide SHA-256", e);
        }
    }
}
