package io.ballast.core.config;

/** Where something listens, as written in the file. Its text is the one that the file has, and that logs and labels show. */
public sealed interface Address permits HostPort, UnixSocket {}
