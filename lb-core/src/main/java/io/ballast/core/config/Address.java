package io.ballast.core.config;

/**
 * The address of a listener or a backend, in the notation of configuration files; logs and labels show it in this form.
 */
public sealed interface Address permits HostPort, UnixSocket {

    /** The host of the address; a certificate must be issued for it. */
    String host();

    /** Returns the {@code Host} value for pools that send the backend's own address. */
    String authority();
}
