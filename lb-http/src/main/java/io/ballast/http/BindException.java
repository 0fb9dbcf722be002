package io.ballast.http;

import io.ballast.core.config.HostPort;

/** An address could not be listened on; the message says which and why. */
public final class BindException extends Exception {

    private static final long serialVersionUID = 1L;

    BindException(HostPort address, Throwable cause) {
        super("cannot listen on " + address + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("Address already in use") ? "the port is in use" : message;
    }
}
