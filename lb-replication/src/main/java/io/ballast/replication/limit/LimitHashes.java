package io.ballast.replication.limit;

import io.ballast.core.hash.SipHash24;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The hashes by which nodes name limits and their keys, so that no address or header value is sent to other nodes.
 * Immutable.
 */
public final class LimitHashes {

    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] key;

    /** @param key the secret key of the cluster; if there is none, the name of the cluster, which clients may guess */
    public LimitHashes(byte[] key) {
        this.key = key.clone();
    }

    /** The number of a limit. */
    long id(String limit) {
        return digest("limit " + limit).getLong();
    }

    /** The hash of a limit's keys. */
    SipHash24 keyHash(String limit) {
        ByteBuffer digest = digest("keys " + limit);
        return new SipHash24(digest.getLong(), digest.getLong());
    }

    private ByteBuffer digest(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return ByteBuffer.wrap(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime does not provide " + ALGORITHM, e);
        }
    }
}
