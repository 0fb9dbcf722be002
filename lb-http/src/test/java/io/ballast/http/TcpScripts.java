package io.ballast.http;

import io.ballast.http.testing.Script;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/** Backends that speak no protocol, whether by TLS or not. */
final class TcpScripts {

    private static final int MEBIBYTE = 1024 * 1024;

    private TcpScripts() {}

    /** Says how many octets came, once the other side has said all. */
    static Script answersAfterTheEnd() {
        return talk -> {
            byte[] all = talk.readToEnd();
            talk.send("got " + all.length);
            talk.close();
        };
    }

    /** Says {@code bye} and no more, then hears the other side out. */
    static Script finishesFirst(CompletableFuture<String> got) {
        return talk -> {
            talk.send("bye").finishSending();
            got.complete(new String(talk.readToEnd(), StandardCharsets.ISO_8859_1));
        };
    }

    /** Sends so many MiB, as fast as they are taken. */
    static Script pours(int mebibytes) {
        return talk -> {
            byte[] piece = new byte[MEBIBYTE];
            for (int i = 0; i < mebibytes; i++) {
                talk.send(piece);
            }
            talk.close();
        };
    }

    /** Reads nothing before the test opens {@code latch}; then says how many octets came. */
    static Script readsAfter(CountDownLatch latch) {
        return talk -> {
            talk.await(latch);
            talk.send("" + talk.readToEnd().length);
            talk.close();
        };
    }

    /** Says {@code half}, and resets the connection when two octets have come. */
    static Script resetsInTheMiddle() {
        return talk -> {
            talk.send("half");
            talk.readExactly(2);
            talk.reset();
        };
    }
}
