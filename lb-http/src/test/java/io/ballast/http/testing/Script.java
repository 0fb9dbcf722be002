package io.ballast.http.testing;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The behaviour of a test backend for one request or connection. */
@FunctionalInterface
public interface Script {

    void play(ScriptedConnection connection) throws IOException, InterruptedException;

    /** Reads the request, then sends {@code raw}. */
    static Script answer(String raw) {
        return connection -> {
            connection.readRequest();
            connection.send(raw);
        };
    }

    /** Responds with status 200, this body and its length. */
    static Script ok(String body) {
        return answer("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    /** Waits for {@code latch}, then responds with status 200 and this body. */
    static Script okAfter(CountDownLatch latch, String body) {
        return connection -> {
            connection.readRequest();
            connection.await(latch).send("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
        };
    }

    /** Responds with status 200 and the whole request as body. */
    static Script echo() {
        return connection -> {
            String request = connection.readRequest();
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: " + request.length() + "\r\n\r\n" + request);
        };
    }

    /** Reads the request, sends {@code raw} and closes the connection. */
    static Script answerAndClose(String raw) {
        return connection -> {
            connection.readRequest();
            connection.send(raw);
            connection.close();
        };
    }

    /** Reads the request, sends {@code raw} and resets the connection. */
    static Script answerAndReset(String raw) {
        return connection -> {
            connection.readRequest();
            connection.send(raw);
            connection.reset();
        };
    }

    /** Reads the request, sends {@code raw} and closes the connection without a TLS close_notify. */
    static Script answerAndCut(String raw) {
        return connection -> {
            connection.readRequest();
            connection.send(raw);
            connection.cut();
        };
    }

    /** Reads the request and never responds; ends when the balancer closes the connection. */
    static Script silence() {
        return connection -> {
            connection.readRequest();
            connection.awaitClose();
        };
    }
}
