package io.ballast.http.h2.testing;

import java.io.IOException;

/** The behaviour of an HTTP/2 test backend on one connection. */
@FunctionalInterface
public interface Http2Script {

    void play(ScriptedHttp2Connection connection) throws IOException, InterruptedException;

    /** Responds to one complete request. */
    @FunctionalInterface
    interface Answer {

        void give(ScriptedHttp2Connection connection, Http2Request request) throws IOException, InterruptedException;
    }

    /** Answers each request when it is complete, until the connection ends. */
    static Http2Script serving(Answer answer, int... settings) {
        return connection -> {
            connection.begin(settings);
            while (true) {
                answer.give(connection, connection.nextRequest());
            }
        };
    }

    /** Responds to each request with status 200 and this body. */
    static Http2Script ok(String body, int... settings) {
        return serving((connection, request) -> connection.answer(request, body), settings);
    }

    /** Responds to each request with these frames. Stream number 0 is replaced by the stream of the request. */
    static Http2Script frames(byte[]... frames) {
        return serving((connection, request) -> {
            for (byte[] frame : frames) {
                byte[] own = frame.clone();
                own[8] |= (byte) request.stream();
                own[7] |= (byte) (request.stream() >> 8);
                connection.send(own);
            }
        });
    }
}
