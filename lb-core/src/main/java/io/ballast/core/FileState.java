package io.ballast.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * What changes when a file does: time, size and identity. Links are followed, so one that is put in place of another is a
 * change; a file that cannot be read is in a state too.
 *
 * @param key which file it is, where the file system tells
 */
public record FileState(
        @Nullable FileTime time, long size, @Nullable Object key) {

    private static final FileState UNREADABLE = new FileState(/* time= */ null, /* size= */ -1, /* key= */ null);

    /** How it is now. Cost: one look at the file system. */
    public static FileState of(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileState(found.lastModifiedTime(), found.size(), found.fileKey());
        } catch (IOException e) {
            return UNREADABLE;
        }
    }
}
