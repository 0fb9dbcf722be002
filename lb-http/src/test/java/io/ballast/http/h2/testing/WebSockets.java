package io.ballast.http.h2.testing;

import io.ballast.http.h2.wire.Setting;
import io.ballast.http.head.WebSocketHandshake;
import io.ballast.http.testing.BackendTalk;
import io.ballast.http.testing.Script;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A WebSocket over HTTP/2 as its client asks for it, and backends of both versions that agree to it. */
public final class WebSockets {

    private static final Pattern KEY = Pattern.compile("(?i)\r\nsec-websocket-key: (\\S+)\r\n");

    private WebSockets() {}

    /** The head by which a client asks, with these further fields. */
    public static byte[] head(String... more) {
        return FrameOctets.join(
                FrameOctets.block(
                        ":method", "CONNECT",
                        ":protocol", "websocket",
                        ":scheme", "https",
                        ":path", "/chat",
                        ":authority", "a",
                        "sec-websocket-version", "13"),
                FrameOctets.block(more));
    }

    /** Asks; returns the stream. */
    public static int ask(Http2Client client) {
        return ask(client, head());
    }

    public static int ask(Http2Client client, byte[] head) {
        int stream = client.newStream();
        client.send(FrameOctets.headers(stream, /* ends= */ false, head));
        return stream;
    }

    /** The same, and waits for the tunnel. */
    public static int open(Http2Client client) {
        int stream = ask(client);
        client.await("a tunnel", () -> client.response(stream).status() == 200);
        return stream;
    }

    /** The key that a request asks with. */
    public static String key(String request) {
        Matcher found = KEY.matcher(request);
        if (!found.find()) {
            throw new AssertionError("no key in " + request);
        }
        return found.group(1);
    }

    /** A switch that answers to the key of {@code request}. */
    public static String answer(String request) {
        byte[] accept = WebSocketHandshake.accept(key(request).getBytes(StandardCharsets.US_ASCII));
        return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade"
                + "\r\nSec-WebSocket-Accept: " + new String(accept, StandardCharsets.US_ASCII)
                + "\r\nSec-WebSocket-Protocol: chat\r\n\r\n";
    }

    /** Switches, then goes on with {@code then}. */
    public static Script switching(Script then) {
        return talk -> {
            talk.send(answer(talk.readRequest()));
            then.play(talk);
            talk.close();
        };
    }

    /** Takes it in HTTP/2, then goes on with {@code then}. */
    public static Http2Script taking(Http2Script.Answer then) {
        return talk -> {
            talk.begin(Setting.ENABLE_CONNECT_PROTOCOL, 1);
            Http2Request request = talk.nextHead();
            talk.head(request, /* ends= */ false, ":status", "200");
            then.give(talk, request);
            talk.readToEnd();
        };
    }

    /** Switches and sends all back that comes. */
    public static Script echo() {
        return switching(BackendTalk::echo);
    }
}
