package io.ballast.cluster.secret;

import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/** The uses of shared secrets. */
public enum SecretKind {
    /** Creates and verifies DNS cookies, which clients use for an hour. */
    DNS_COOKIE("dns-cookie", 16, Duration.ofDays(1)),
    /** The source of the keys of TLS session tickets, which clients use for an hour. */
    TLS_TICKET("tls-ticket", 32, Duration.ofHours(1)),
    /** Signs the cookies of sticky sessions. */
    STICKY("sticky", 32, Duration.ofDays(30)),
    /** Encrypts the session cookies of {@code oidc} policies. */
    OIDC("oidc", 32, Duration.ofDays(30));

    private final String label;
    private final int bytes;
    private final Duration life;

    SecretKind(String label, int bytes, Duration life) {
        this.label = label;
        this.bytes = bytes;
        this.life = life;
    }

    /** The name in keys of facts and in the documentation. */
    public String label() {
        return label;
    }

    public static Optional<SecretKind> of(String label) {
        return Stream.of(values()).filter(each -> each.label.equals(label)).findFirst();
    }

    /** The length of a secret, in bytes. */
    public int bytes() {
        return bytes;
    }

    /** The time after which a new secret is generated. */
    public Duration life() {
        return life;
    }
}
