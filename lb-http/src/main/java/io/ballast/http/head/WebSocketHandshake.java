package io.ballast.http.head;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * The key and accept values of the WebSocket handshake over HTTP/1.1 (RFC 6455 section 4.2.2). WebSockets over HTTP/2
 * have neither. Stateless.
 */
public final class WebSocketHandshake {

    /** The request header field that contains the client's key. */
    public static final byte[] KEY = ByteClasses.ascii("sec-websocket-key");
    /** The response header field that contains the accept value, which the server computes from the key. */
    public static final byte[] ACCEPT = ByteClasses.ascii("sec-websocket-accept");

    private static final byte[] GUID = ByteClasses.ascii("258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    private static final int NONCE_BYTES = 16;
    private static final int KEY_BYTES = 24;

    private WebSocketHandshake() {}

    /** Returns a new random key. */
    public static byte[] newKey(RandomGenerator random) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return Base64.getEncoder().encode(nonce);
    }

    /** Whether {@code bytes[from, to)} has the form of a key: 16 bytes in base64. */
    public static boolean isKey(byte[] bytes, int from, int to) {
        if (to - from != KEY_BYTES || bytes[to - 1] != '=' || bytes[to - 2] != '=') {
            return false;
        }
        for (int i = from; i < to - 2; i++) {
            byte b = bytes[i];
            byte letter = ByteClasses.lower(b);
            boolean good = (letter >= 'a' && letter <= 'z') || (b >= '0' && b <= '9');
            if (!good && b != '+' && b != '/') {
                return false;
            }
        }
        return true;
    }

    /** Returns the {@code Sec-WebSocket-Accept} value for a {@code Sec-WebSocket-Key}. */
    public static byte[] accept(byte[] key) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(key);
            return Base64.getEncoder().encode(sha1.digest(GUID));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-1 is not available in this JVM", e);
        }
    }

    /** Whether a client treats this response to a CONNECT as an established tunnel (RFC 9110 section 9.3.6). */
    public static boolean establishesTunnel(int status) {
        return status < 300;
    }
}
