package io.ballast.core.config.header;

/** The rule that determines the {@code Host} header of requests to backends. */
public sealed interface HostHeader {

    /** Forwards the client's {@code Host} header unchanged. */
    record Keep() implements HostHeader {}

    /** Sends the backend's address; {@code localhost} for a Unix socket. */
    record OfBackend() implements HostHeader {}

    /** Sends a fixed value. */
    record Fixed(String value) implements HostHeader {}
}
