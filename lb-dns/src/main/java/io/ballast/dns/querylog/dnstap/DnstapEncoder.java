package io.ballast.dns.querylog.dnstap;

import io.ballast.dns.config.DnstapConfig.MessageKind;
import java.nio.charset.StandardCharsets;

/**
 * Encodes a query or response as a frame: a length and a {@code Dnstap} message of <a
 * href="https://github.com/dnstap/dnstap.pb/blob/master/dnstap.proto">dnstap.proto</a>. The server's own address is
 * omitted, since answering threads do not have it.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class DnstapEncoder {

    private static final int IDENTITY = 1;
    private static final int VERSION = 2;
    private static final int MESSAGE = 14;
    private static final int TYPE = 15;
    private static final int TYPE_MESSAGE = 1;

    private static final int MESSAGE_TYPE = 1;
    private static final int SOCKET_FAMILY = 2;
    private static final int SOCKET_PROTOCOL = 3;
    private static final int QUERY_ADDRESS = 4;
    private static final int QUERY_PORT = 6;
    private static final int QUERY_TIME_SECONDS = 8;
    private static final int QUERY_TIME_NANOS = 9;
    private static final int QUERY_MESSAGE = 10;
    private static final int QUERY_ZONE = 11;
    private static final int RESPONSE_TIME_SECONDS = 12;
    private static final int RESPONSE_TIME_NANOS = 13;
    private static final int RESPONSE_MESSAGE = 14;

    private static final int INET = 1;
    private static final int INET6 = 2;
    private static final int NANOS_PER_SECOND = 1_000_000_000;

    private final byte[] identity;
    private final byte[] version;
    private final FrameBuffer message = new FrameBuffer();
    private final FrameBuffer envelope = new FrameBuffer();
    private final FrameBuffer frame = new FrameBuffer();

    /**
     * @param identity server identity; "" for none
     * @param version server version; "" for none
     */
    public DnstapEncoder(String identity, String version) {
        this.identity = identity.getBytes(StandardCharsets.UTF_8);
        this.version = version.getBytes(StandardCharsets.UTF_8);
    }

    /** Encodes a frame into {@link #frame}, where it is valid until the next call; returns its length. */
    public int encode(DnstapExchange exchange, MessageKind kind) {
        message.clear();
        message.putVarintField(MESSAGE_TYPE, number(kind));
        message.putVarintField(SOCKET_FAMILY, exchange.isIpv4() ? INET : INET6);
        message.putVarintField(SOCKET_PROTOCOL, exchange.protocol());
        if (exchange.clientBytes() > 0) {
            message.bytes(QUERY_ADDRESS, exchange.client(), 0, exchange.clientBytes());
        }
        if (exchange.port() > 0) {
            message.putVarintField(QUERY_PORT, exchange.port());
        }
        message.putVarintField(QUERY_TIME_SECONDS, exchange.queryNanos() / NANOS_PER_SECOND);
        message.putFixed32Field(QUERY_TIME_NANOS, (int) (exchange.queryNanos() % NANOS_PER_SECOND));
        if (isResponse(kind)) {
            putZone(exchange);
            message.putVarintField(RESPONSE_TIME_SECONDS, exchange.responseNanos() / NANOS_PER_SECOND);
            message.putFixed32Field(RESPONSE_TIME_NANOS, (int) (exchange.responseNanos() % NANOS_PER_SECOND));
            message.bytes(RESPONSE_MESSAGE, exchange.response(), 0, exchange.responseBytes());
        } else {
            message.bytes(QUERY_MESSAGE, exchange.query(), 0, exchange.queryBytes());
            putZone(exchange);
        }
        return wrap();
    }

    private void putZone(DnstapExchange exchange) {
        if (exchange.zoneBytes() > 0) {
            message.bytes(QUERY_ZONE, exchange.query(), exchange.zoneStart(), exchange.zoneBytes());
        }
    }

    private int wrap() {
        envelope.clear();
        if (identity.length > 0) {
            envelope.bytes(IDENTITY, identity, 0, identity.length);
        }
        if (version.length > 0) {
            envelope.bytes(VERSION, version, 0, version.length);
        }
        envelope.bytes(MESSAGE, message.bytes(), 0, message.length());
        envelope.putVarintField(TYPE, TYPE_MESSAGE);
        frame.clear();
        frame.putInt(envelope.length());
        frame.putBytes(envelope.bytes(), 0, envelope.length());
        return frame.length();
    }

    /** The last encoded frame. */
    public byte[] frame() {
        return frame.bytes();
    }

    private static boolean isResponse(MessageKind kind) {
        return kind == MessageKind.AUTH_RESPONSE || kind == MessageKind.CLIENT_RESPONSE;
    }

    private static int number(MessageKind kind) {
        return switch (kind) {
            case AUTH_QUERY -> 1;
            case AUTH_RESPONSE -> 2;
            case CLIENT_QUERY -> 5;
            case CLIENT_RESPONSE -> 6;
        };
    }
}
