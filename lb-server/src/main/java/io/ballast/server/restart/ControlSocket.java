package io.ballast.server.restart;

import io.ballast.core.ErrorText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Unix socket in the data directory. It accepts commands that the API does not offer, from the user that
 * runs this process. It receives one line per connection, and sends lines until the connection ends. Requests
 * are serialized.
 *
 * <p>Thread safety: opened and closed by any thread.
 */
public final class ControlSocket implements AutoCloseable {

    /** The name of the socket's file in the data directory. */
    public static final String NAME = "control.sock";

    private static final Logger LOG = LoggerFactory.getLogger(ControlSocket.class);
    private static final int MAX_REQUEST_BYTES = 256;

    /**
     * Maximum wait for a request. A client sends this line when it connects, so only a slow machine delays it.
     */
    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /**
     * The pause after a failed accept or request. Without a free file descriptor, every accept fails
     * immediately.
     */
    private static final Duration FAILURE_PAUSE = Duration.ofSeconds(1);

    private static final String ROOT = "root";

    private final ServerSocketChannel server;
    private final Path path;
    private final UserPrincipal owner;

    private ControlSocket(ServerSocketChannel server, Path path, UserPrincipal owner) {
        this.server = server;
        this.path = path;
        this.owner = owner;
    }

    /** Handles the requests that arrive at the control socket. */
    @FunctionalInterface
    public interface Service {

        /** @param answer receives lines, which are sent immediately */
        void serve(String request, Consumer<String> answer);
    }

    /**
     * Listens in a directory, which is created if it is missing.
     *
     * @throws IOException if the directory cannot be written, or if another process listens there
     */
    public static ControlSocket open(Path directory, Service service) throws IOException {
        Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path path = directory.resolve(NAME);
        if (isServed(path)) {
            throw new IOException(path + " belongs to another process");
        }
        Files.deleteIfExists(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        ControlSocket control;
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            control = new ControlSocket(server, path, Files.getOwner(path));
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
        Thread thread = new Thread(() -> control.acceptAll(service), "control-socket");
        thread.setDaemon(true);
        thread.start();
        return control;
    }

    /** Whether a process listens on the socket at this path. */
    static boolean isServed(Path path) throws IOException {
        if (!Files.exists(path)) {
            return false;
        }
        try (SocketChannel probe = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            return probe.isConnected();
        } catch (ConnectException e) {
            return false;
        }
    }

    private void acceptAll(Service service) {
        while (server.isOpen()) {
            try (SocketChannel client = server.accept()) {
                requireOwner(client);
                String request = read(client);
                if (request.isEmpty()) {
                    continue; // another process only checked whether this process listens
                }
                service.serve(request, line -> write(client, line));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException | RuntimeException e) {
                LOG.warn("msg=\"a request on the control socket failed\" reason=\"{}\"", ErrorText.of(e));
                LOG.debug("a request on the control socket failed", e);
                LockSupport.parkNanos(FAILURE_PAUSE.toNanos());
            }
        }
    }

    /**
     * Rejects users other than the owner and root. The file mode also rejects them, except on some systems and
     * until the mode is set.
     */
    private void requireOwner(SocketChannel client) throws IOException {
        UserPrincipal user = client.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!user.equals(owner) && !user.getName().equals(ROOT)) {
            throw new IOException("request from user " + user.getName() + " (expected: " + owner.getName() + ")");
        }
    }

    /** Reads the line of a request; empty if the connection ended before anything was sent. */
    private static String read(SocketChannel client) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST_BYTES);
        client.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            client.register(selector, SelectionKey.OP_READ);
            long end = System.nanoTime() + MAX_WAIT.toNanos();
            while (true) {
                long left = (end - System.nanoTime()) / 1_000_000;
                if (left <= 0 || selector.select(left) == 0) {
                    throw new IOException("no complete request received within " + MAX_WAIT.toSeconds() + " s");
                }
                selector.selectedKeys().clear();
                boolean ended = client.read(request) < 0;
                if (ended && request.position() == 0) {
                    return "";
                }
                if (ended || !request.hasRemaining()) {
                    throw new IOException("the request is incomplete or too long");
                }
                String text = new String(request.array(), 0, request.position(), StandardCharsets.UTF_8);
                if (text.endsWith("\n")) {
                    return text.strip();
                }
            }
        } finally {
            client.configureBlocking(true);
        }
    }

    private static void write(SocketChannel client, String line) {
        try {
            client.write(ByteBuffer.wrap((line.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            LOG.debug("the client closed the connection", e);
        }
    }

    /** Removes the file and accepts no more requests. A request in progress continues. Idempotent. */
    @Override
    public void close() throws IOException {
        if (server.isOpen()) {
            try {
                Files.deleteIfExists(path);
            } finally {
                server.close();
            }
        }
    }
}
