package io.ballast.http.h3;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.quic.QuicTokenHandler;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The tokens of Retry packets (RFC 9000 section 8.1.2). A token proves that its client receives packets at its address.
 * It contains the time, a keyed hash of the time, the address and the connection id, and the connection id. So the server
 * keeps no state for a client that has not returned its token. Event-loop confined.
 */
final class RetryTokens implements QuicTokenHandler {

    static final int KEY_BYTES = 32;
    /** The time in which a token is valid. */
    static final Duration LIFE = Duration.ofSeconds(15);

    private static final String ALGORITHM = "HmacSHA256";
    private static final int TIME_BYTES = Long.BYTES;
    private static final int HASH_BYTES = 16;
    private static final int MAX_CONNECTION_ID_BYTES = 20;
    private static final int INVALID = -1;

    private final Mac mac;
    private final LongSupplier nanoTime;
    private final BooleanSupplier isRequired;

    /**
     * @param key the secret of {@value #KEY_BYTES} bytes
     * @param nanoTime the clock in nanoseconds
     * @param isRequired whether new clients must return a token
     */
    RetryTokens(byte[] key, LongSupplier nanoTime, BooleanSupplier isRequired) {
        this.nanoTime = nanoTime;
        this.isRequired = isRequired;
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot create the hash of Retry tokens: " + ALGORITHM, e);
        }
    }

    @Override
    public boolean writeToken(ByteBuf out, ByteBuf dcid, InetSocketAddress address) {
        if (!isRequired.getAsBoolean()) {
            return false;
        }
        byte[] id = bytes(dcid, dcid.readerIndex());
        long now = nanoTime.getAsLong();
        out.writeLong(now);
        out.writeBytes(hash(now, id, address));
        out.writeBytes(id);
        return true;
    }

    @Override
    public int validateToken(ByteBuf token, InetSocketAddress address) {
        int start = token.readerIndex();
        if (token.readableBytes() < TIME_BYTES + HASH_BYTES) {
            return INVALID;
        }
        long created = token.getLong(start);
        long age = nanoTime.getAsLong() - created;
        byte[] hash = new byte[HASH_BYTES];
        token.getBytes(start + TIME_BYTES, hash);
        byte[] id = bytes(token, start + TIME_BYTES + HASH_BYTES);
        boolean valid = age >= 0
                && age <= LIFE.toNanos()
                && id.length <= MAX_CONNECTION_ID_BYTES
                && MessageDigest.isEqual(hash, hash(created, id, address));
        return valid ? TIME_BYTES + HASH_BYTES : INVALID;
    }

    /** Returns the bytes from the index {@code from} to the writer index. */
    private static byte[] bytes(ByteBuf source, int from) {
        byte[] copy = new byte[source.writerIndex() - from];
        source.getBytes(from, copy);
        return copy;
    }

    private byte[] hash(long time, byte[] id, InetSocketAddress address) {
        mac.update(ByteBuffer.allocate(TIME_BYTES + Integer.BYTES)
                .putLong(time)
                .putInt(address.getPort())
                .flip());
        mac.update(address.getAddress().getAddress());
        return Arrays.copyOf(mac.doFinal(id), HASH_BYTES);
    }

    @Override
    public int maxTokenLength() {
        return TIME_BYTES + HASH_BYTES + MAX_CONNECTION_ID_BYTES;
    }
}
