package io.ballast.http.h3.client;

import io.ballast.http.head.ByteClasses;
import io.ballast.http.head.FieldOutput;
import io.netty.handler.codec.http3.DefaultHttp3Headers;
import io.netty.handler.codec.http3.Http3Headers;
import io.netty.util.AsciiString;

/** Collects the fields of a head for Netty's QPACK encoder. Event-loop confined. */
final class Http3Fields implements FieldOutput {

    private Http3Headers headers = newHeaders();
    private int bytes;

    private static Http3Headers newHeaders() {
        return new DefaultHttp3Headers(/* validate= */ false);
    }

    @Override
    public void clear() {
        headers = newHeaders();
        bytes = 0;
    }

    @Override
    public void status(int status) {
        headers.status(AsciiString.of(Integer.toString(status)));
        bytes += Integer.BYTES;
    }

    @Override
    public void field(byte[] names, int nameFrom, int nameTo, byte[] values, int valueFrom, int valueTo) {
        byte[] name = new byte[nameTo - nameFrom];
        for (int i = 0; i < name.length; i++) {
            name[i] = ByteClasses.lower(names[nameFrom + i]);
        }
        headers.add(
                new AsciiString(name, /* copy= */ false),
                new AsciiString(values, valueFrom, valueTo - valueFrom, /* copy= */ true));
        bytes += name.length + valueTo - valueFrom;
    }

    /** Returns the collected fields; the next call of {@link #clear} starts others. */
    Http3Headers headers() {
        return headers;
    }

    /** The number of bytes of names and values. */
    int bytes() {
        return bytes;
    }
}
