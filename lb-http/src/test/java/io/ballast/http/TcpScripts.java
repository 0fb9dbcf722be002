package io.ballast.http;

import io.ballast.http.testing.Script;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Scripts for raw TCP backends, with or without TLS. */
final class TcpScripts {

    private static final int MEBIBYTE = 1024 * 1024;

    private TcpScripts() {}

    /** Reads to the end, then sends the number of bytes received. */
    static Script answersAfterTheEnd() {
        return connection -> {
            byte[] all = connection.readToEnd();
            connection.send("got " + all.length);
            connection.close();
        };
    }

    /** Sends {@code bye} and a FIN, then reads to the end. */
    static Script finishesFirst(CompletableFuture<String> got) {
        return connection -> {
            connection.send("bye").finishSending();
            got.complete(new String(connection.readToEnd(), StandardCharsets.ISO_8859_1));
        };
    }

    /** Sends data of this many MiB as fast as possible. */
    static Script floods(int mebibytes) {
        return connection -> {
            byte[] piece = new byte[MEBIBYTE];
            for (int i = 0; i < mebibytes; i++) {
                connection.send(piece);
            }
            connection.close();
        };
    }

    /** Reads nothing until the test opens {@code latch}; then sends the number of bytes received. */
    static Script readsAfter(CountDownLatch latch) {
        return connection -> {
            connection.await(latch);
            connection.send("" + connection.readToEnd().length);
            connection.close();
        };
    }

    /** Sends {@code half}, and resets the connection after two received bytes. */
    static Script resetsInTheMiddle() {
        return connection -> {
            connection.send("half");
            connection.readExactly(2);
            connection.reset();
        };
    }
}
