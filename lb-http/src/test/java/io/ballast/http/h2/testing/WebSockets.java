package io.ballast.http.h2.testing;

import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.testing.Script;
import io.ballast.http.testing.ScriptedConnection;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** WebSocket requests over HTTP/2, and backends of both HTTP versions that accept them. */
public final class WebSockets {

    private static final Pattern KEY = Pattern.compile("(?i)\r\nsec-websocket-key: (\\S+)\r\n");

    private WebSockets() {}

    /** A request head for a WebSocket, with these further fields. */
    public static byte[] head(String... more) {
        return FrameBytes.join(
                FrameBytes.block(
                        ":method", "CONNECT",
                        ":protocol", "websocket",
                        ":scheme", "https",
                        ":path", "/chat",
                        ":authority", "a",
                        "sec-websocket-version", "13"),
                FrameBytes.block(more));
    }

    /** Sends a WebSocket request; returns the stream. */
    public static int request(Http2Client client) {
        return request(client, head());
    }

    public static int request(Http2Client client, byte[] head) {
        int stream = client.newStream();
        client.send(FrameBytes.headers(stream, /* ends= */ false, head));
        return stream;
    }

    /** Sends a WebSocket request and waits for the tunnel; returns the stream. */
    public static int open(Http2Client client) {
        int stream = request(client);
        client.await("a tunnel", () -> client.response(stream).status() == 200);
        return stream;
    }

    /** Returns the key of a request. */
    public static String key(String request) {
        Matcher found = KEY.matcher(request);
        if (!found.find()) {
            throw new AssertionError("no key in " + request);
        }
        return found.group(1);
    }

    /** Returns a response that switches protocols, for the key of {@code request}. */
    public static String answer(String request) {
        byte[] accept = WebSocketHandshake.accept(key(request).getBytes(StandardCharsets.US_ASCII));
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade"
                + "\r\nSec-WebSocket-Accept: " + new String(accept, StandardCharsets.US_ASCII)
                + "\r\nSec-WebSocket-Protocol: chat\r\n\r\n";
    }

    /** Switches protocols, then plays {@code then}. */
    public static Script switching(Script then) {
        return connection -> {
            connection.send(answer(connection.readRequest()));
            then.play(connection);
            connection.close();
        };
    }

    /** Accepts the WebSocket in HTTP/2, then plays {@code then}. */
    public static Http2Script taking(Http2Script.Answer then) {
        return connection -> {
            connection.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1);
            Http2Request request = connection.nextHead();
            connection.head(request, /* ends= */ false, ":status", "200");
            then.give(connection, request);
            connection.readToEnd();
        };
    }

    /** Switches protocols and echoes all data. */
    public static Script echo() {
        return switching(ScriptedConnection::echo);
    }
}
