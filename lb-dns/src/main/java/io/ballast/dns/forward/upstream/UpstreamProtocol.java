package io.ballast.dns.forward.upstream;

/** The protocol of queries to a resolver. */
public enum UpstreamProtocol {
    /** UDP, and TCP after a truncated response. */
    UDP,
    /** Over TCP with many questions on a connection (<a href="https://datatracker.ietf.org/doc/html/rfc7766">RFC 7766</a>). */
    TCP,
    /** DNS over TLS (<a href="https://datatracker.ietf.org/doc/html/rfc7858">RFC 7858</a>). */
    DOT,
    /**
     * By HTTP/2 over TLS, each question on a stream of its own (<a
     * href="https://datatracker.ietf.org/doc/html/rfc8484">RFC 8484</a>).
     */
    DOH
}
