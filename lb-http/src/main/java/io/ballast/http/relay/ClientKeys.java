package io.ballast.http.relay;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The values that load-balancing strategies use to recognize a client or its current request: hash key, address, and
 * affinity token. One object serves all exchanges of a client connection, in sequence. Event-loop confined.
 */
public final class ClientKeys {

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** The prefix of an IPv4-mapped IPv6 address, as it appears in the lower half of the address. */
    private static final long MAPPED = 0xFFFF_0000_0000L;

    private long clientKey;
    /** The hash key of the current request; 0 to use the client's key. */
    private long requestKey;
    /** The affinity token sent by the client, as two halves; both 0 for none. */
    private long tokenHigh;

    private long tokenLow;

    private long addressHigh;
    private long addressLow;

    /** @param clientKey the client's hash key */
    public ClientKeys(long clientKey) {
        this.clientKey = clientKey;
    }

    /** Sets the client's hash key for the next and later exchanges. */
    public void setClientKey(long hash) {
        clientKey = hash;
    }

    /**
     * Sets a hash key for the next exchange only, which replaces the client's key.
     *
     * @param hash a well mixed hash; 0 for the client's key
     */
    public void setRequestKey(long hash) {
        requestKey = hash;
    }

    /** Sets the two halves of the affinity token of the next exchange only. */
    public void setToken(long high, long low) {
        tokenHigh = high;
        tokenLow = low;
    }

    /**
     * Sets the client's address for the next and later exchanges: 4 or 16 bytes in network order; empty if unknown.
     */
    public void setAddress(byte[] bytes) {
        switch (bytes.length) {
            case 4 -> {
                addressHigh = 0;
                addressLow = MAPPED | Integer.toUnsignedLong((int) INT.get(bytes, 0));
            }
            case 16 -> {
                addressHigh = (long) LONG.get(bytes, 0);
                addressLow = (long) LONG.get(bytes, Long.BYTES);
            }
            default -> {
                addressHigh = 0;
                addressLow = 0;
            }
        }
    }

    /** Clears the values that belong to the current request only. */
    void endRequest() {
        requestKey = 0;
        tokenHigh = 0;
        tokenLow = 0;
    }

    /** The hash key of the current request. */
    long affinity() {
        return requestKey == 0 ? clientKey : requestKey;
    }

    long addressHigh() {
        return addressHigh;
    }

    long addressLow() {
        return addressLow;
    }

    long tokenHigh() {
        return tokenHigh;
    }

    long tokenLow() {
        return tokenLow;
    }
}
