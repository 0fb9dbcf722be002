package io.ballast.server.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy for a server that limits the bit rate towards the client. All connections share the limit. The proxy buffers
 * almost nothing, so that the server notices the low speed.
 */
final class ThrottledProxy implements AutoCloseable {

    private static final int PACKET_BYTES = 1400;
    private static final int BUFFER_BYTES = 4 * PACKET_BYTES;
    private static final int TURNS_PER_SECOND = 20;

    private final ServerSocket listening;
    private final InetSocketAddress server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "slow-line");
        thread.setDaemon(true);
        return thread;
    });
    private final Semaphore bytes = new Semaphore(0, /* fair= */ true);
    private final AtomicLong carried = new AtomicLong();

    ThrottledProxy(String page, int kilobitsPerSecond) throws IOException {
        URI uri = URI.create(page);
        this.server = new InetSocketAddress(InetAddress.getAllByName(uri.getHost())[0], uri.getPort());
        this.listening = new ServerSocket();
        listening.setReceiveBufferSize(BUFFER_BYTES);
        listening.bind(new InetSocketAddress(server.getAddress(), 0));
        int bytesPerTurn = kilobitsPerSecond * 1000 / 8 / TURNS_PER_SECOND;
        var clock = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "slow-line-clock");
            thread.setDaemon(true);
            return thread;
        });
        clock.scheduleAtFixedRate(
                () -> bytes.release(Math.max(0, Math.min(bytesPerTurn, 2 * bytesPerTurn - bytes.availablePermits()))),
                0,
                TimeUnit.SECONDS.toMicros(1) / TURNS_PER_SECOND,
                TimeUnit.MICROSECONDS);
        threads.execute(() -> {
            accept();
            clock.shutdownNow();
        });
    }

    /** The URL of the server's page through this proxy. */
    String page() {
        return "http://" + listening.getInetAddress().getHostAddress() + ":" + listening.getLocalPort() + "/";
    }

    /** Returns the number of bytes that reached the client. */
    long carried() {
        return carried.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Socket upstream = new Socket();
                open.add(client);
                open.add(upstream);
                client.setSendBufferSize(BUFFER_BYTES);
                upstream.setReceiveBufferSize(BUFFER_BYTES);
                upstream.connect(server);
                threads.execute(() -> copy(client, upstream, /* slowly= */ false));
                threads.execute(() -> copy(upstream, client, /* slowly= */ true));
            } catch (SocketException e) {
                return; // the proxy was closed
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void copy(Socket from, Socket to, boolean slowly) {
        byte[] packet = new byte[PACKET_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(packet); length >= 0; length = in.read(packet)) {
                if (slowly) {
                    bytes.acquire(length);
                    carried.addAndGet(length);
                }
                out.write(packet, 0, length);
            }
        } catch (IOException e) {
            // One side has closed, which ends the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
