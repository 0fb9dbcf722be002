package io.ballast.http.testing;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The behaviour of a test backend for one request or connection. */
@FunctionalInterface
public interface Script {

    void play(BackendTalk talk) throws IOException, InterruptedException;

    /** Reads the request, then sends {@code raw}. */
    static Script answer(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
        };
    }

    /** Responds with status 200, this body and its length. */
    static Script ok(String body) {
        return answer("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Waits for {@code latch}, then responds with status 200 and this body. */
    static Script okAfter(CountDownLatch latch, String body) {
        return talk -> {
            talk.readRequest();
            talk.await(latch).send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        };
    }

    /** Responds with status 200 and the whole request as body. */
    static Script echo() {
        return talk -> {
            String request = talk.readRequest();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + request.length() + "\r\n\r\n" + request);
        };
    }

    /** Reads the request, sends {@code raw} and closes. */
    static Script answerAndClose(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.close();
        };
    }

    /** Reads the request, sends {@code raw} and resets the connection. */
    static Script answerAndReset(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.reset();
        };
    }

    /** Reads the request, sends {@code raw} and closes, without a TLS close_notify. */
    static Script answerAndCut(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.cut();
        };
    }

    /** Reads the request and never responds; ends when the balancer closes. */
    static Script silence() {
        return talk -> {
            talk.readRequest();
            talk.awaitClose();
        };
    }
}
