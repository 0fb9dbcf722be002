package io.ballast.net.config;

/**
 * The TLS versions, ciphers and groups that a listener offers. The profiles are named after
 * <a href="https://wiki.mozilla.org/Security/Server_Side_TLS">Mozilla's recommendations</a>.
 */
public enum TlsProfile {
    /**
     * TLS 1.2 and 1.3, with forward secrecy and authenticated encryption; supported by every browser of the last
     * ten years.
     */
    INTERMEDIATE,
    /** TLS 1.3 only. */
    MODERN
}
