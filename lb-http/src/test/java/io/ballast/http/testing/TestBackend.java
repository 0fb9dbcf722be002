package io.ballast.http.testing;

import io.ballast.core.config.Address;
import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A backend on a free loopback port that plays one script per request in order, then repeats the last. Counts and
 * records requests.
 *
 * <p>Thread safety: all methods may be called from any thread.
 */
public final class TestBackend implements AutoCloseable {

    private static final int LONGEST_PROXY_HEADER = 107;

    private final ServerSocket server;
    private final List<Script> scripts;
    private final boolean perConnection;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger played = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final Semaphore ended = new Semaphore(0);
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<SSLSession> sessions = new CopyOnWriteArrayList<>();
    private final List<String> proxyHeaders = new CopyOnWriteArrayList<>();
    private volatile boolean proxied;
    private volatile @Nullable SSLContext tls;
    private volatile @Nullable String tlsVersion;
    private final BlockingQueue<String> unseen = new LinkedBlockingQueue<>();

    private TestBackend(ServerSocket server, List<Script> scripts, boolean perConnection) {
        this.server = server;
        this.scripts = List.copyOf(scripts);
        this.perConnection = perConnection;
    }

    /** Plays one script per request. */
    public static TestBackend playing(Script... scripts) {
        return new TestBackend(onLoopback(), List.of(scripts), /* perConnection= */ false).start();
    }

    /** Plays one script per request on a Unix socket, without timeouts. */
    public static TestBackend playing(UnixSocket address, Script... scripts) {
        return new TestBackend(on(address), List.of(scripts), /* perConnection= */ false).start();
    }

    /** Plays one script per connection, from its start. */
    public static TestBackend accepting(Script... scripts) {
        return new TestBackend(onLoopback(), List.of(scripts), /* perConnection= */ true).start();
    }

    /** Plays one script per connection on a Unix socket, without timeouts. */
    public static TestBackend accepting(UnixSocket address, Script... scripts) {
        return new TestBackend(on(address), List.of(scripts), /* perConnection= */ true).start();
    }

    private static ServerSocket onLoopback() {
        try {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* backlog= */ 1024);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSocket on(UnixSocket address) {
        try {
            return new UnixServer(address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private TestBackend start() {
        daemon(this::accept);
        return this;
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "backend");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(2 * TestTimeout.LIMIT_MILLIS);
                open.add(socket);
                connections.incrementAndGet();
                daemon(() -> serve(socket));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    /** Enables TLS. */
    public TestBackend by(SSLContext context) {
        tls = context;
        return this;
    }

    /** Enables TLS in one version, such as {@code TLSv1.2}. */
    public TestBackend by(SSLContext context, String version) {
        tlsVersion = version;
        return by(context);
    }

    /** Expects a PROXY protocol version 1 header on each connection, before TLS. */
    public TestBackend proxied() {
        proxied = true;
        return this;
    }

    /** The received PROXY headers in connection order, without line ends. */
    public List<String> proxyHeaders() {
        return List.copyOf(proxyHeaders);
    }

    /** Reads one line of text, and no byte after it. */
    public static String proxyHeader(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = socket.getInputStream().read();
                b != '\n';
                b = socket.getInputStream().read()) {
            if (b < 0 || line.length() > LONGEST_PROXY_HEADER) {
                throw new IOException("no header: " + line);
            }
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private Socket secured(Socket socket) throws IOException {
        SSLContext context = tls;
        if (context == null) {
            return socket;
        }
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(socket, /* host= */ null, socket.getPort(), true);
        secured.setUseClientMode(false);
        secured.setWantClientAuth(true);
        String version = tlsVersion;
        if (version != null) {
            secured.setEnabledProtocols(new String[] {version});
        }
        secured.startHandshake();
        sessions.add(secured.getSession());
        return secured;
    }

    /** The TLS session of each connection. */
    public List<SSLSession> sessions() {
        return List.copyOf(sessions);
    }

    private void serve(Socket socket) {
        try {
            if (proxied) {
                proxyHeaders.add(proxyHeader(socket));
            }
        } catch (IOException e) {
            close(socket);
            return;
        }
        try (Socket secured = secured(socket)) {
            ScriptedConnection connection = new ScriptedConnection(this, secured, socket);
            do {
                if (!perConnection && !connection.hasMore()) {
                    break;
                }
                int turn = Math.min(played.getAndIncrement(), scripts.size() - 1);
                scripts.get(turn).play(connection);
            } while (!perConnection && connection.isOpen());
        } catch (IOException e) {
            // the other side has closed, or the test has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(socket);
            open.remove(socket);
            ended.release();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    InputStream counting(InputStream in) {
        return new FilterInputStream(in) {
            @Override
            public int read(byte[] target, int from, int length) throws IOException {
                int count = super.read(target, from, length);
                bytes.addAndGet(Math.max(count, 0));
                return count;
            }
        };
    }

    void record(String request) {
        requests.add(request);
        unseen.add(request);
    }

    public int port() {
        return server.getLocalPort();
    }

    public Address address() {
        return server instanceof UnixServer unix ? unix.address() : new HostPort("127.0.0.1", port());
    }

    /** Number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** The complete requests received, unchanged. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /** Number of bytes received, including incomplete requests. */
    public long bytes() {
        return bytes.get();
    }

    /** Waits for the next new request. */
    public String nextRequest() throws InterruptedException {
        String request = unseen.poll(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS);
        if (request == null) {
            throw new AssertionError("no request came");
        }
        return request;
    }

    /** Waits until one more connection has ended. */
    public void awaitConnectionEnd() throws InterruptedException {
        if (!ended.tryAcquire(TestTimeout.LIMIT_MILLIS, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("no connection ended");
        }
    }

    /** Closes all open connections, and continues to listen. */
    public void closeConnections() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    /** Half-closes all open connections; each ends when the balancer closes its half. */
    public void finishConnections() throws IOException {
        for (Socket socket : open) {
            socket.shutdownOutput();
        }
    }

    /** Resets all open connections. */
    public void resetConnections() throws IOException {
        for (Socket socket : open) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    /** Sends {@code raw} on all open connections, without a request. */
    public void sendToAll(String raw) throws IOException {
        for (Socket socket : open) {
            socket.getOutputStream().write(Http1Reader.bytes(raw));
        }
    }

    /** Stops listening and closes all connections. */
    @Override
    public void close() {
        try {
            server.close();
            closeConnections();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
