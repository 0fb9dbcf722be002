package io.ballast.dns.config;

/** The UDP implementation. {@code AUTO} uses direct system calls if they work, otherwise Netty. */
public enum DnsUdpKind {
    AUTO,
    /**
     * The system calls {@code recvmmsg} and {@code sendmmsg}, called from Java; needs Java 22 or newer, and
     * Linux.
     */
    DIRECT,
    NETTY
}
