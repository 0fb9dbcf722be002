package io.ballast.core.config;

/** Where something listens, as written in the file. Its text is the one that the file has, and that logs and labels show. */
public sealed interface Address permits HostPort, UnixSocket {

    /** The host that it stands for by itself: what a certificate must be made out for. */
    String host();

    /** Returns the value of {@code Host} for requests that use the backend's own. */
    String authority();
}
