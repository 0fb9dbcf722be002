package io.ballast.http.h2.testing;

import java.io.IOException;

/** What a backend of HTTP/2 does with one connection. */
@FunctionalInterface
public interface Http2Script {

    void play(Http2Talk talk) throws IOException, InterruptedException;

    /** What is done with one request, which is there as a whole. */
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

    /** Answers each request with a 200 and this body. */
    static Http2Script ok(String body, int... settings) {
        return serving((talk, request) -> talk.answer(request, body), settings);
    }

    /** Answers each request with these frames, for whose stream 0 stands. */
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
