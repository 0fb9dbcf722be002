package io.ballast.net.testing;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports that nobody has on any address of this machine, by TCP or UDP, and that stay free until a test binds them, or for as
 * long as nobody is to listen there. Systems draw the ports of clients, and of those who ask for any port, from 32768 on: so
 * none of these is drawn in between. Each is given once, and every process begins somewhere else.
 */
public final class FreePort {
    private static final int FIRST = 16_384;
    private static final int COUNT = 16_384;
    private static final int ATTEMPTS = 100;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePort() {}

    public static int find() throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            try (ServerSocket tcp = new ServerSocket(port);
                    DatagramSocket udp = new DatagramSocket(port)) {
                return port;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }
}
