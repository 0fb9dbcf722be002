package io.ballast.http;

import io.ballast.core.config.HostPort;
import io.ballast.net.listen.BindFailure;

/** An address could not be listened on; the message says which and why. */
public final class BindException extends Exception {

    private static final long serialVersionUID = 1L;

    BindException(HostPort address, Throwable cause) {
        super("cannot listen on " + address + ": " + BindFailure.reason(address.port(), cause), cause);
    }
}
