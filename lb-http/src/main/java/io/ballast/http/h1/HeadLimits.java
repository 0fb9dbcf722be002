package io.ballast.http.h1;

import io.ballast.core.config.ClientLimits;

/** How long the parts of a head may be. Units: bytes, and header lines. */
record HeadLimits(int startLine, int header, int head, int headers) {

    /** For the heads of backends, which are trusted with more than clients but not with everything. */
    static final HeadLimits BACKEND = new HeadLimits(8 * 1024, 16 * 1024, 64 * 1024, 500);

    static HeadLimits of(ClientLimits limits) {
        return new HeadLimits(limits.requestLineBytes(), limits.headerBytes(), limits.headBytes(), limits.headers());
    }
}
