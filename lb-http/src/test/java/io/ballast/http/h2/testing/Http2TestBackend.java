package io.ballast.http.h2.testing;

import io.ballast.core.config.HostPort;
import io.ballast.core.config.UnixSocket;
import io.ballast.http.testing.TestBackend;
import io.ballast.http.testing.TestTimeout;
import io.ballast.http.testing.UnixServer;
import java.io.IOException;
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
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/2 backend on a free loopback port that plays one script per connection, then repeats the last. Closing it
 * throws the failures of scripts.
 *
 * <p>Thread safety: all methods may be called from any thread.
 */
public final class Http2TestBackend implements AutoCloseable {

    private final ServerSocket server;
    private final List<Http2Script> scripts;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> proxyHeaders = new CopyOnWriteArrayList<>();
    private volatile String[] applicationProtocols = {};
    private volatile boolean proxied;
    private volatile boolean turns;
    private volatile @Nullable SSLContext tls;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicLong received = new AtomicLong();
    private final Semaphore ended = new Semaphore(0);
    private final BlockingQueue<Http2Request> requests = new LinkedBlockingQueue<>();
    private final AtomicReference<Throwable> fault = new AtomicReference<>();

    private Http2TestBackend(ServerSocket server, List<Http2Script> scripts) {
        this.server = server;
        this.scripts = List.copyOf(scripts);
    }

    public static Http2TestBackend playing(Http2Script... scripts) {
        return playing(/* receiveBuffer= */ 0, scripts);
    }

    /** Plays scripts with a receive buffer of this size, so that unread data soon blocks the sender. */
    public static Http2TestBackend withReceiveBuffer(int bytes, Http2Script... scripts) {
        return playing(bytes, scripts);
    }

    private static Http2TestBackend playing(int receiveBuffer, Http2Script... scripts) {
        try {
            ServerSocket server = new ServerSocket();
            if (receiveBuffer > 0) {
                server.setReceiveBufferSize(receiveBuffer);
            }
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* backlog= */ 1024);
            return new Http2TestBackend(server, List.of(scripts)).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Plays scripts on a Unix socket, without timeouts. */
    public static Http2TestBackend playing(UnixSocket address, Http2Script... scripts) {
        try {
            return new Http2TestBackend(new UnixServer(address), List.of(scripts)).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Http2TestBackend start() {
        daemon(this::accept);
        return this;
    }

    /** Enables TLS; ALPN selects the first of these protocols that the client offers. */
    public Http2TestBackend by(SSLContext context, String... protocols) {
        applicationProtocols = protocols.clone();
        tls = context;
        return this;
    }

    /** Enables TLS. Each connection uses the next of these protocols, and further connections use the last. */
    public Http2TestBackend byTurns(SSLContext context, String... protocols) {
        turns = true;
        return by(context, protocols);
    }

    /** Expects a PROXY protocol version 1 header on each connection, before TLS. */
    public Http2TestBackend proxied() {
        proxied = true;
        return this;
    }

    /** The received PROXY headers in connection order, without line ends. */
    public List<String> proxyHeaders() {
        return List.copyOf(proxyHeaders);
    }

    private Socket secured(Socket socket, int number) throws IOException {
        SSLContext context = tls;
        if (context == null) {
            return socket;
        }
        SSLSocket secured =
                (SSLSocket) context.getSocketFactory().createSocket(socket, /* host= */ null, socket.getPort(), true);
        secured.setUseClientMode(false);
        SSLParameters parameters = secured.getSSLParameters();
        String[] all = applicationProtocols;
        parameters.setApplicationProtocols(turns ? new String[] {all[Math.min(number, all.length - 1)]} : all);
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "h2-backend");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                socket.setSoTimeout(2 * (int) TestTimeout.LIMIT.toMillis());
                open.add(socket);
                int number = connections.getAndIncrement();
                daemon(() -> serve(socket, number));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket socket, int number) {
        Http2Script script = scripts.get(Math.min(number, scripts.size() - 1));
        try (socket) {
            if (proxied) {
                proxyHeaders.add(TestBackend.proxyHeader(socket));
            }
            script.play(new ScriptedHttp2Connection(this, secured(socket, number)));
        } catch (IOException e) {
            // the other side has closed, or the test has ended
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AssertionError | RuntimeException e) {
            fault.compareAndSet(null, e);
        } finally {
            open.remove(socket);
            ended.release();
        }
    }

    void record(Http2Request request) {
        requests.add(request);
    }

    void received(int bytes) {
        received.addAndGet(bytes);
    }

    public HostPort address() {
        return new HostPort("127.0.0.1", server.getLocalPort());
    }

    /** Number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** Number of body bytes received. */
    public long bodyBytes() {
        return received.get();
    }

    /** Waits for the next new complete request. */
    public Http2Request nextRequest() throws InterruptedException {
        Http2Request request = requests.poll(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (request == null) {
            throw new AssertionError("no request came", fault.get());
        }
        return request;
    }

    /** Waits until one more connection has ended. */
    public void awaitConnectionEnd() throws InterruptedException {
        if (!ended.tryAcquire(TestTimeout.LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("no connection ended", fault.get());
        }
    }

    /** Resets all open connections. */
    public void resetConnections() throws IOException {
        for (Socket socket : open) {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (fault.get() != null) {
            throw new AssertionError("the backend found a fault", fault.get());
        }
    }
}
