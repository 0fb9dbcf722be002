package io.ballast.http.testing;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** What a backend does with one request, or with one connection. */
@FunctionalInterface
public interface Script {

    void play(BackendTalk talk) throws IOException, InterruptedException;

    /** Reads the request, then sends these octets. */
    static Script answer(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
        };
    }

    /** A 200 with this body and its length. */
    static Script ok(String body) {
        return answer("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** The same once the test opens {@code latch}. */
    static Script okAfter(CountDownLatch latch, String body) {
        return talk -> {
            talk.readRequest();
            talk.await(latch).send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        };
    }

    /** A 200 whose body is the whole request as it came. */
    static Script echo() {
        return talk -> {
            String request = talk.readRequest();
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: " + request.length() + "\r\n\r\n" + request);
        };
    }

    /** Reads the request, sends these octets and closes. */
    static Script answerAndClose(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.close();
        };
    }

    /** Reads the request, sends these octets and resets the connection. */
    static Script answerAndReset(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.reset();
        };
    }

    /** Reads the request, sends these octets and closes, with TLS without saying goodbye. */
    static Script answerAndCut(String raw) {
        return talk -> {
            talk.readRequest();
            talk.send(raw);
            talk.cut();
        };
    }

    /** Reads the request and never answers; ends when the balancer closes. */
    static Script silence() {
        return talk -> {
            talk.readRequest();
            talk.awaitClose();
        };
    }
}
