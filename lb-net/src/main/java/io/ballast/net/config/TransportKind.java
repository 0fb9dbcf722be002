package io.ballast.net.config;

/**
 * The system interface used for TCP. {@code AUTO} selects the first of io_uring, epoll and NIO that works.
 */
public enum TransportKind {
    AUTO,
    IO_URING,
    EPOLL,
    NIO
}
