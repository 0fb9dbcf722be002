package io.ballast.discovery.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server whose responses the test sends byte by byte, over TCP or a Unix socket; each connection serves one request. */
public final class ScriptedServer implements AutoCloseable {

    private final ServerSocketChannel listening;
    private final BlockingQueue<ReceivedRequest> queried = new LinkedBlockingQueue<>();
    private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();

    private ScriptedServer(ServerSocketChannel listening) {
        this.listening = listening;
        Thread thread = new Thread(this::accept, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns a server on a free loopback port. */
    public static ScriptedServer onLoopback() throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new ScriptedServer(listening);
    }

    /** Creates a Unix socket and returns a server on it. */
    public static ScriptedServer at(Path socket) throws IOException {
        ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listening.bind(UnixDomainSocketAddress.of(socket));
        return new ScriptedServer(listening);
    }

    /** Returns the URI of a server on loopback. */
    public URI uri() throws IOException {
        InetSocketAddress address = (InetSocketAddress) listening.getLocalAddress();
        return URI.create("http://127.0.0.1:" + address.getPort());
    }

    /** Awaits the next request. */
    public ReceivedRequest next() throws InterruptedException {
        ReceivedRequest next = queried.poll(60, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("no request came");
        }
        return next;
    }

    /** Returns a request that has already arrived, if there is one. */
    public Optional<ReceivedRequest> poll() {
        return Optional.ofNullable(queried.poll());
    }

    private void accept() {
        while (listening.isOpen()) {
            try {
                SocketChannel connection = listening.accept();
                connections.add(connection);
                Thread thread = new Thread(() -> read(connection), "scripted-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException e) {
                return; // the server was closed
            }
        }
    }

    private void read(SocketChannel connection) {
        StringBuilder head = new StringBuilder();
        ByteBuffer bytes = ByteBuffer.allocate(8192);
        try {
            while (head.indexOf("\r\n\r\n") < 0) {
                if (connection.read(bytes.clear()) < 0) {
                    return;
                }
                head.append(StandardCharsets.ISO_8859_1.decode(bytes.flip()));
            }
            queried.add(new ReceivedRequest(connection, head.toString()));
        } catch (IOException e) {
            // the server was closed
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (SocketChannel each : connections) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
