package io.ballast.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;

/**
 * A loopback address that no other process uses, for ports that must be known before they are bound, or bound
 * again. A port of 127.0.0.1 that was free a moment ago may belong to another process by then. On systems
 * without other loopback addresses, the address is 127.0.0.1 itself.
 */
public final class ExclusiveLoopback {

    /** The address, for example {@code 127.64.4.210}. */
    public static final String HOST = host(ProcessHandle.current().pid());

    private static final Set<Integer> GIVEN = new HashSet<>();

    private ExclusiveLoopback() {}

    private static String host(long pid) {
        if (!System.getProperty("os.name", "").startsWith("Linux")) {
            return "127.0.0.1";
        }
        return "127." + (64 | (pid >> 16 & 0x3f)) + "." + (pid >> 8 & 0xff) + "." + (pid & 0xff);
    }

    /** Returns a different unused port of the address each time. */
    public static int freePort() {
        synchronized (GIVEN) {
            int port;
            do {
                port = probe();
            } while (!GIVEN.add(port));
            return port;
        }
    }

    private static int probe() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
