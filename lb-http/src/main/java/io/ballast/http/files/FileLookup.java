package io.ballast.http.files;

import io.ballast.net.listen.FileDescriptorReserve;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds and opens files below a root. Symbolic links are followed if they lead to a file below the root; all others do
 * not exist for clients. Blocks; immutable.
 */
final class FileLookup {

    /** How often a file is opened again that was replaced at the same time. */
    private static final int MAX_ATTEMPTS = 3;

    private final Path root;

    /** @param root the directory that contains all files; a symbolic link is resolved for each request */
    FileLookup(Path root) {
        this.root = root;
    }

    /**
     * Returns the path of a file or directory without symbolic links.
     *
     * @param name the name relative to the root, without dot segments
     * @return null if there is none, or it is outside of the root
     * @throws AccessDeniedException if a directory may not be read
     * @throws IOException if the file system fails
     */
    @Nullable Path find(String name) throws IOException {
        try {
            Path realRoot = root.toRealPath();
            Path real = realRoot.resolve(name).toRealPath();
            return real.startsWith(realRoot) ? real : null;
        } catch (InvalidPathException e) {
            return null; // the file system cannot represent the name
        } catch (AccessDeniedException e) {
            throw e;
        } catch (FileSystemException e) {
            if (FileDescriptorReserve.isDescriptorExhaustion(e)) {
                throw e;
            }
            return null; // it does not exist, a part of it is not a directory, or it is too long
        }
    }

    /** Returns whether the path, which {@link #find} returned, is a directory. */
    static boolean isDirectory(Path real) {
        return Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns whether the path, which {@link #find} returned, is a regular file. */
    static boolean isFile(Path real) {
        return Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Opens a file that {@link #find} returned.
     *
     * @return null if it is not a regular file, because others, such as a named pipe, could block; or if it was just deleted
     */
    static @Nullable OpenFile open(Path real) throws IOException {
        try {
            return openRegular(real);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static @Nullable OpenFile openRegular(Path real) throws IOException {
        for (int attempt = 1; ; attempt++) {
            BasicFileAttributes before = attributes(real);
            if (!before.isRegularFile()) {
                return null;
            }
            FileChannel channel = FileChannel.open(real, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try {
                BasicFileAttributes after = attributes(real);
                if (isSame(before, after) || attempt == MAX_ATTEMPTS) {
                    OpenFile file = new OpenFile(channel, after.size(), after.lastModifiedTime());
                    channel = null;
                    return file;
                }
            } finally {
                if (channel != null) {
                    channel.close();
                }
            }
        }
    }

    private static BasicFileAttributes attributes(Path real) throws IOException {
        return Files.readAttributes(real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean isSame(BasicFileAttributes before, BasicFileAttributes after) {
        return Objects.equals(before.fileKey(), after.fileKey())
                && before.size() == after.size()
                && before.lastModifiedTime().equals(after.lastModifiedTime());
    }
}
