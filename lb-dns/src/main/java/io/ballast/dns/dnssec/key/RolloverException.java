package io.ballast.dns.dnssec.key;

import java.io.IOException;

/** Thrown if a rollover step is unsafe or not applicable at the moment. Nothing was changed. */
public final class RolloverException extends IOException {

    RolloverException(String message) {
        super(message);
    }
}
