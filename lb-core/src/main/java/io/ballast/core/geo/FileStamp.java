package io.ballast.core.geo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * A stamp that identifies the state of a file; it changes if the file is changed or replaced.
 *
 * @param modified the time of the last modification; null if the file is missing
 * @param bytes the size
 * @param key the identity in the file system, if the file system supports one
 */
record FileStamp(
        @Nullable FileTime modified, long bytes, @Nullable Object key) {

    private static final FileStamp ABSENT = new FileStamp(null, 0, null);

    /** Returns the stamp of the file at a path; symbolic links are followed. */
    static FileStamp of(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileStamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
        } catch (IOException e) {
            return ABSENT;
        }
    }
}
