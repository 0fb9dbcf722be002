package io.ballast.dns.forward.upstream;

/** The transport protocol of queries to a resolver. */
public enum UpstreamProtocol {
    /** Plain UDP, and TCP after a truncated response. */
    UDP,
    /**
     * TCP with many concurrent queries per connection (<a
     * href="https://datatracker.ietf.org/doc/html/rfc7766">RFC 7766</a>).
     */
    TCP,
    /** DNS over TLS (<a href="https://datatracker.ietf.org/doc/html/rfc7858">RFC 7858</a>). */
    DOT,
    /**
     * HTTP/2 over TLS, with a stream for each question (<a
     * href="https://datatracker.ietf.org/doc/html/rfc8484">RFC 8484</a>).
     */
    DOH
}
