package io.ballast.http.h1;

import io.ballast.core.config.ClientLimits;
import io.ballast.core.config.ResponseLimits;

/** How long the parts of a head may be. Units: bytes, and header lines. */
record HeadLimits(int startLine, int header, int head, int headers) {

    /** For the heads of backends, unless their pool says otherwise. */
    static final HeadLimits BACKEND = of(ResponseLimits.DEFAULT);

    static HeadLimits of(ResponseLimits limits) {
        return new HeadLimits(limits.statusLineBytes(), limits.headerBytes(), limits.headBytes(), limits.headers());
    }

    static HeadLimits of(ClientLimits limits) {
        return new HeadLimits(limits.requestLineBytes(), limits.headerBytes(), limits.headBytes(), limits.headers());
    }
}
