package io.ballast.dns.secondary;

import java.io.IOException;

/** Thrown when a well-formed transfer cannot be applied or served; the message contains the reason. */
final class UnusableException extends IOException {

    private static final long serialVersionUID = 1;

    UnusableException(String message) {
        super(message);
    }
}
