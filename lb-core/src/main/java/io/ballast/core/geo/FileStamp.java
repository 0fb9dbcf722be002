package io.ballast.core.geo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What tells a file from the one that was there before under its name.
 *
 * @param modified when it was last written; null if it is not there
 * @param bytes its size
 * @param key its identity in the file system, where that has one
 */
record FileStamp(
        @Nullable FileTime modified, long bytes, @Nullable Object key) {

    private static final FileStamp ABSENT = new FileStamp(null, 0, null);

    /** Returns the stamp of what a path leads to, through links. */
    static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return ABSENT;
        }
    }
}
