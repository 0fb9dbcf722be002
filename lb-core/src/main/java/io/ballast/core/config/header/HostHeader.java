package io.ballast.core.config.header;

/** Which {@code Host} header backends see. */
public sealed interface HostHeader {

    /** The client's own, byte for byte. */
    record Keep() implements HostHeader {}

    /** The backend's address; {@code localhost} for a Unix socket. */
    record OfBackend() implements HostHeader {}

    /** A fixed value. */
    record Fixed(String value) implements HostHeader {}
}
