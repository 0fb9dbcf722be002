package io.ballast.net.testing;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Finds ports that are free on all addresses of this machine, for TCP and UDP, and stay free until a test
 * binds them. Systems assign ephemeral ports from 32768 on, so they assign none of the returned ports. Each
 * port is returned once, and every process starts at a random one.
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
