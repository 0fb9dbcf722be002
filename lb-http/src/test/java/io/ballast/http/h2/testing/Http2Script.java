package io.ballast.http.h2.testing;

import java.io.IOException;

/** The behaviour of an HTTP/2 test backend on one connection. */
@FunctionalInterface
public interface Http2Script {

    void play(Http2Talk talk) throws IOException, InterruptedException;

    /** Responds to one complete request. */
    @FunctionalInterface
    interface Answer {

        void give(Http2Talk talk, Http2Request request) throws IOException, InterruptedException;
    }

    /** Answers each request when it is complete, until the connection ends. */
    static Http2Script serving(Answer answer, int... settings) {
        return talk -> {
            talk.begin(settings);
            while (true) {
                answer.give(talk, talk.nextRequest());
            }
        };
    }

    /** Responds to each request with status 200 and this body. */
    static Http2Script ok(String body, int... settings) {
        return serving((talk, request) -> talk.answer(request, body), settings);
    }

    /** Responds to each request with these frames. Stream number 0 is replaced by the stream of the request. */
    static Http2Script frames(byte[]... frames) {
        return serving((talk, request) -> {
            for (byte[] frame : frames) {
                byte[] own = frame.clone();
                own[8] |= (byte) request.stream();
                own[7] |= (byte) (request.stream() >> 8);
                talk.send(own);
            }
        });
    }
}
