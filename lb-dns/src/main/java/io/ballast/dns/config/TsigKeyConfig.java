package io.ballast.dns.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * A key by which servers sign their messages to each other (<a href="https://datatracker.ietf.org/doc/html/rfc8945">RFC
 * 8945</a>). Its secret stands here or in a file of its own, one of both.
 *
 * @param name absolute name in lower case, without the final dot: part of what is signed
 * @param secretFile a file with nothing but the secret in it
 */
public record TsigKeyConfig(String name, Algorithm algorithm, Optional<TsigSecret> secret, Optional<Path> secretFile) {

    public static final Algorithm DEFAULT_ALGORITHM = Algorithm.HMAC_SHA256;

    /** One whose secret stands in the configuration. */
    public TsigKeyConfig(String name, Algorithm algorithm, TsigSecret secret) {
        this(name, algorithm, Optional.of(secret), Optional.empty());
    }

    /** The algorithm of signatures. */
    public enum Algorithm {
        HMAC_SHA256,
        HMAC_SHA384,
        HMAC_SHA512
    }
}
