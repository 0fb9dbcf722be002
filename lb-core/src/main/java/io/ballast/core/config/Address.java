package io.ballast.core.config;

/** The address of a listener or a backend in the notation of the file, which logs and labels show. */
public sealed interface Address permits HostPort, UnixSocket {

    /** The host of the address, for which a certificate must be issued. */
    String host();

    /** Returns the value of {@code Host} for requests that use the backend's own. */
    String authority();
}
