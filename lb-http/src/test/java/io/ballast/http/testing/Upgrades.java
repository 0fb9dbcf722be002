package io.ballast.http.testing;

import java.util.concurrent.CountDownLatch;

/** A WebSocket request and responses to it. Tunnel data is arbitrary, since the balancer does not parse it. */
public final class Upgrades {

    public static final String REQUEST = "GET /chat HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade"
            + "\r\nUpgrade: WebSocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    /** The request as received by the backend. */
    public static final String FORWARDED = "GET /chat HTTP/1.1\r\nHost: a"
            + "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13"
            + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

    public static final String SWITCH = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket"
            + "\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nConnection: Upgrade\r\n\r\n";

    private Upgrades() {}

    /** Switches protocols, then plays {@code then}. */
    public static Script switching(Script then) {
        return connection -> {
            connection.readRequest();
            connection.send(SWITCH);
            then.play(connection);
            connection.close();
        };
    }

    /** Switches protocols and echoes all data. */
    public static Script echo() {
        return switching(ScriptedConnection::echo);
    }

    /** Waits for {@code latch}, then switches protocols and echoes all data. */
    public static Script echoAfter(CountDownLatch latch) {
        return connection -> {
            connection.readRequest();
            connection.await(latch).send(SWITCH).echo();
            connection.close();
        };
    }
}
