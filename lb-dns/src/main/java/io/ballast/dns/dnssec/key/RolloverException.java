package io.ballast.dns.dnssec.key;

import java.io.IOException;

/** A step of a rollover that would leave validators behind, or makes no sense now. Nothing was changed. */
public final class RolloverException extends IOException {

    RolloverException(String message) {
        super(message);
    }
}
