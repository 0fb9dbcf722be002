package io.ballast.net.listen;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.ballast.core.ErrorText;
import io.ballast.core.config.UnixSocket;
import io.ballast.net.config.SocketFile;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of a listening Unix socket.
 *
 * <p>The file is created next to its final path, with the suffix {@value #TEMPORARY_SUFFIX}. It gets its mode and
 * owner, the socket starts to listen, and then the file is renamed to its final path. So clients never find a socket
 * that does not accept or has the wrong permissions. The rename replaces a file left by a dead process.
 *
 * <p>Thread safety: confined to the thread that starts and stops.
 */
final class UnixSocketFile {

    private static final Logger LOG = LoggerFactory.getLogger(UnixSocketFile.class);

    private static final String TEMPORARY_SUFFIX = "~";
    private static final int TYPE = 0170000;
    private static final int SOCKET = 0140000;

    private final Path path;
    /** Distinguishes the file from another file of that name; see {@link BasicFileAttributes#fileKey}. */
    private final @Nullable Object identity;

    private UnixSocketFile(Path path, @Nullable Object identity) {
        this.path = path;
        this.identity = identity;
    }

    /**
     * Creates the file and makes {@code socket} listen on it.
     *
     * @throws IOException if a listening socket or any other file is at the path, or if the system rejects a
     *     call; the message gives the reason, and no file is left behind
     */
    static UnixSocketFile listen(Socket socket, UnixSocket address, SocketFile access, int backlog) throws IOException {
        Path path = Path.of(address.path());
        Path temporary = Path.of(address.path() + TEMPORARY_SUFFIX);
        Path directory = Objects.requireNonNull(path.getParent(), "the socket path must be absolute");
        if (!Files.isDirectory(directory)) {
            throw new IOException("directory does not exist: " + directory);
        }
        try {
            requireUnused(path);
            requireUnused(temporary);
            Files.deleteIfExists(temporary);
            socket.bind(new DomainSocketAddress(temporary.toString()));
            return publish(socket, temporary, path, access, backlog);
        } catch (AccessDeniedException e) {
            throw new IOException("permission denied for " + e.getFile(), e);
        } catch (FileSystemException e) {
            String reason = e.getReason();
            throw new IOException(
                    e.getFile() + ": " + (reason == null ? e.getClass().getSimpleName() : reason), e);
        }
    }

    /**
     * Returns the file of a socket that already listens.
     *
     * @throws IOException if the file was removed
     */
    static UnixSocketFile adopt(UnixSocket address) throws IOException {
        Path path = Path.of(address.path());
        return new UnixSocketFile(
                path,
                Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS)
                        .fileKey());
    }

    /** The path of the file. */
    String path() {
        return path.toString();
    }

    /** Makes the socket listen and renames the file to its final path. */
    private static UnixSocketFile publish(Socket socket, Path temporary, Path path, SocketFile access, int backlog)
            throws IOException {
        try {
            grant(temporary, access);
            socket.listen(backlog);
            Object identity = Files.readAttributes(temporary, BasicFileAttributes.class, NOFOLLOW_LINKS)
                    .fileKey();
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
            return new UnixSocketFile(path, identity);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    private static void requireUnused(Path path) throws IOException {
        int mode;
        try {
            mode = (Integer) Files.getAttribute(path, "unix:mode", NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return;
        }
        if ((mode & TYPE) != SOCKET) {
            throw new IOException(path + " exists and is not a socket");
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false); // otherwise the connect would wait while the queue is full
            probe.connect(UnixDomainSocketAddress.of(path));
        } catch (ConnectException e) {
            return; // no process listens any more
        } catch (IOException e) {
            throw new IOException(
                    "cannot determine whether another process is listening on the socket: " + ErrorText.of(e), e);
        }
        throw new IOException("another process is listening on the socket");
    }

    private static void grant(Path file, SocketFile access) throws IOException {
        if (access.mode().isPresent()) {
            Files.setPosixFilePermissions(file, permissions(access.mode().get()));
        }
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class, NOFOLLOW_LINKS);
        UserPrincipalLookupService names = file.getFileSystem().getUserPrincipalLookupService();
        // Set the group first: after changing the owner, the process may no longer change the group.
        if (access.group().isPresent()) {
            String group = access.group().get();
            view.setGroup(lookUpPrincipal("group", group, names::lookupPrincipalByGroupName));
        }
        if (access.owner().isPresent()) {
            String owner = access.owner().get();
            view.setOwner(lookUpPrincipal("user", owner, names::lookupPrincipalByName));
        }
    }

    private static <P> P lookUpPrincipal(String kind, String name, LookUp<P> lookUp) throws IOException {
        try {
            return lookUp.find(name);
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("unknown " + kind + " " + name, e);
        }
    }

    @FunctionalInterface
    private interface LookUp<P> {
        P find(String name) throws IOException;
    }

    /** Converts mode bits; from the lowest bit: others, group, owner. */
    private static Set<PosixFilePermission> permissions(int mode) {
        PosixFilePermission[] all = PosixFilePermission.values();
        Set<PosixFilePermission> granted = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < all.length; i++) {
            if ((mode >> (all.length - 1 - i) & 1) == 1) {
                granted.add(all[i]);
            }
        }
        return granted;
    }

    /** Removes the file, unless another file has replaced it. */
    void remove() {
        try {
            BasicFileAttributes present = Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
            if (Objects.equals(present.fileKey(), identity)) {
                Files.delete(path);
            }
        } catch (NoSuchFileException e) {
            LOG.debug("{} was already removed", path, e);
        } catch (IOException e) {
            LOG.warn("msg=\"cannot remove a socket file\" path={} reason=\"{}\"", path, ErrorText.of(e));
        }
    }
}
