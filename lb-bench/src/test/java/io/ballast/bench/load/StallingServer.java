package io.ballast.bench.load;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers requests on one thread per connection; waits before response number {@code stallAt}. */
final class StallingServer implements AutoCloseable {

    private static final byte[] ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n".getBytes(StandardCharsets.US_ASCII);

    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final int stallAt;
    private final int stallMillis;

    StallingServer(int stallAt, int stallMillis) throws IOException {
        this.stallAt = stallAt;
        this.stallMillis = stallMillis;
        start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    int accepted() {
        return accepted.get();
    }

    int served() {
        return served.get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket connection = listener.accept();
                accepted.incrementAndGet();
                start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            var lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = connection.getOutputStream();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty()) {
                    if (served.getAndIncrement() == stallAt) {
                        Thread.sleep(stallMillis);
                    }
                    out.write(ANSWER);
                }
            }
        } catch (IOException | InterruptedException disconnected) {
            // The client has disconnected. The test checks the counts of the client.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
