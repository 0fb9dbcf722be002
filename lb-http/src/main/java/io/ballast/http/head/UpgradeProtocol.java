package io.ballast.http.head;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A protocol to which clients may upgrade (RFC 9110 section 7.8). Immutable. */
public final class UpgradeProtocol {

    private static final String WEBSOCKET = "websocket";

    private final String lowerCaseName;
    private final byte[] bytes;
    private final byte @Nullable [] accept;

    private UpgradeProtocol(String lowerCaseName, byte[] bytes, byte @Nullable [] accept) {
        this.lowerCaseName = lowerCaseName;
        this.bytes = bytes;
        this.accept = accept;
    }

    /** @param name the name as sent to backends; it is matched case-insensitively */
    public static UpgradeProtocol of(String name) {
        return new UpgradeProtocol(
                name.toLowerCase(Locale.ROOT), name.getBytes(StandardCharsets.US_ASCII), /* accept= */ null);
    }

    /**
     * Returns a copy for a request in which the load balancer sends its own {@code Sec-WebSocket-Key}. The load
     * balancer must then compare the backend's {@code Sec-WebSocket-Accept} with {@code answer}.
     */
    public UpgradeProtocol withExpectedAccept(byte[] answer) {
        return new UpgradeProtocol(lowerCaseName, bytes, answer);
    }

    /** The expected {@code Sec-WebSocket-Accept}; null if the client verifies it. Must not be modified. */
    public byte @Nullable [] accept() {
        return accept;
    }

    public static List<UpgradeProtocol> all(List<String> names) {
        return names.stream().map(UpgradeProtocol::of).toList();
    }

    /** Whether {@code bytes[from, to)} is the name of this protocol, ignoring case. */
    public boolean isNamed(byte[] bytes, int from, int to) {
        if (to - from != lowerCaseName.length()) {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte b = bytes[i];
            int lower = b >= 'A' && b <= 'Z' ? b + ('a' - 'A') : b;
            if (lower != lowerCaseName.charAt(i - from)) {
                return false;
            }
        }
        return true;
    }

    /** Whether only GET requests may ask for this protocol (RFC 6455 section 4.1). */
    public boolean needsGet() {
        return isWebSocket();
    }

    public boolean isWebSocket() {
        return lowerCaseName.equals(WEBSOCKET);
    }

    /** The name in ASCII. Must not be modified. */
    public byte[] bytes() {
        return bytes;
    }
}
