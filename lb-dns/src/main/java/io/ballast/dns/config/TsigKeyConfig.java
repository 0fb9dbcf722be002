package io.ballast.dns.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A key that servers use to sign messages to each other (<a href="https://datatracker.ietf.org/doc/html/rfc8945">RFC
 * 8945</a>). Its secret is in the configuration or in a separate file.
 *
 * @param name absolute name in lower case, without the final dot; the name is part of the signed data
 * @param secretFile a file that contains only the secret
 */
public record TsigKeyConfig(String name, Algorithm algorithm, Optional<TsigSecret> secret, Optional<Path> secretFile) {

    public static final Algorithm DEFAULT_ALGORITHM = Algorithm.HMAC_SHA256;

    /** Creates a key whose secret is in the configuration. */
    public TsigKeyConfig(String name, Algorithm algorithm, TsigSecret secret) {
        this(name, algorithm, Optional.of(secret), Optional.empty());
    }

    /** The algorithm of the signatures. */
    public enum Algorithm {
        HMAC_SHA256,
        HMAC_SHA384,
        HMAC_SHA512
    }
}
