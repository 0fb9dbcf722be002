package io.ballast.http.h2.backend;

import io.ballast.http.h2.wire.HeaderBlock;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.RequestScanner;
import io.ballast.http.head.WebSocketHandshake;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Converts a WebSocket handshake to extended CONNECT (RFC 8441). HTTP/2 has no handshake key, so the balancer computes
 * the {@code Sec-WebSocket-Accept} value for the client itself. Stateless.
 */
final class ExtendedConnect {

    private static final byte[] CONNECT = ByteClasses.ascii("CONNECT");
    private static final byte[] PROTOCOL = ByteClasses.ascii(":protocol");
    private static final byte[] WEBSOCKET = ByteClasses.ascii("websocket");

    private ExtendedConnect() {}

    /**
     * Returns the {@code Sec-WebSocket-Accept} value for the key in the request head. Null if the head has no
     * key, several keys, or a key that is not 16 bytes in base64 (RFC 6455 section 4.2.1).
     */
    static byte @Nullable [] webSocketAccept(RequestScanner request) {
        byte[] key = null;
        for (int i = 0; i < request.count; i++) {
            if (isLine(request, i, WebSocketHandshake.KEY)) {
                if (key != null
                        || !WebSocketHandshake.isKey(request.bytes, request.valueStart[i], request.valueEnd[i])) {
                    return null;
                }
                key = Arrays.copyOfRange(request.bytes, request.valueStart[i], request.valueEnd[i]);
            }
        }
        return key == null ? null : WebSocketHandshake.accept(key);
    }

    /** @param request the GET request, composed in HTTP/1.1 format */
    static void encode(RequestScanner request, boolean isSecure, HeaderBlock target) {
        target.clear();
        target.literal(RequestHeadEncoder.METHOD, CONNECT, 0, CONNECT.length);
        target.field(PROTOCOL, 0, PROTOCOL.length, WEBSOCKET, 0, WEBSOCKET.length);
        RequestHeadEncoder.target(request, isSecure, target);
        for (int i = 0; i < request.count; i++) {
            if (!isHandshake(request, i)) {
                RequestHeadEncoder.line(request, i, target);
            }
        }
    }

    private static boolean isHandshake(RequestScanner request, int line) {
        return isLine(request, line, WebSocketHandshake.KEY) || isLine(request, line, WebSocketHandshake.ACCEPT);
    }

    private static boolean isLine(RequestScanner request, int line, byte[] name) {
        return ByteClasses.equalsIgnoreCase(request.bytes, request.lineStart[line], request.nameEnd[line], name);
    }
}
