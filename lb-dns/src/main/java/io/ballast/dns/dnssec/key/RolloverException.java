package io.ballast.dns.dnssec.key;

import java.io.IOException;

/** Thrown for a rollover step that is unsafe or not applicable now. Nothing was changed. */
public final class RolloverException extends IOException {

    RolloverException(String message) {
        super(message);
    }
}
