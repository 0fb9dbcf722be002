package io.ballast.dns.secondary;

import java.io.IOException;

/** What has come is in good form, but cannot be applied or served; the message says why. */
final class UnusableException extends IOException {

    private static final long serialVersionUID = 1;

    UnusableException(String message) {
        super(message);
    }
}
