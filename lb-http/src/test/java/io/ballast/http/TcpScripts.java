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
        return talk -> {
            byte[] all = talk.readToEnd();
            talk.send("got " + all.length);
            talk.close();
        };
    }

    /** Sends {@code bye} and a FIN, then reads to the end. */
    static Script finishesFirst(CompletableFuture<String> got) {
        return talk -> {
            talk.send("bye").finishSending();
            got.complete(new String(talk.readToEnd(), StandardCharsets.ISO_8859_1));
        };
    }

    /** Sends data of this many MiB as fast as possible. */
    static Script pours(int mebibytes) {
        return talk -> {
            byte[] piece = new byte[MEBIBYTE];
            for (int i = 0; i < mebibytes; i++) {
                talk.send(piece);
            }
            talk.close();
        };
    }

    /** Reads nothing until the test opens {@code latch}; then sends the number of bytes received. */
    static Script readsAfter(CountDownLatch latch) {
        return talk -> {
            talk.await(latch);
            talk.send("" + talk.readToEnd().length);
            talk.close();
        };
    }

    /** Sends {@code half}, and resets the connection after two received bytes. */
    static Script resetsInTheMiddle() {
        return talk -> {
            talk.send("half");
            talk.readExactly(2);
            talk.reset();
        };
    }
}
