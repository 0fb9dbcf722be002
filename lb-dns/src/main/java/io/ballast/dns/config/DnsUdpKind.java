package io.ballast.dns.config;

/** The implementation of UDP. {@code AUTO} uses direct system calls where they work, else Netty. */
public enum DnsUdpKind {
    AUTO,
    /** {@code recvmmsg} and {@code sendmmsg} called from Java 22 or newer, on Linux. */
    DIRECT,
    NETTY
}
