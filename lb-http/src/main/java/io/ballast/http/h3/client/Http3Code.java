package io.ballast.http.h3.client;

import io.ballast.http.multiplex.StreamError;

/** Error codes of streams and connections (RFC 9114 section 8.1). */
enum Http3Code {
    NO_ERROR(0x100),
    INTERNAL_ERROR(0x102),
    EXCESSIVE_LOAD(0x107),
    REQUEST_REJECTED(0x10b),
    REQUEST_CANCELLED(0x10c),
    REQUEST_INCOMPLETE(0x10d),
    MESSAGE_ERROR(0x10e);

    /** The number on the wire. */
    final int number;

    Http3Code(int number) {
        this.number = number;
    }

    static Http3Code of(StreamError error) {
        return switch (error) {
            case MALFORMED -> MESSAGE_ERROR;
            case FLOW_CONTROL, EXCESSIVE_LOAD -> EXCESSIVE_LOAD;
            case INTERNAL -> INTERNAL_ERROR;
            case CANCELLED -> REQUEST_CANCELLED;
        };
    }
}
