package io.ballast.net.config;

/** Which of the system's interfaces carries TCP. {@code AUTO} takes the first of io_uring, epoll, NIO that works. */
public enum TransportKind {
    AUTO,
    IO_URING,
    EPOLL,
    NIO
}
