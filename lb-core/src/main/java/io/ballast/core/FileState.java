package io.ballast.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;

/**
 * The state of a file: time, size and identity. It differs after each change of the file. Links are followed,
 * so replacing a link is a change. An unreadable file also has a state.
 *
 * @param key the identity of the file, if the file system supports it
 */
public record FileState(
        @Nullable FileTime time, long size, @Nullable Object key) {

    private static final FileState UNREADABLE = new FileState(/* time= */ null, /* size= */ -1, /* key= */ null);

    /** Returns the current state. Cost: one file system call. */
    public static FileState of(Path file) {
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            return new FileState(found.lastModifiedTime(), found.size(), found.fileKey());
        } catch (IOException e) {
            return UNREADABLE;
        }
    }
}
