package io.ballast.discovery.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A received request; the test sends the response. */
public final class ReceivedRequest {

    private final SocketChannel connection;
    private final String head;

    ReceivedRequest(SocketChannel connection, String head) {
        this.connection = connection;
        this.head = head;
    }

    /** Returns the request target, such as {@code /v1/health?passing=1}. */
    public String target() {
        return head.split(" ", 3)[1];
    }

    /** Returns the value of a header, or an empty text. */
    public String header(String name) {
        for (String line : head.split("\r\n")) {
            if (line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ": ")) {
                return line.substring(name.length() + 2);
            }
        }
        return "";
    }

    /**
     * Sends a complete response, with further headers such as {@code X-Consul-Index: 7}, and closes the
     * connection.
     */
    public void answer(int status, String body, String... fields) throws IOException {
        begin(status, body.getBytes(StandardCharsets.UTF_8).length, fields);
        send(body);
        end();
    }

    /** Sends half of a response and closes the connection. */
    public void answerHalf(String body, String... fields) throws IOException {
        begin(200, body.getBytes(StandardCharsets.UTF_8).length, fields);
        send(body.substring(0, body.length() / 2));
        end();
    }

    private void begin(int status, int length, String... fields) throws IOException {
        send("HTTP/1.1 " + status + " Status\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\nConnection: close\r\n" + (fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n")
                + "\r\n");
    }

    /** Begins a chunked response. */
    public void stream() throws IOException {
        send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    /** Sends a chunk. */
    public void chunk(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        send(Integer.toHexString(bytes.length) + "\r\n" + text + "\r\n");
    }

    /** Ends a chunked response correctly. */
    public void lastChunk() throws IOException {
        send("0\r\n\r\n");
        end();
    }

    /** Sends a text as it is, without checks. */
    public void send(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            int unused = connection.write(bytes);
        }
    }

    /** Closes the connection. */
    public void end() throws IOException {
        connection.close();
    }

    /** Waits until the client closes the connection; returns false if the client sends more data instead. */
    public boolean isLeft() throws Exception {
        return CompletableFuture.supplyAsync(this::readsEnd).get(60, TimeUnit.SECONDS);
    }

    private boolean readsEnd() {
        try {
            return connection.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }
}
