package io.ballast.http.head;

import io.ballast.core.config.ResponseLimits;
import io.ballast.net.config.ClientLimits;

/** The size limits of a message head: {@code headers} is a number of header lines, all other limits are in bytes. */
public record HeadLimits(int startLine, int header, int head, int headers) {

    public static HeadLimits of(ResponseLimits limits) {
        return new HeadLimits(limits.statusLineBytes(), limits.headerBytes(), limits.headBytes(), limits.headers());
    }

    public static HeadLimits of(ClientLimits limits) {
        return new HeadLimits(limits.requestLineBytes(), limits.headerBytes(), limits.headBytes(), limits.headers());
    }
}
